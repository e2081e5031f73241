/**
 * Read models: the roll-ups that postings write, never the bills themselves. Amounts are minor
 * units as text.
 */
import { type Db, defineStatement, execute, type Statement } from '../db/index.ts';

export interface OverviewRow {
  readonly currency: string;
  readonly scale: number;
  readonly balance: string;
  readonly hold: string;
  readonly bonus_balance: string;
  readonly bonus_hold: string;
  /** Null: never earned in this currency. */
  readonly total: string | null;
  readonly today: string | null;
  readonly yesterday: string | null;
  /** The same in every row. */
  readonly devices: number;
  readonly traffic: string;
}

/**
 * One row per currency; every part is an index range of one user. Devices and traffic are counted
 * as the devices' own folder counts them: calling it would be two more round trips.
 */
const OVERVIEW = defineStatement(
  'dashboard_overview',
  `select c.code as currency, c.scale,
    coalesce(asset.credits - asset.debits - asset.held, 0)::text as balance,
    coalesce(asset.held, 0)::text as hold,
    coalesce(bonus.credits - bonus.debits - bonus.held, 0)::text as bonus_balance,
    coalesce(bonus.held, 0)::text as bonus_hold,
    (
      select sum(t.amount) from earning_total t
      where t.user_id = :user and t.currency_id = c.id
    )::text as total,
    recent.today::text as today, recent.yesterday::text as yesterday,
    (
      select count(*) from device v
      where v.user_id = :user and v.cut is distinct from 'deleted'
    ) as devices,
    (
      select coalesce(sum(g.bytes_up + g.bytes_down), 0)
      from device v join device_usage g on g.device_id = v.id where v.user_id = :user
    )::text as traffic
  from currency c
    left join account asset
      on asset.wallet_id = :user * 32::bigint + 1 and asset.currency_id = c.id
    left join account bonus
      on bonus.wallet_id = :user * 32::bigint + 2 and bonus.currency_id = c.id
    cross join lateral (
      select sum(d.amount) filter (where d.day = :today::date) as today,
        sum(d.amount) filter (where d.day < :today::date) as yesterday
      from earning_day d
      where d.user_id = :user and d.day in (:today::date - 1, :today::date)
        and d.currency_id = c.id
    ) recent
  order by c.code <> :reward_currency, c.code`,
);

/** Balances and earnings of one person, the reward currency first. */
export async function readOverview(
  db: Db,
  userId: number,
  today: string,
  rewardCurrency: string,
): Promise<OverviewRow[]> {
  const values = { user: userId, today, reward_currency: rewardCurrency };
  return (await execute<OverviewRow>(db, OVERVIEW, values)).rows;
}

const HAS_DEVICE = defineStatement(
  'dashboard_has_device',
  'select 1 from device where user_id = :user and node_id = :node',
);

/** Whether a device is one of this person's, deleted ones included. */
export async function hasDevice(db: Db, userId: number, nodeId: string): Promise<boolean> {
  const values = { user: userId, node: nodeId };
  return (await execute(db, HAS_DEVICE, values)).rows.length > 0;
}

export interface RewardRow {
  readonly reward_type: string;
  readonly currency: string;
  readonly scale: number;
  readonly amount: string;
}

const REWARDS = defineStatement(
  'dashboard_rewards',
  `select t.reward_type, c.code as currency, c.scale, sum(t.amount)::text as amount
  from earning_total t join currency c on c.id = t.currency_id
  where t.user_id = :user group by c.id, t.reward_type
  order by c.code <> :reward_currency, c.code, t.reward_type`,
);

/** Totals by currency and type, the reward currency first. */
export async function readRewards(
  db: Db,
  userId: number,
  rewardCurrency: string,
): Promise<RewardRow[]> {
  const values = { user: userId, reward_currency: rewardCurrency };
  return (await execute<RewardRow>(db, REWARDS, values)).rows;
}

export interface DayRow {
  readonly day: string;
  readonly currency_id: number;
  readonly amount: string;
  /** By reward type, in the order of the types. */
  readonly types: Readonly<Record<string, string>>;
}

export interface DayFilter {
  readonly begin: string;
  readonly end: string;
  readonly currency?: string | undefined;
  readonly rewardType?: string | undefined;
  readonly nodeId?: string | undefined;
}

const FILTERS = {
  currency: 'currency_id = (select id from currency where code = :currency)',
  rewardType: 'reward_type = :reward_type',
  nodeId: 'node_id = :node',
} as const;
type Filter = keyof typeof FILTERS;

/**
 * The primary key leads through a user's days in order, and rows of other devices, types or
 * currencies are skipped in the index. Each set of filters has its own statement: an optional
 * condition could not use the index. The driver takes as long for a row as PostgreSQL for the types
 * of a day, so that a day is one row. Days are not sorted: the caller looks each of them up.
 */
const defineDays = (filters: readonly Filter[]): Statement =>
  defineStatement(
    ['dashboard_days', ...filters].join('_'),
    `select day, currency_id, sum(amount)::text as amount,
      json_object_agg(reward_type, amount::text order by reward_type) as types
    from (
      select day, currency_id, reward_type, sum(amount) as amount from earning_day
      where user_id = :user and day >= :begin and day <= :end
        ${filters.map((filter) => `and ${FILTERS[filter]}`).join('\n        ')}
      group by day, currency_id, reward_type
    ) s group by day, currency_id`,
  );

const DAYS = new Map<string, Statement>();

function findDays(filters: readonly Filter[]): Statement {
  const key = filters.join();
  const known = DAYS.get(key);
  if (known) return known;
  const statement = defineDays(filters);
  DAYS.set(key, statement);
  return statement;
}

/** Earnings by day and currency, in no order. */
export async function readDays(db: Db, userId: number, filter: DayFilter): Promise<DayRow[]> {
  const { begin, end, currency, rewardType, nodeId } = filter;
  const filters = (['currency', 'rewardType', 'nodeId'] as const).filter(
    (name) => filter[name] !== undefined,
  );
  const values = { user: userId, begin, end, currency, reward_type: rewardType, node: nodeId };
  return (await execute<DayRow>(db, findDays(filters), values)).rows;
}

export interface EarnedCurrency {
  readonly id: number;
  readonly code: string;
  readonly scale: number;
  readonly isEarned: boolean;
}

const CURRENCIES = defineStatement(
  'dashboard_currencies',
  `select c.id, c.code, c.scale, exists (
      select from earning_total t where t.user_id = :user and t.currency_id = c.id
    ) as "isEarned"
  from currency c order by c.code <> :reward_currency, c.code`,
);

/** Every currency, the reward currency first, and whether a person ever earned in it. */
export async function readEarnedCurrencies(
  db: Db,
  userId: number,
  rewardCurrency: string,
): Promise<EarnedCurrency[]> {
  const values = { user: userId, reward_currency: rewardCurrency };
  return (await execute<EarnedCurrency>(db, CURRENCIES, values)).rows;
}
