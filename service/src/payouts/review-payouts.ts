/** Decides what becomes of requested payouts: approved by the policy, or reviewed by operators. */
import { type Db, queryNamed, type Transaction, transaction } from '../db/index.ts';
import { changedFactorsLately, listActive, wasResetLately } from '../identity/index.ts';
import { isOverdrawn } from '../ledger/index.ts';
import { checkSanctions, type SanctionsAnswer } from './check-sanctions.ts';
import type { PayoutsDeps } from './context.ts';
import { lockDecisions, recordDecision } from './decisions.ts';
import { findPolicy, type Policy, type RuleAmounts, requirePolicy, toAmounts } from './policy.ts';
import { changeStatus, lockPayout, type PayoutRow, SELECT_PAYOUTS } from './queries.ts';

export const REVIEW_REASONS = [
  'above_automatic',
  'email_only',
  'negative_wallet',
  'new_address',
  'address_failed',
  'new_account',
  'recent_factors',
  'recent_reset',
  'owner_inactive',
  'approver_inactive',
  'money_frozen',
  'refused_by_signer',
  'released_to_queue',
  'sanctions',
  'shared_devices',
] as const;
/** Those that arise after the review. */
const LATER = [
  'approver_inactive',
  'money_frozen',
  'refused_by_signer',
  'released_to_queue',
] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

const PAYOUTS_MAX = 50;
const FIRST_PAUSE_MS = 5000;
const DOUBLINGS_MAX = 8;
const DAY_MS = 86_400_000;

async function isNewAddress(db: Db, { address_id }: PayoutRow): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from payout where address_id = $1 and status = 'confirmed' limit 1`,
    [address_id],
  );
  return rowCount === 0;
}

/**
 * Whether a transaction to the address reverted, and none after it arrived: of any user, and also
 * when the address was removed and added again.
 */
async function hasAddressFailed(db: Db, { network, address }: PayoutRow): Promise<boolean> {
  const { rows } = await queryNamed<{ has_failed: boolean }>(
    db,
    `select reason_code = 'reverted' as has_failed
     from payout_address target join payout on address_id = target.id
     where target.network = :network and address_key = lower(:address)
       and (status = 'confirmed' or reason_code = 'reverted')
     order by payout.id desc limit 1`,
    { network, address },
  );
  return rows[0]?.has_failed === true;
}

async function isNewAccount(db: Db, days: number, payout: PayoutRow): Promise<boolean> {
  const since = new Date(payout.requested_at.getTime() - days * DAY_MS);
  const { rowCount } = await queryNamed(
    db,
    'select from app_user where id = :user_id and created_at > :since',
    { user_id: payout.user_id, since },
  );
  return rowCount > 0;
}

/** The rule of the version that the payout was requested under. */
function ruleOf(policy: Policy, { currency, network, scale }: PayoutRow): RuleAmounts {
  const rule = policy.rules.find((r) => r.currency === currency && r.network === network);
  if (!rule) throw new Error(`the policy has no rule for ${currency} on ${network}`);
  return toAmounts(rule, scale);
}

/** Why an operator must look at a payout; empty: the policy approves it. */
async function findReasons(
  db: Db,
  deps: PayoutsDeps,
  { payout, policy, rule, sanctions }: Case,
): Promise<ReviewReason[]> {
  const { user_id: userId, amount, step_up } = payout;
  const found: Record<Exclude<ReviewReason, (typeof LATER)[number]>, boolean> = {
    above_automatic: BigInt(amount) > rule.automatic_max,
    email_only: step_up === 'email',
    negative_wallet: await isOverdrawn(db, userId),
    new_address: await isNewAddress(db, payout),
    address_failed: await hasAddressFailed(db, payout),
    new_account: await isNewAccount(db, policy.automatic_age_days, payout),
    recent_factors: await changedFactorsLately(db, deps.clock, userId),
    recent_reset: await wasResetLately(db, deps.clock, userId),
    owner_inactive: !(await listActive(db, [userId])).has(userId),
    sanctions: sanctions === 'unchecked' || sanctions?.is_allowed === false,
    shared_devices: await deps.sharesDevices(db, userId),
  };
  return (Object.keys(found) as (keyof typeof found)[]).filter((reason) => found[reason]);
}

/** `unchecked`: the policy of the request asked for a check, and that of now has none. */
type Sanctions = SanctionsAnswer | 'unchecked';

interface Case {
  readonly payout: PayoutRow;
  readonly policy: Policy & { readonly version: number };
  readonly rule: RuleAmounts;
  /** Undefined: no policy asks for a check. */
  readonly sanctions: Sanctions | undefined;
}

/** A new address needs an operator where the policy says so; all other reasons do. */
const isHarmless = ({ policy }: Case, reasons: readonly ReviewReason[]): boolean =>
  reasons.every((reason) => reason === 'new_address' && policy.reviews_new_address !== true);

async function decide(tx: Transaction, deps: PayoutsDeps, found: Case): Promise<void> {
  const { clock } = deps;
  const { payout, policy, rule, sanctions } = found;
  const reasons = await findReasons(tx, deps, found);
  const isAutomatic = isHarmless(found, reasons);
  const answer = sanctions === 'unchecked' ? undefined : sanctions;
  const needed = BigInt(payout.amount) > rule.four_eyes_above ? 2 : 1;
  await queryNamed(
    tx,
    `update payout set review_reasons = :reasons, approvals_needed = :needed,
       sanctions = :sanctions::text::jsonb where id = :id`,
    {
      ...{ id: payout.id, reasons, needed: isAutomatic ? 0 : needed },
      sanctions: answer ? JSON.stringify(answer) : null,
    },
  );
  if (!isAutomatic) {
    await changeStatus(tx, clock, [payout.id], { status: 'in_review', reason: 'needs_review' });
    return;
  }
  const change = { status: 'approved', reason: 'approved_by_policy' } as const;
  await changeStatus(tx, clock, [payout.id], change);
  await recordDecision(tx, clock, {
    payoutId: payout.id,
    decision: 'approved_by_policy',
    decidedBy: `policy:${policy.version}`,
    details: { document_hash: payout.document_hash, sanctions: answer ?? null },
  });
}

/** The check did not answer: asked again after a pause that grows. */
async function postpone(db: Db, { clock }: PayoutsDeps, payout: PayoutRow): Promise<void> {
  const pause_ms = FIRST_PAUSE_MS * 2 ** Math.min(payout.sanctions_tries, DOUBLINGS_MAX);
  await queryNamed(
    db,
    `update payout set sanctions_tries = sanctions_tries + 1, check_at = :check_at
     where id = :id and status = 'requested'`,
    { id: payout.id, check_at: new Date(clock.now().getTime() + pause_ms) },
  );
}

async function review(deps: PayoutsDeps, payout: PayoutRow): Promise<void> {
  const { database, outgoing } = deps;
  const policy = await requirePolicy(database, payout.policy_version);
  const rule = ruleOf(policy, payout);
  // The address of now: payouts that wait for an answer do not keep one that is wrong.
  const url = (await findPolicy(database))?.sanctions_url;
  let sanctions: Sanctions | undefined =
    policy.sanctions_url === undefined ? undefined : 'unchecked';
  try {
    // Not inside the transaction: another server answers.
    if (url !== undefined) {
      sanctions = await checkSanctions(outgoing, url, payout);
      if (sanctions === undefined) return await postpone(database, deps, payout);
    }
  } catch {
    return postpone(database, deps, payout);
  }
  await transaction(database, async (tx) => {
    await lockDecisions(tx);
    const now = await lockPayout(tx, payout.id);
    // Cancelled, stopped, or decided by another instance meanwhile.
    if (now.status !== 'requested' || (await isStopped(tx, now.currency))) return;
    await decide(tx, deps, { payout: now, policy, rule, sanctions });
  });
}

async function isStopped(db: Db, currency: string): Promise<boolean> {
  const { rowCount } = await db.query('select from payout_stop where currency = $1', [currency]);
  return rowCount > 0;
}

/** One run of the job: requested payouts that are due. @returns how many were looked at */
export async function reviewPayouts(deps: PayoutsDeps): Promise<number> {
  const { database, clock } = deps;
  const { rows } = await database.query<PayoutRow>(
    `${SELECT_PAYOUTS} where payout.status = 'requested' and check_at <= $1
       and not exists (select from payout_stop where payout_stop.currency = payout.currency)
     order by check_at, payout.id limit ${PAYOUTS_MAX}`,
    [clock.now()],
  );
  for (const payout of rows) await review(deps, payout);
  return rows.length;
}
