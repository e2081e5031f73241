/** Takes a payout back from a signer that lost its state. */
import { type Transaction, transaction } from '../db/index.ts';
import { failure } from '../lib/failures.ts';
import type { RejectionOrder } from './approve-payout.ts';
import type { PayoutsDeps } from './context.ts';
import { lockDecisions, recordDecision } from './decisions.ts';
import { changeStatus, lockPayout, type PayoutRow } from './queries.ts';
import { reissueDocuments } from './reissue-documents.ts';

async function release(
  tx: Transaction,
  { clock }: PayoutsDeps,
  { payoutId, by, userId, remark }: RejectionOrder,
): Promise<PayoutRow> {
  await lockDecisions(tx);
  const payout = await lockPayout(tx, payoutId);
  const { status, reason_code, signer } = payout;
  if (status === 'in_review' && reason_code === 'released_to_queue') return payout;
  if (status !== 'signed') throw failure('payout_not_open');
  await tx.query(
    `update payout set signer = null, approvals_needed = 2,
       review_reasons = array_append(array_remove(review_reasons, 'released_to_queue'),
         'released_to_queue') where id = $1`,
    [payoutId],
  );
  await reissueDocuments(tx, clock, [payoutId]);
  await recordDecision(tx, clock, {
    payoutId,
    decision: 'released_to_queue',
    decidedBy: by,
    ...(userId !== undefined && { userId }),
    details: { remark, signer, document_hash: payout.document_hash },
  });
  const change = { status: 'in_review', reason: 'released_to_queue' } as const;
  const [row] = await changeStatus(tx, clock, [payoutId], change);
  return row ?? payout;
}

/**
 * Takes back a payout of which the signer has reported no transaction. It reports each before the
 * chain gets it, and what it reports from now on is refused: it cannot pay it any more. Two
 * operators approve it anew. Harmless when repeated.
 * @throws `not_found`, `payout_not_open`
 */
export function releasePayout(deps: PayoutsDeps, order: RejectionOrder): Promise<PayoutRow> {
  return transaction(deps.database, (tx) => release(tx, deps, order));
}
