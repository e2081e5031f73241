/** Versions of rules: drafted, listed, activated from an hour that has not begun. */
import { type Db, queryNamed, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import { findCurrency } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { HOUR_MS, hashRules, isFullHour, type Rules, readRules, refuseHugeRates } from './rules.ts';
import type { RulesBody } from './rules-schema.ts';

export interface RulesDeps {
  readonly clock: Clock;
  readonly rewardCurrency: string;
}

export interface RulesVersion {
  readonly version: number;
  readonly body: string;
  readonly bodyHash: string;
  readonly isDraft: boolean;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Hours from which it applies or applied. */
  readonly activeFrom: Date[];
}

const SELECT_RULES = `select r.version, r.body, r.body_hash as "bodyHash", r.is_draft as "isDraft",
    r.created_by as "createdBy", r.created_at as "createdAt",
    array(
      select a.hour from reward_activation a where a.version = r.version order by a.hour
    ) as "activeFrom"
  from reward_rules r`;

export async function scaleOfRewards(db: Db, rewardCurrency: string): Promise<number> {
  const currency = await findCurrency(db, rewardCurrency);
  if (!currency) throw new Error(`the reward currency ${rewardCurrency} does not exist`);
  return currency.scale;
}

export async function listRules(db: Db): Promise<RulesVersion[]> {
  return (await db.query<RulesVersion>(`${SELECT_RULES} order by r.version desc limit 200`)).rows;
}

/** @throws `not_found` */
export async function findRules(db: Db, version: number): Promise<RulesVersion> {
  const { rows } = await db.query<RulesVersion>(`${SELECT_RULES} where r.version = $1`, [version]);
  if (!rows[0]) throw failure('not_found');
  return rows[0];
}

/** The rules of a version, in minor units. */
export async function loadRules(db: Db, version: number, scale: number): Promise<Rules> {
  return readRules(JSON.parse((await findRules(db, version)).body) as RulesBody, scale);
}

/** Text of rules that may be stored. @throws `invalid_parameter` naming the field */
async function toBody(db: Db, rewardCurrency: string, rules: RulesBody): Promise<string> {
  const scale = await scaleOfRewards(db, rewardCurrency);
  refuseHugeRates(readRules(rules, scale), scale);
  return JSON.stringify(rules);
}

/** Stores a draft. */
export async function draftRules(
  db: Db,
  { clock, rewardCurrency }: RulesDeps,
  rules: RulesBody,
  by: string,
): Promise<RulesVersion> {
  const body = await toBody(db, rewardCurrency, rules);
  return transaction(db, async (tx) => {
    const { rows } = await queryNamed<{ version: number }>(
      tx,
      `insert into reward_rules (body, body_hash, created_by, created_at)
        values (:body, :body_hash, :created_by, :now) returning version`,
      { body, body_hash: hashRules(body), created_by: by, now: clock.now() },
    );
    return findRules(tx, rows[0]?.version ?? 0);
  });
}

/** Replaces a draft. @throws `not_found`, `rules_not_draft` */
export async function replaceDraft(
  db: Db,
  { rewardCurrency }: RulesDeps,
  version: number,
  rules: RulesBody,
): Promise<RulesVersion> {
  const body = await toBody(db, rewardCurrency, rules);
  return transaction(db, async (tx) => {
    const { rowCount } = await queryNamed(
      tx,
      `update reward_rules set body = :body, body_hash = :body_hash
        where version = :version and is_draft`,
      { version, body, body_hash: hashRules(body) },
    );
    const current = await findRules(tx, version);
    if (rowCount === 0) throw failure('rules_not_draft');
    return current;
  });
}

/** The hour after the current one. */
export function nextHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS + HOUR_MS);
}

export interface Activation {
  readonly version: number;
  /** The first hour. */
  readonly from: Date;
  /** The operator. */
  readonly by: string;
}

/**
 * Lets a version apply from an hour on. Hours that have begun keep their version, so that a change
 * within an hour takes effect with the next one.
 */
export async function activateRules(
  db: Db,
  { clock, rewardCurrency }: RulesDeps,
  { version, from, by }: Activation,
): Promise<RulesVersion> {
  if (!isFullHour(from)) throw fieldError('from', 'not_a_full_hour', 'must be a full hour');
  if (from < nextHour(clock.now()))
    throw fieldError('from', 'has_begun', 'must be an hour that has not begun');
  return transaction(db, async (tx) => {
    const scale = await scaleOfRewards(tx, rewardCurrency);
    // Drafts that are older than the limit may exceed it.
    refuseHugeRates(await loadRules(tx, version, scale), scale);
    await tx.query('update reward_rules set is_draft = false where version = $1', [version]);
    await queryNamed(
      tx,
      `insert into reward_activation (hour, version, activated_by, activated_at)
        values (:from, :version, :activated_by, :now)
        on conflict (hour) do update set version = excluded.version,
          activated_by = excluded.activated_by, activated_at = excluded.activated_at`,
      { from, version, activated_by: by, now: clock.now() },
    );
    await recordEvent(tx, clock, {
      type: 'rules.activated',
      data: { version, from: from.toISOString() },
    });
    return findRules(tx, version);
  });
}

/** The version that applies in an hour; undefined before the first one. */
export async function versionAt(db: Db, hour: Date): Promise<number | undefined> {
  const { rows } = await db.query<{ version: number }>(
    'select version from reward_activation where hour <= $1 order by hour desc limit 1',
    [hour],
  );
  return rows[0]?.version;
}
