/**
 * The ledger's head for the signer: where every shard and the log of decisions stand, and the holds
 * of the payouts that are handed over, signed with the key of the heads. The signer keeps the last
 * one, and continues only from there.
 */
import type { Transaction } from '../db/index.ts';
import { listPlacements, readShards, type SignedText, signText } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { readPlace } from './decisions.ts';
import type { PayoutRow } from './queries.ts';

/** Says what the text is: no other signed text of the ledger has it. */
const KIND = 'payout-head';

export interface HeadOrder {
  readonly network: string;
  /** Of the last entry of the log of decisions that the signer has seen. */
  readonly decisionPosition?: number;
}

/** Signs the head that covers the holds of payouts. */
export async function signPayoutHead(
  tx: Transaction,
  clock: Clock,
  { network, decisionPosition }: HeadOrder,
  payouts: readonly PayoutRow[],
): Promise<SignedText> {
  const last = await readPlace(tx);
  const seen = decisionPosition === undefined ? undefined : await readPlace(tx, decisionPosition);
  const steps = await listPlacements(
    tx,
    payouts.map(({ hold_id }) => hold_id),
  );
  const body = {
    kind: KIND,
    network,
    signed_at: clock.now().toISOString(),
    shards: await readShards(tx),
    decisions: { last, ...(seen && { seen }) },
    holds: payouts.map(({ id, document_hash, hold_id }) => ({
      ...{ payout_id: id, document_hash, step: steps.get(hold_id) },
    })),
  };
  return signText(tx, JSON.stringify(body));
}
