/** An operator decides what a transaction that does not pay what the document says is worth. */
import { queryNamed, type Transaction, transaction } from '../db/index.ts';
import { listOperators } from '../identity/index.ts';
import { failure } from '../lib/failures.ts';
import type { RejectionOrder } from './approve-payout.ts';
import type { PayoutsDeps } from './context.ts';
import { listDecisions, lockDecisions, recordDecision } from './decisions.ts';
import { findPayouts, lockPayout, type MismatchOutcome, type PayoutRow } from './queries.ts';
import { PAYOUTS_SCOPE } from './return-unfit.ts';

export interface MismatchOrder extends RejectionOrder {
  /** The operator: a person, as for an approval. */
  readonly userId: number;
  readonly outcome: MismatchOutcome;
}

/** Operators who may act now, and have decided to give the money of this transaction back. */
async function listRefunders(tx: Transaction, payout: PayoutRow): Promise<Set<number>> {
  const decisions = await listDecisions(tx, [payout.id]);
  const ids = decisions.flatMap(({ decision, user_id, details }) =>
    decision === 'mismatch_refunded' && details.tx_hash === payout.tx_hash && user_id !== null
      ? [user_id]
      : [],
  );
  return listOperators(tx, ids, PAYOUTS_SCOPE);
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
  const refunders = await listRefunders(tx, payout);
  if (outcome === 'failed' && refunders.has(userId)) return payout;
  // To give back what was paid is to pay it: as many decide as had to approve.
  const isEnough = outcome === 'confirmed' || refunders.size + 1 >= payout.approvals_needed;
  await queryNamed(
    tx,
    'update payout set mismatch_outcome = :outcome, updated_at = :now where id = :id',
    { outcome: isEnough ? outcome : null, now: clock.now(), id: payoutId },
  );
  await recordDecision(tx, clock, {
    payoutId,
    decision: outcome === 'confirmed' ? 'mismatch_accepted' : 'mismatch_refunded',
    decidedBy: by,
    userId,
    details: { remark, tx_hash: payout.tx_hash, block_number: payout.block_number },
  });
  const [row] = await findPayouts(tx, [payoutId]);
  return row ?? payout;
}

/**
 * `confirmed`: the transaction counts as the payment; `failed`: the money is given back, by as many
 * operators as the payout needed approvals. Carried out once the block is final; until then the
 * other outcome may be chosen. Harmless when repeated.
 * @throws `not_found`, `payout_own`, `payout_not_open`
 */
export function decideMismatch(deps: PayoutsDeps, order: MismatchOrder): Promise<PayoutRow> {
  return transaction(deps.database, (tx) => decide(tx, deps, order));
}
