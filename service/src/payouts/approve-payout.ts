/** Operators decide about payouts in review. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { type Transaction, transaction } from '../db/index.ts';
import { listActive, verifyApproval } from '../identity/index.ts';
import { failure } from '../lib/failures.ts';
import type { PayoutsDeps } from './context.ts';
import { listDecisions, lockDecisions, recordDecision } from './decisions.ts';
import { changeStatus, lockPayout, type PayoutRow } from './queries.ts';
import { endPayout } from './release-payout.ts';
import { listValidApprovers } from './return-unfit.ts';
import { checkNotStopped } from './terms.ts';

export interface ApprovalOrder {
  readonly payoutId: number;
  /** The operator. */
  readonly userId: number;
  readonly response: AuthenticationResponseJSON;
}

/** Operators who may act now, and have approved the document that a payout has now. */
async function listApprovers(tx: Transaction, payout: PayoutRow): Promise<Set<number>> {
  const decisions = await listDecisions(tx, [payout.id]);
  const approvers = await listValidApprovers(tx, [payout], decisions);
  return approvers.get(payout.id) ?? new Set();
}

/** @throws `payout_owner_inactive` */
async function requireActiveOwner(tx: Transaction, { user_id }: PayoutRow): Promise<void> {
  if (!(await listActive(tx, [user_id])).has(user_id)) throw failure('payout_owner_inactive');
}

async function approve(
  tx: Transaction,
  deps: PayoutsDeps,
  { payoutId, userId, response }: ApprovalOrder,
): Promise<PayoutRow> {
  const { clock } = deps;
  await lockDecisions(tx);
  const payout = await lockPayout(tx, payoutId);
  if (payout.user_id === userId) throw failure('payout_own');
  if (payout.status !== 'in_review') throw failure('payout_not_open');
  await checkNotStopped(tx, payout.currency);
  await requireActiveOwner(tx, payout);
  const approvers = await listApprovers(tx, payout);
  if (approvers.has(userId)) throw failure('payout_approved_by_caller');
  const hash = payout.document_hash;
  if (!(await verifyApproval(tx, deps, { userId, hash, response })))
    throw failure('approval_invalid');
  await recordDecision(tx, clock, {
    payoutId,
    decision: 'approved',
    decidedBy: `user:${userId}`,
    userId,
    details: { document_hash: hash },
    assertion: response,
  });
  const isEnough = approvers.size + 1 >= payout.approvals_needed;
  const change = isEnough
    ? ({ status: 'approved', reason: 'approved_by_operators' } as const)
    : ({ status: 'in_review', reason: 'needs_second_approval' } as const);
  const [row] = await changeStatus(tx, clock, [payoutId], change);
  return row ?? payout;
}

/**
 * Approves a payout with a passkey over the hash of its document. Above the policy's bound two
 * distinct operators approve; no operator approves a payout of their own.
 * @throws `not_found`, `payout_own`, `payout_not_open`, `payout_stopped`,
 *   `payout_approved_by_caller`, `payout_owner_inactive`, `approval_invalid`
 */
export function approvePayout(deps: PayoutsDeps, order: ApprovalOrder): Promise<PayoutRow> {
  return transaction(deps.database, (tx) => approve(tx, deps, order));
}

export interface RejectionOrder {
  readonly payoutId: number;
  /** `user:1` or `client:id`, and the person where it is one. */
  readonly by: string;
  readonly userId?: number;
  readonly remark: string;
  /** For the owner of the payout. */
  readonly reason?: string;
}

/** Rejects a payout that the signer has not taken, and gives the money back. */
export async function rejectPayout(
  { database, clock }: PayoutsDeps,
  { payoutId, by, userId, remark, reason }: RejectionOrder,
): Promise<PayoutRow> {
  return transaction(database, async (tx) => {
    await lockDecisions(tx);
    const before = await lockPayout(tx, payoutId);
    if (before.status === 'rejected') return before;
    // Before the change, whose event carries the reason.
    await recordDecision(tx, clock, {
      payoutId,
      decision: 'rejected',
      decidedBy: by,
      ...(userId !== undefined && { userId }),
      details: { remark, ...(reason !== undefined && { reason }) },
    });
    const ending = { status: 'rejected', reason: 'rejected_by_operator' } as const;
    return endPayout(tx, clock, { id: payoutId }, ending);
  });
}
