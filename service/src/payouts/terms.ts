/** Terms of payouts: the rule of a currency on a network, and what its limits leave. */
import { type Db, queryNamed } from '../db/index.ts';
import { findNetwork, findToken, type Network, type Token } from '../deposits/index.ts';
import { changedFactorsLately } from '../identity/index.ts';
import { type Currency, findCurrency } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure, fieldError } from '../lib/failures.ts';
import {
  findPolicy,
  type PolicyVersion,
  type RuleAmounts,
  requirePolicy,
  toAmounts,
  tokenUnit,
} from './policy.ts';

/** How long the fee of a quote holds after the next version of the policy. */
export const QUOTE_TTL_MS = 300_000;
const DAY_MS = 86_400_000;
/** The time that a row of `payout_total` is about. */
const TOTAL_MS = 600_000;

export interface Terms {
  /** The policy in force: limits and review are its own, whatever a quote showed. */
  readonly policy: PolicyVersion;
  readonly currency: Currency;
  readonly network: Network;
  readonly token: Token;
  /** Of the policy in force; the fee is that of the quote. */
  readonly rule: RuleAmounts;
}

export interface TermsOf {
  readonly currency: string;
  readonly network: string;
  /** Version of the quote, whose fee is taken; default: the newest. */
  readonly version?: number;
}

const ruleOf = (policy: PolicyVersion | undefined, code: string, networkCode: string) =>
  policy?.rules.find((r) => r.currency === code && r.network === networkCode);

/** The version that a quote showed, while its fee holds. @throws `quote_expired` */
async function findQuotedPolicy(
  db: Db,
  clock: Clock,
  newest: PolicyVersion,
  version: number,
): Promise<PolicyVersion> {
  if (version === newest.version) return newest;
  if (version > newest.version) throw failure('quote_expired');
  const next = await requirePolicy(db, version + 1);
  if (new Date(next.created_at).getTime() + QUOTE_TTL_MS < clock.now().getTime())
    throw failure('quote_expired');
  return requirePolicy(db, version);
}

/** @throws `payout_stopped` */
export async function checkNotStopped(db: Db, currency: string): Promise<void> {
  const { rowCount } = await db.query('select from payout_stop where currency = $1', [currency]);
  if (rowCount > 0) throw failure('payout_stopped');
}

/** @throws `invalid_parameter`, `payout_unavailable`, `payout_stopped`, `quote_expired` */
export async function requireTerms(
  db: Db,
  clock: Clock,
  { currency: code, network: networkCode, version }: TermsOf,
): Promise<Terms> {
  const currency = await findCurrency(db, code);
  if (!currency) throw fieldError('currency', 'unknown_currency', 'is not known');
  const [network, token, policy] = await Promise.all([
    findNetwork(db, networkCode),
    findToken(db, networkCode, code),
    findPolicy(db),
  ]);
  if (!network) throw fieldError('network', 'unknown_network', 'is not known');
  const rule = ruleOf(policy, code, networkCode);
  const isOpen = network.isEnabled && token?.isEnabled && token.distrustReason === undefined;
  if (!isOpen || !policy || !rule) throw failure('payout_unavailable');
  await checkNotStopped(db, code);
  const amounts = toAmounts(rule, currency.scale);
  if (version === undefined) return { policy, currency, network, token, rule: amounts };
  const quoted = ruleOf(await findQuotedPolicy(db, clock, policy, version), code, networkCode);
  if (!quoted) throw failure('quote_expired');
  const { fee } = toAmounts(quoted, currency.scale);
  // Something must arrive, also where the policy in force has a lower fee and minimum.
  const aboveFee = fee + tokenUnit(currency, token);
  const minimum = amounts.minimum > fee ? amounts.minimum : aboveFee;
  return { policy, currency, network, token, rule: { ...amounts, fee, minimum } };
}

/** @throws `invalid_parameter` for an amount that the token cannot carry exactly */
export function toTokenUnits(amount: bigint, { currency, token }: Terms): bigint {
  const more = token.decimals - currency.scale;
  if (more >= 0) return amount * 10n ** BigInt(more);
  const divisor = 10n ** BigInt(-more);
  if (amount % divisor !== 0n)
    throw fieldError(
      'amount',
      'too_many_decimals',
      `has more decimals than the ${token.decimals} of the token on this network`,
    );
  return amount / divisor;
}

/**
 * What a person asked for in the last 24 hours and that was not given back. A transaction that
 * reverted was given back, and cost the operator its fee: it counts.
 */
async function sumOfPerson(db: Db, since: Date, currency: string, userId: number): Promise<bigint> {
  const { rows } = await queryNamed<{ sum: string }>(
    db,
    `select coalesce(sum(amount), 0) as sum from payout
     where user_id = :user_id and currency = :currency and requested_at > :since
       and (status not in ('failed', 'cancelled', 'rejected') or reason_code = 'reverted')`,
    { user_id: userId, currency, since },
  );
  return BigInt(rows[0]?.sum ?? 0);
}

/**
 * The same of all persons, from at most 145 totals of ten minutes: those in which the 24 hours
 * begin count as a whole.
 */
async function sumOfAll(db: Db, since: Date, currency: string): Promise<bigint> {
  const { rows } = await queryNamed<{ sum: string }>(
    db,
    `select coalesce(sum(amount), 0) as sum from payout_total
     where currency = :currency and starts_at > :since`,
    { currency, since: new Date(since.getTime() - TOTAL_MS) },
  );
  return BigInt(rows[0]?.sum ?? 0);
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export interface Person {
  readonly userId: number;
  readonly stepUp: 'strong' | 'email';
}

/**
 * The most of a day. A factor that was added or removed lately may be that of someone who took over
 * the account: it allows as much as email alone.
 */
async function readOwnMax(
  db: Db,
  clock: Clock,
  { person_day_max, email_only_day_max }: RuleAmounts,
  { userId, stepUp }: Person,
): Promise<bigint> {
  const isWeak = stepUp === 'email' || (await changedFactorsLately(db, clock, userId));
  return isWeak ? least(email_only_day_max, person_day_max) : person_day_max;
}

/** What a person may still ask for now. */
export async function readAllowance(
  db: Db,
  clock: Clock,
  { currency, rule }: Terms,
  person: Person,
): Promise<bigint> {
  const since = new Date(clock.now().getTime() - DAY_MS);
  const own = await sumOfPerson(db, since, currency.code, person.userId);
  const all = await sumOfAll(db, since, currency.code);
  const ownMax = await readOwnMax(db, clock, rule, person);
  const left = least(ownMax - own, rule.day_max - all);
  return left > 0n ? left : 0n;
}
