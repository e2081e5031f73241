/**
 * Approved payouts that may not go to the signer: their owner, or an operator who approved them,
 * may no longer act.
 */
import { type Transaction, transaction } from '../db/index.ts';
import { listActive, listOperators } from '../identity/index.ts';
import type { PayoutsDeps } from './context.ts';
import { approves, type Decision, listDecisions, lockDecisions } from './decisions.ts';
import { findPayouts, type PayoutRow } from './queries.ts';
import { returnToReview } from './return-to-review.ts';

/** Of operators who decide about payouts. */
export const PAYOUTS_SCOPE = 'operator:payouts';
const BY = 'service:hand-over';

/** Operators who may act now, of those who have approved the documents of payouts. */
export async function listValidApprovers(
  tx: Transaction,
  payouts: readonly Pick<PayoutRow, 'id' | 'document_hash'>[],
  decisions: readonly Decision[],
): Promise<Map<number, Set<number>>> {
  const approvals = payouts.map((payout) => ({
    id: payout.id,
    users: decisions.flatMap((decision) =>
      approves(decision, payout) && decision.user_id !== null ? [decision.user_id] : [],
    ),
  }));
  const users = approvals.flatMap((approval) => approval.users);
  const operators = await listOperators(tx, [...new Set(users)], PAYOUTS_SCOPE);
  return new Map(
    approvals.map((one) => [one.id, new Set(one.users.filter((user) => operators.has(user)))]),
  );
}

/**
 * Returns approved payouts to review whose owner's account is disabled or closed, or that an
 * operator approved whose account is, or who has lost the scope. The caller holds the lock of the
 * decisions, and has locked the payouts.
 * @returns those that may be handed over
 */
export async function returnUnfit(
  tx: Transaction,
  { clock }: Pick<PayoutsDeps, 'clock'>,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const payouts = await findPayouts(tx, ids);
  const active = await listActive(tx, [...new Set(payouts.map(({ user_id }) => user_id))]);
  const approvers = await listValidApprovers(tx, payouts, await listDecisions(tx, ids));
  const toReturned = ({ id, document_hash }: PayoutRow) => ({ id, details: { document_hash } });
  const ofInactive = payouts.filter(({ user_id }) => !active.has(user_id));
  const isApproved = ({ id, approvals_needed }: PayoutRow): boolean =>
    (approvers.get(id)?.size ?? 0) >= approvals_needed;
  const unapproved = payouts.filter((row) => active.has(row.user_id) && !isApproved(row));
  const owner = { reason: 'owner_inactive', decidedBy: BY } as const;
  await returnToReview(tx, clock, ofInactive.map(toReturned), owner);
  const approver = { reason: 'approver_inactive', decidedBy: BY } as const;
  await returnToReview(tx, clock, unapproved.map(toReturned), approver);
  return payouts.filter((row) => active.has(row.user_id) && isApproved(row)).map(({ id }) => id);
}

/** Payouts that a signer has taken and not sent, and whose owner's account is not active. */
const OF_INACTIVE = `select payout.id, document_hash from payout
  join app_user on app_user.id = payout.user_id
  where payout.id = any($1::bigint[]) and payout.status = 'signed' and signer = $2
    and app_user.status <> 'active'`;

/**
 * Takes payouts of disabled accounts back from the signer that is about to send them. The signer
 * then learns that they are not its own any more.
 */
export async function takeBackOfInactive(
  { database, clock }: Pick<PayoutsDeps, 'database' | 'clock'>,
  ids: readonly number[],
  signer: string,
): Promise<void> {
  if ((await database.query(OF_INACTIVE, [ids, signer])).rowCount === 0) return;
  await transaction(database, async (tx) => {
    await lockDecisions(tx);
    const { rows } = await tx.query<{ id: number; document_hash: string }>(
      `${OF_INACTIVE} order by payout.id for update of payout`,
      [ids, signer],
    );
    const returned = rows.map(({ id, document_hash }) => {
      return { id, details: { document_hash, signer } };
    });
    const how = { reason: 'owner_inactive', decidedBy: BY } as const;
    await returnToReview(tx, clock, returned, how);
  });
}
