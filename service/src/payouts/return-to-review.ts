/** Brings payouts that were on their way to the signer back to operators, who approve them anew. */
import { queryNamed, type Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type DecisionKind, recordDecisions } from './decisions.ts';
import { changeStatus } from './queries.ts';
import { reissueDocuments } from './reissue-documents.ts';

export type ReturnReason =
  | 'refused_by_signer'
  | 'owner_inactive'
  | 'approver_inactive'
  | 'money_frozen';

export interface Returned {
  readonly id: number;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Each gets another document: what was approved before is not approved by it. The caller holds the
 * lock of the decisions, and has locked the payouts.
 */
export async function returnToReview(
  tx: Transaction,
  clock: Clock,
  returned: readonly Returned[],
  { reason, decidedBy }: { readonly reason: ReturnReason; readonly decidedBy: string },
): Promise<void> {
  if (returned.length === 0) return;
  const ids = returned.map(({ id }) => id);
  await queryNamed(
    tx,
    `update payout set signer = null, approvals_needed = greatest(approvals_needed, 1),
       review_reasons = array_append(array_remove(review_reasons, :reason), :reason)
     where id = any(:ids::bigint[])`,
    { ids, reason },
  );
  await reissueDocuments(tx, clock, ids);
  await changeStatus(tx, clock, ids, { status: 'in_review', reason });
  const decision: DecisionKind =
    reason === 'refused_by_signer' ? 'refused_by_signer' : 'returned_to_review';
  const decisions = returned.map(({ id, details }) => {
    return { payoutId: id, decision, decidedBy, details };
  });
  await recordDecisions(tx, clock, decisions);
}
