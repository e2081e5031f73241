/** The payout policy: versions that are written once; the newest applies. */
import { type Db, queryNamed, type Transaction, transaction } from '../db/index.ts';
import { findToken, requireNetwork, type Token } from '../deposits/index.ts';
import { type Currency, findCurrency } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { formatAmount, parseAmount } from '../lib/money.ts';
import { lockDecisions, recordDecision } from './decisions.ts';

/** Amounts of one currency on one network, as exact decimals. */
export interface PolicyRule {
  readonly currency: string;
  readonly network: string;
  /** What a payout costs its user. */
  readonly fee: string;
  /** The least that may leave the wallet, fee included. */
  readonly minimum: string;
  /** The most that one person, or all, may ask for in 24 hours, on all networks. */
  readonly person_day_max: string;
  readonly day_max: string;
  /** The same of a person without authenticator and passkey; 0: none. */
  readonly email_only_day_max: string;
  /** Approved without an operator up to this amount. */
  readonly automatic_max: string;
  /** Two operators approve above this amount. */
  readonly four_eyes_above: string;
}

export interface Policy {
  readonly rules: readonly PolicyRule[];
  /** Accounts that are younger are reviewed. */
  readonly automatic_age_days: number;
  /** The first payout to an address is reviewed; absent in versions before this member: no. */
  readonly reviews_new_address?: boolean;
  /** Must answer before a payout is approved; absent: no check. */
  readonly sanctions_url?: string;
}

export interface PolicyVersion extends Policy {
  readonly version: number;
  readonly created_by: string;
  readonly created_at: string;
}

interface PolicyRow {
  readonly version: number;
  readonly policy: Policy;
  readonly created_by: string;
  readonly created_at: Date;
}

const toVersion = ({ policy, created_at, ...row }: PolicyRow): PolicyVersion => ({
  ...policy,
  ...row,
  created_at: created_at.toISOString(),
});

const NEWEST = 'select * from payout_policy order by version desc limit 1';

/** The policy that applies now; undefined: nothing is paid out. */
export async function findPolicy(db: Db): Promise<PolicyVersion | undefined> {
  const row = (await db.prepared<PolicyRow>('payout_policy', NEWEST)).rows[0];
  return row && toVersion(row);
}

/** A version of the policy. @throws `not_found` */
export async function requirePolicy(db: Db, version: number): Promise<PolicyVersion> {
  const { rows } = await db.query<PolicyRow>('select * from payout_policy where version = $1', [
    version,
  ]);
  const [row] = rows;
  if (!row) throw failure('not_found', { detail: 'There is no policy with this version.' });
  return toVersion(row);
}

const AMOUNTS = [
  'fee',
  'minimum',
  'person_day_max',
  'day_max',
  'email_only_day_max',
  'automatic_max',
  'four_eyes_above',
] as const;

/** A rule's amounts in minor units. */
export type RuleAmounts = Readonly<Record<(typeof AMOUNTS)[number], bigint>>;

export function toAmounts(rule: PolicyRule, scale: number, field = 'rules'): RuleAmounts {
  const parse = (name: (typeof AMOUNTS)[number]): bigint => {
    const amount = parseAmount(rule[name], scale, `${field}.${name}`);
    if (amount < 0n) throw fieldError(`${field}.${name}`, 'negative', 'must not be negative');
    return amount;
  };
  return {
    fee: parse('fee'),
    minimum: parse('minimum'),
    person_day_max: parse('person_day_max'),
    day_max: parse('day_max'),
    email_only_day_max: parse('email_only_day_max'),
    automatic_max: parse('automatic_max'),
    four_eyes_above: parse('four_eyes_above'),
  };
}

/** The least amount of a currency that its token on a network can carry. */
export const tokenUnit = ({ scale }: Currency, { decimals }: Token): bigint =>
  10n ** BigInt(Math.max(0, scale - decimals));

/** The rule with amounts in their shortest form. @throws `invalid_parameter` */
async function checkRule(db: Db, rule: PolicyRule, field: string): Promise<PolicyRule> {
  const currency = await findCurrency(db, rule.currency);
  if (!currency) throw fieldError(`${field}.currency`, 'unknown_currency', 'is not known');
  await requireNetwork(db, rule.network, `${field}.network`);
  const token = await findToken(db, rule.network, rule.currency);
  if (!token) throw fieldError(`${field}.network`, 'no_token', 'does not carry this currency');
  const amounts = toAmounts(rule, currency.scale, field);
  // What arrives is the amount less the fee: with such a fee no usual amount could be paid.
  for (const name of ['fee', 'minimum'] as const)
    if (amounts[name] % tokenUnit(currency, token) !== 0n)
      throw fieldError(
        `${field}.${name}`,
        'too_many_decimals',
        `has more decimals than the ${token.decimals} of the token on this network`,
      );
  if (amounts.minimum <= amounts.fee)
    throw fieldError(`${field}.minimum`, 'too_small', 'must be above the fee');
  if (amounts.four_eyes_above < amounts.automatic_max)
    throw fieldError(`${field}.four_eyes_above`, 'too_small', 'must not be below automatic_max');
  const written = AMOUNTS.map((name) => [name, formatAmount(amounts[name], currency.scale)]);
  return { ...rule, ...(Object.fromEntries(written) as Record<(typeof AMOUNTS)[number], string>) };
}

async function writeVersion(
  tx: Transaction,
  clock: Clock,
  policy: Policy,
  by: string,
): Promise<PolicyVersion> {
  await lockDecisions(tx);
  const before = await findPolicy(tx);
  const version = (before?.version ?? 0) + 1;
  const created_at = clock.now();
  await queryNamed(
    tx,
    `insert into payout_policy (version, policy, created_by, created_at)
     values (:version, :policy::text::jsonb, :by, :created_at)`,
    { version, policy: JSON.stringify(policy), by, created_at },
  );
  await recordDecision(tx, clock, {
    decision: 'policy_changed',
    decidedBy: by,
    // Sealed with the log: a row of the table could be changed.
    details: { version, policy, ...(before && { before }) },
  });
  return { ...policy, version, created_by: by, created_at: created_at.toISOString() };
}

/** Writes the next version of the policy. @throws `invalid_parameter` */
export async function putPolicy(
  db: Db,
  clock: Clock,
  policy: Policy,
  by: string,
): Promise<PolicyVersion> {
  return transaction(db, async (tx) => {
    const rules: PolicyRule[] = [];
    for (const [at, rule] of policy.rules.entries()) {
      if (rules.some((r) => r.currency === rule.currency && r.network === rule.network))
        throw fieldError(`rules.${at}`, 'double', 'repeats a currency and network');
      rules.push(await checkRule(tx, rule, `rules.${at}`));
    }
    const { reviews_new_address = true } = policy;
    return writeVersion(tx, clock, { ...policy, reviews_new_address, rules }, by);
  });
}
