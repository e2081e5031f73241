/**
 * What rules would have paid for past hours, compared with the rules of those hours. Nothing is
 * stored.
 */
import {
  type Database,
  defineStatement,
  executeUnprepared,
  queryNamed,
  type Statement,
  type Transaction,
  transaction,
} from '../db/index.ts';
import { fieldError } from '../lib/failures.ts';
import { DISABLE_NESTED_LOOPS } from './compute-hour.ts';
import { deviceParameters, deviceRewards } from './device-reward-query.ts';
import {
  dryRunShareParameters,
  findReferees,
  referralSums,
  type Side,
} from './dry-run-referrals.ts';
import { loadRules, scaleOfRewards, versionAt } from './manage-rules.ts';
import { HOUR_MS, isFullHour, type Rules } from './rules.ts';

const HOURS_MAX = 48;
/** Hours of devices in one dry run: about five minutes of the database, on a small machine. */
const DEVICE_HOURS_MAX = 2_000_000;

export interface DryRunSums {
  readonly rewardType: string;
  readonly active: bigint;
  readonly draft: bigint;
}

export interface DryRunUser {
  readonly userId: number;
  readonly active: bigint;
  readonly draft: bigint;
}

export interface DryRun {
  readonly byType: DryRunSums[];
  /** Users with the largest difference. */
  readonly users: DryRunUser[];
  readonly usersTotal: number;
}

/**
 * Sums stay in the database, in a table that ends with the transaction: a million users would be
 * too much for the process.
 */
const CREATE_SUMS = `create temporary table dry_run (
    user_id bigint, reward_type text, active numeric not null, draft numeric not null,
    primary key (user_id, reward_type)
  ) on commit drop`;

const defineAdd = (side: Side): Statement =>
  defineStatement(
    `rewards_dry_run_${side}`,
    `with recursive ${deviceRewards('network')},
  ${referralSums(side)}
  insert into dry_run as sums (user_id, reward_type, active, draft)
  select user_id, reward_type, ${side === 'active' ? 'sum(amount), 0' : '0, sum(amount)'}
  from (
    select user_id, reward_type, target as amount from device_reward
    union all
    select user_id, 'REFERRAL', amount from referral_reward
  ) reward
  group by user_id, reward_type having sum(amount) <> 0
  on conflict (user_id, reward_type) do update
    set active = sums.active + excluded.active, draft = sums.draft + excluded.draft`,
  );
const ADD_HOUR = { active: defineAdd('active'), draft: defineAdd('draft') };

function readHours(from: Date, before: Date): Date[] {
  if (!isFullHour(from)) throw fieldError('from', 'not_a_full_hour', 'must be a full hour');
  if (!isFullHour(before)) throw fieldError('before', 'not_a_full_hour', 'must be a full hour');
  const count = (before.getTime() - from.getTime()) / HOUR_MS;
  if (count < 1) throw fieldError('before', 'begin_after_end', 'must be after from');
  if (count > HOURS_MAX)
    throw fieldError('before', 'range_too_long', `makes more than ${HOURS_MAX} hours`);
  return Array.from({ length: count }, (_, n) => new Date(from.getTime() + n * HOUR_MS));
}

/** Usage of hours that are read from the archive is removed from the database. */
async function refuseArchived(tx: Transaction, from: Date): Promise<void> {
  const { rowCount } = await queryNamed(
    tx,
    'select from reward_batch where hour >= :from and moved_at is not null limit 1',
    { from },
  );
  if (rowCount > 0)
    throw fieldError('from', 'not_kept', 'begins before the hours whose usage is kept');
}

/** A request lasts for one hour of a large network, not for days of it. */
async function refuseTooMuch(tx: Transaction, from: Date, before: Date): Promise<void> {
  const { rows } = await queryNamed<{ n: number }>(
    tx,
    'select count(*) as n from device_hour where hour >= :from and hour < :before',
    { from, before },
  );
  const count = rows[0]?.n ?? 0;
  if (count > DEVICE_HOURS_MAX && before.getTime() - from.getTime() > HOUR_MS)
    throw fieldError(
      'before',
      'range_too_long',
      `makes ${count} hours of devices; at most ${DEVICE_HOURS_MAX}, or one hour of the network`,
    );
}

interface SumRow {
  readonly active: string;
  readonly draft: string;
}

function toSums({ active, draft }: SumRow): { active: bigint; draft: bigint } {
  return { active: BigInt(active), draft: BigInt(draft) };
}

const BY_TYPE = `select reward_type as "rewardType", sum(active)::text as active,
    sum(draft)::text as draft
  from dry_run group by 1 order by 1`;
const BY_USER = `select user_id as "userId", sum(active)::text as active, sum(draft)::text as draft,
    count(*) over () as total
  from dry_run group by user_id order by abs(sum(draft) - sum(active)) desc, user_id limit $1`;

async function readSums(tx: Transaction, limit: number): Promise<DryRun> {
  const types = await tx.query<SumRow & { rewardType: string }>(BY_TYPE);
  const users = await tx.query<SumRow & { userId: number; total: number }>(BY_USER, [limit]);
  return {
    byType: types.rows.map((row) => ({ rewardType: row.rewardType, ...toSums(row) })),
    users: users.rows.map((row) => ({ userId: row.userId, ...toSums(row) })),
    usersTotal: users.rows[0]?.total ?? 0,
  };
}

export interface DryRunQuery {
  readonly version: number;
  readonly from: Date;
  readonly before: Date;
  /** How many users are listed at most. */
  readonly limit: number;
}

/** Compares a version with those that applied in the hours. */
export async function dryRun(
  database: Database,
  rewardCurrency: string,
  { version, from, before, limit }: DryRunQuery,
): Promise<DryRun> {
  const hours = readHours(from, before);
  return transaction(database, async (tx) => {
    if (database.kind === 'server') await tx.query('set local statement_timeout = 0');
    await tx.query(DISABLE_NESTED_LOOPS);
    await refuseArchived(tx, from);
    await refuseTooMuch(tx, from, before);
    await tx.query(CREATE_SUMS);
    const scale = await scaleOfRewards(tx, rewardCurrency);
    const draft = await loadRules(tx, version, scale);
    await findReferees(tx, from, draft);
    const add = (side: Side, hour: Date, rules: Rules) =>
      executeUnprepared(tx, ADD_HOUR[side], {
        ...deviceParameters(hour, rules, null),
        ...dryRunShareParameters(rules),
      });
    for (const hour of hours) {
      await add('draft', hour, draft);
      const active = await versionAt(tx, hour);
      if (active !== undefined) await add('active', hour, await loadRules(tx, active, scale));
    }
    return readSums(tx, limit);
  });
}
