/**
 * The ledger's head for the signer: where every shard stands, and the holds of the payouts that are
 * handed over, signed with the key of the heads. The signer keeps the last one, and goes on only
 * from there.
 */
import type { Transaction } from '../db/index.ts';
import { listPlacements, readShards, type SignedText, signText } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { PayoutRow } from './queries.ts';

/** Says what the text is: no other signed text of the ledger has it. */
const KIND = 'payout-head';

/** Signs the head that covers the holds of payouts. */
export async function signPayoutHead(
  tx: Transaction,
  clock: Clock,
  network: string,
  payouts: readonly PayoutRow[],
): Promise<SignedText> {
  const steps = await listPlacements(
    tx,
    payouts.map(({ hold_id }) => hold_id),
  );
  const body = {
    kind: KIND,
    network,
    signed_at: clock.now().toISOString(),
    shards: await readShards(tx),
    holds: payouts.map(({ id, document_hash, hold_id }) => ({
      ...{ payout_id: id, document_hash, step: steps.get(hold_id) },
    })),
  };
  return signText(tx, JSON.stringify(body));
}
