/** Gives the money of a payout back to its user, and takes it again. */
import type { Transaction } from '../db/index.ts';
import { cancelHold, postTransfers } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { PayoutNotPosted } from './payout-not-posted.ts';
import { changeStatus, lockPayout, type PayoutRow } from './queries.ts';
import type { PayoutReason } from './schemas.ts';

/** @throws PayoutNotPosted */
async function cancel(
  tx: Transaction,
  payoutId: number,
  order: { readonly idempotencyKey: string; readonly holdId: number },
): Promise<void> {
  const result = await cancelHold(tx, order);
  if (result.status === 'refused')
    throw new PayoutNotPosted(payoutId, `its hold was not given back: ${result.code}`);
}

/** What arrives and the fee, as postings between the user and the house. */
async function move(
  tx: Transaction,
  clock: Clock,
  payout: PayoutRow,
  way: 'refund' | 'repay',
): Promise<void> {
  const { id, user_id, currency, amount, fee, epoch } = payout;
  const user = { userId: user_id, wallet: 'asset' } as const;
  const between = (house: string) =>
    way === 'refund' ? { debit: { house }, credit: user } : { debit: user, credit: { house } };
  const key = `payout/${id}/${way}/${epoch}`;
  const common = {
    ...{ currency, eventAt: clock.now(), reference: `payout:${id}` },
    ...{ mayOverdraw: true as const, isCorrection: true as const },
  };
  const parts = [
    {
      ...common,
      ...between('withdrawal_clearing'),
      idempotencyKey: key,
      amount: BigInt(amount) - BigInt(fee),
      businessId: way === 'refund' ? 'withdrawal_refund' : 'withdrawal',
    },
    {
      ...common,
      ...between('fees'),
      idempotencyKey: `${key}/fee`,
      amount: BigInt(fee),
      businessId: 'withdrawal_fee',
    },
  ];
  const due = parts.filter((part) => part.amount > 0n);
  for (const result of await postTransfers(tx, due, { atomic: true }))
    if (result.status === 'refused')
      throw new PayoutNotPosted(id, `the ${way} was refused: ${result.code}`);
}

/**
 * Takes the money of a refunded payout again: the chain paid it after all. The user may have spent
 * it: the wallet then becomes negative.
 */
export function takeAgain(tx: Transaction, clock: Clock, payout: PayoutRow): Promise<void> {
  return move(tx, clock, payout, 'repay');
}

/** Gives all money of a payout back to its user; the caller has locked the payout. */
export async function giveBack(tx: Transaction, clock: Clock, payout: PayoutRow): Promise<void> {
  if (payout.is_settled) return move(tx, clock, payout, 'refund');
  const { id, hold_id, fee_hold_id } = payout;
  const key = `payout/${id}/release`;
  await cancel(tx, id, { idempotencyKey: key, holdId: hold_id });
  if (fee_hold_id !== null)
    await cancel(tx, id, { idempotencyKey: `${key}/fee`, holdId: fee_hold_id });
}

const OPEN: readonly string[] = ['requested', 'in_review', 'approved'];

export interface Ending {
  readonly status: 'cancelled' | 'rejected';
  readonly reason: PayoutReason;
}

/**
 * Ends a payout that the signer has not taken. Repeating it is harmless.
 * @throws `not_found`, `payout_not_open`
 */
export async function endPayout(
  tx: Transaction,
  clock: Clock,
  { id, userId }: { readonly id: number; readonly userId?: number },
  { status, reason }: Ending,
): Promise<PayoutRow> {
  const payout = await lockPayout(tx, id, userId);
  if (payout.status === status) return payout;
  if (!OPEN.includes(payout.status)) throw failure('payout_not_open');
  await giveBack(tx, clock, payout);
  const [row] = await changeStatus(tx, clock, [id], { status, reason });
  return row ?? payout;
}
