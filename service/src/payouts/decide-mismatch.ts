/** An operator decides what a transaction that does not pay what the document says is worth. */
import { type Transaction, transaction } from '../db/index.ts';
import { failure } from '../lib/failures.ts';
import type { RejectionOrder } from './approve-payout.ts';
import type { PayoutsDeps } from './context.ts';
import { lockDecisions, recordDecision } from './decisions.ts';
import { findPayouts, lockPayout, type MismatchOutcome, type PayoutRow } from './queries.ts';

export interface MismatchOrder extends RejectionOrder {
  readonly outcome: MismatchOutcome;
}

async function decide(
  tx: Transaction,
  { clock }: PayoutsDeps,
  { payoutId, by, userId, remark, outcome }: MismatchOrder,
): Promise<PayoutRow> {
  await lockDecisions(tx);
  const payout = await lockPayout(tx, payoutId);
  if (payout.user_id === userId) throw failure('payout_own');
  if (payout.mismatch_outcome === outcome) return payout;
  if (payout.status !== 'sent' || payout.reason_code !== 'transaction_mismatch')
    throw failure('payout_not_open');
  await tx.query('update payout set mismatch_outcome = $2, updated_at = $3 where id = $1', [
    ...[payoutId, outcome, clock.now()],
  ]);
  await recordDecision(tx, clock, {
    payoutId,
    decision: outcome === 'confirmed' ? 'mismatch_accepted' : 'mismatch_refunded',
    decidedBy: by,
    ...(userId !== undefined && { userId }),
    details: { remark, tx_hash: payout.tx_hash, block_number: payout.block_number },
  });
  const [row] = await findPayouts(tx, [payoutId]);
  return row ?? payout;
}

/**
 * `confirmed`: the transaction counts as the payment; `failed`: the money is given back. Carried
 * out once the block is final; until then the other outcome may be chosen. Harmless when repeated.
 * @throws `not_found`, `payout_own`, `payout_not_open`
 */
export function decideMismatch(deps: PayoutsDeps, order: MismatchOrder): Promise<PayoutRow> {
  return transaction(deps.database, (tx) => decide(tx, deps, order));
}
