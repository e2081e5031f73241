/** Read models: the roll-ups that postings write, never the bills themselves. Amounts are minor units as text. */
import type { Db } from '../db/index.ts';

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

// One row per currency; every part is an index range of this one person. Devices and traffic mean what the devices'
// own door means by them; asking it would be two more round trips on the most asked route there is.
const OVERVIEW = `select c.code as currency, c.scale,
    coalesce(asset.credits - asset.debits - asset.held, 0)::text as balance, coalesce(asset.held, 0)::text as hold,
    coalesce(bonus.credits - bonus.debits - bonus.held, 0)::text as bonus_balance, coalesce(bonus.held, 0)::text as bonus_hold,
    (select sum(t.amount) from earning_total t where t.user_id = $1 and t.currency_id = c.id)::text as total,
    recent.today::text as today, recent.yesterday::text as yesterday,
    (select count(*) from device v where v.user_id = $1 and v.cut is distinct from 'deleted') as devices,
    (select coalesce(sum(g.bytes_up + g.bytes_down), 0) from device v join device_usage g on g.device_id = v.id where v.user_id = $1)::text as traffic
  from currency c
    left join account asset on asset.wallet_id = $1 * 32::bigint + 1 and asset.currency_id = c.id
    left join account bonus on bonus.wallet_id = $1 * 32::bigint + 2 and bonus.currency_id = c.id
    cross join lateral (
      select sum(d.amount) filter (where d.day = $2::date) as today, sum(d.amount) filter (where d.day < $2::date) as yesterday
        from earning_day d where d.user_id = $1 and d.day in ($2::date - 1, $2::date) and d.currency_id = c.id
    ) recent
  order by c.code <> $3, c.code`;

/** Balances and earnings of one person, the reward currency first. */
export async function readOverview(
  db: Db,
  userId: number,
  today: string,
  rewardCurrency: string,
): Promise<OverviewRow[]> {
  return (
    await db.prepared<OverviewRow>('dashboard-overview', OVERVIEW, [userId, today, rewardCurrency])
  ).rows;
}

export interface RewardRow {
  readonly reward_type: string;
  readonly currency: string;
  readonly scale: number;
  readonly amount: string;
}

const REWARDS = `select t.reward_type, c.code as currency, c.scale, sum(t.amount)::text as amount
  from earning_total t join currency c on c.id = t.currency_id
  where t.user_id = $1 group by c.id, t.reward_type order by c.code <> $2, c.code, t.reward_type`;

/** Totals by currency and type, the reward currency first. */
export async function readRewards(
  db: Db,
  userId: number,
  rewardCurrency: string,
): Promise<RewardRow[]> {
  return (await db.prepared<RewardRow>('dashboard-rewards', REWARDS, [userId, rewardCurrency]))
    .rows;
}

export interface DayRow {
  readonly day: string;
  readonly currency: string;
  readonly reward_type: string;
  readonly amount: string;
}

export interface DayFilter {
  readonly begin: string;
  readonly end: string;
  readonly currency?: string | undefined;
  readonly rewardType?: string | undefined;
  readonly nodeId?: string | undefined;
}

/** The key of a day's rows leads through a person's days in order: nothing is sorted but the sums, and rows of other devices, types or currencies are passed over in the index. */
function daysQuery(conditions: readonly string[]): string {
  return `select s.day, c.code as currency, s.reward_type, s.amount::text as amount
    from (
      select day, currency_id, reward_type, sum(amount) as amount from earning_day
      where ${['user_id = $1', 'day >= $2', 'day <= $3', ...conditions].join(' and ')} group by day, currency_id, reward_type
    ) s join currency c on c.id = s.currency_id
    order by s.day, c.code, s.reward_type`;
}

/** Earnings by day, currency and type. */
export async function readDays(
  db: Db,
  userId: number,
  { begin, end, currency, rewardType, nodeId }: DayFilter,
): Promise<DayRow[]> {
  const filters: readonly (readonly [
    name: string,
    condition: (parameter: string) => string,
    value: string | undefined,
  ])[] = [
    [
      'currency',
      (parameter) => `currency_id = (select id from currency where code = ${parameter})`,
      currency,
    ],
    ['type', (parameter) => `reward_type = ${parameter}`, rewardType],
    ['node', (parameter) => `node_id = ${parameter}`, nodeId],
  ];
  // A statement for each set of filters: a condition that may be absent could not be looked up in an index.
  const given = filters.filter(([, , value]) => value !== undefined);
  const conditions = given.map(([, condition], index) => condition(`$${index + 4}`));
  const name = ['dashboard-days', ...given.map(([filter]) => filter)].join('-');
  return (
    await db.prepared<DayRow>(name, daysQuery(conditions), [
      userId,
      begin,
      end,
      ...given.map(([, , value]) => value),
    ])
  ).rows;
}

export interface EarnedCurrency {
  readonly code: string;
  readonly scale: number;
  readonly isEarned: boolean;
}

const CURRENCIES = `select c.code, c.scale, exists (select from earning_total t where t.user_id = $1 and t.currency_id = c.id) as "isEarned"
  from currency c order by c.code <> $2, c.code`;

/** Every currency, the reward currency first, and whether a person ever earned in it. */
export async function readEarnedCurrencies(
  db: Db,
  userId: number,
  rewardCurrency: string,
): Promise<EarnedCurrency[]> {
  return (
    await db.prepared<EarnedCurrency>('dashboard-currencies', CURRENCIES, [userId, rewardCurrency])
  ).rows;
}
