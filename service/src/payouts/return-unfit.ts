/**
 * Approved payouts that may not go to the signer: their owner, or an operator who approved them,
 * may no longer act.
 */
import { queryNamed, type Transaction } from '../db/index.ts';
import { findPasskeyUsers, listActive, listOperators } from '../identity/index.ts';
import { isFrozen } from '../wallets/index.ts';
import type { PayoutsDeps } from './context.ts';
import { approves, type Decision, listDecisions, lockDecisions } from './decisions.ts';
import { findPayouts, type PayoutRow } from './queries.ts';
import { returnToReview } from './return-to-review.ts';

/** Of operators who decide about payouts. */
export const PAYOUTS_SCOPE = 'operator:payouts';
const BY = 'service:hand-over';

const passkeyOf = ({ assertion }: Decision): string => assertion?.id ?? '';

/**
 * Operators who may act now, of those who have approved the documents of payouts with a passkey
 * that they still have.
 */
export async function listValidApprovers(
  tx: Transaction,
  payouts: readonly Pick<PayoutRow, 'id' | 'document_hash'>[],
  decisions: readonly Decision[],
): Promise<Map<number, Set<number>>> {
  const holders = await findPasskeyUsers(tx, decisions.map(passkeyOf));
  const approvals = payouts.map((payout) => ({
    id: payout.id,
    users: decisions.flatMap((decision) => {
      const { user_id } = decision;
      const isHeld = user_id !== null && holders.get(passkeyOf(decision)) === user_id;
      return isHeld && approves(decision, payout) ? [user_id] : [];
    }),
  }));
  const users = approvals.flatMap((approval) => approval.users);
  const operators = await listOperators(tx, [...new Set(users)], PAYOUTS_SCOPE);
  return new Map(
    approvals.map((one) => [one.id, new Set(one.users.filter((user) => operators.has(user)))]),
  );
}

/** Users whose money is frozen, of the owners of payouts. */
export async function listFrozen(
  tx: Transaction,
  deps: PayoutsDeps,
  payouts: readonly { readonly user_id: number }[],
): Promise<Set<number>> {
  const frozen = new Set<number>();
  for (const userId of new Set(payouts.map(({ user_id }) => user_id)))
    if (await isFrozen(tx, deps, userId)) frozen.add(userId);
  return frozen;
}

/** Until the end of the transaction no account of these is disabled, and none loses a scope. */
async function lockUsers(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.query('select from app_user where id = any($1::bigint[]) order by id for share', [ids]);
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
  const decisions = await listDecisions(tx, ids);
  const owners = [...new Set(payouts.map(({ user_id }) => user_id))];
  await lockUsers(tx, [...owners, ...decisions.flatMap(({ user_id }) => user_id ?? [])]);
  const active = await listActive(tx, owners);
  const approvers = await listValidApprovers(tx, payouts, decisions);
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

/** Payouts that a signer has taken and not sent. */
const UNSENT = `select id, user_id, document_hash from payout
  where id = any(:ids::bigint[]) and status = 'signed' and signer = :signer order by id`;

type Unsent = Pick<PayoutRow, 'id' | 'user_id' | 'document_hash'>;

/** @returns those that are not frozen */
async function returnFrozen(
  tx: Transaction,
  deps: PayoutsDeps,
  unsent: readonly Unsent[],
): Promise<number[]> {
  const frozen = await listFrozen(tx, deps, unsent);
  const ofFrozen = unsent.filter(({ user_id }) => frozen.has(user_id));
  const returned = ofFrozen.map(({ id, document_hash }) => ({ id, details: { document_hash } }));
  const how = { reason: 'money_frozen', decidedBy: BY } as const;
  await returnToReview(tx, deps.clock, returned, how);
  return unsent.flatMap(({ id, user_id }) => (frozen.has(user_id) ? [] : [id]));
}

/**
 * Takes payouts back from the signer that is about to send them: those of disabled accounts, of
 * users whose money is frozen, and those whose approvers may no longer approve.
 * @returns whether it took any back: they are not the signer's own any more
 */
export async function takeBackUnfit(
  tx: Transaction,
  deps: PayoutsDeps,
  ids: readonly number[],
  signer: string,
): Promise<boolean> {
  if ((await queryNamed(tx, UNSENT, { ids, signer })).rowCount === 0) return false;
  await lockDecisions(tx);
  const { rows } = await queryNamed<Unsent>(tx, `${UNSENT} for update`, { ids, signer });
  await lockUsers(
    tx,
    rows.map(({ user_id }) => user_id),
  );
  const fit = await returnUnfit(tx, deps, await returnFrozen(tx, deps, rows));
  return fit.length < rows.length;
}
