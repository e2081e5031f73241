/** Records the Merkle root of a settlement in the sealed ledger. */
import type { Transaction } from '../db/index.ts';
import { type Posting, postTransfers } from '../ledger/index.ts';
import { rootReference } from './root-reference.ts';
import type { Settlement } from './settlements.ts';

/** What a settlement paid and took, in minor units. */
export interface Sums {
  readonly credits: string;
  readonly debits: string;
}

const TREASURY = { house: 'treasury' } as const;
const POOL = { house: 'reward_pool' } as const;

interface AnchorOptions {
  readonly root: Buffer;
  readonly sums: Sums;
  readonly currency: string;
}

/**
 * Posts the transfer that carries the root as its reference. It funds the settlement from the
 * treasury, or returns its penalties there. If nothing moved, or the ledger refuses the sum, it
 * moves one minor unit, which goes back at once.
 * @returns the transfer; null when there is no line, or the ledger refuses every transfer
 */
export async function anchorRoot(
  tx: Transaction,
  { id, hour, lines }: Settlement,
  { root, sums, currency }: AnchorOptions,
): Promise<number | null> {
  if (lines === 0) return null;
  const reference = rootReference(id, lines, root);
  const common = { currency, businessId: 'adjustment', eventAt: hour, reference };
  const toPool = { ...common, debit: TREASURY, credit: POOL };
  const toTreasury = { ...common, debit: POOL, credit: TREASURY };
  const isFunding = BigInt(sums.credits) > 0n;
  const amount = BigInt(isFunding ? sums.credits : sums.debits);
  const attempts: Posting[][] = [
    [{ ...(isFunding ? toPool : toTreasury), idempotencyKey: `reward-root:${id}`, amount }],
    [
      { ...toPool, idempotencyKey: `reward-carrier:${id}`, amount: 1n },
      { ...toTreasury, idempotencyKey: `reward-carrier-back:${id}`, amount: 1n },
    ],
  ];
  for (const postings of amount > 0n ? attempts : attempts.slice(1)) {
    const [result] = await postTransfers(tx, postings, { atomic: true });
    if (result && result.status !== 'refused') return result.transferId;
  }
  return null;
}
