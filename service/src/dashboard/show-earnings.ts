/** Earnings by day: every day of the range is there, whether it earned or not. */
import type { Db } from '../db/index.ts';
import { addDays, dayRange, daysBetween, listDays, toDay } from '../lib/calendar.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { type DayRow, hasDevice, readDays, readEarnedCurrencies } from './queries.ts';
import type { EarningPointVO, EarningsQuery } from './schemas.ts';

const DEFAULT_DAYS = 30;
const DAYS_MAX = 366;
/** The earliest day that any calendar of ours can step back from. */
const FIRST_DAY = '0002-01-01';

export interface EarningsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rewardCurrency: string;
  /** Refuses an unknown reward type. */
  checkRewardType(db: Db, userId: number, asked: string | undefined): Promise<void>;
}

function readRange(
  { beginDate, endDate }: EarningsQuery,
  today: string,
): { begin: string; end: string } {
  const end = endDate ?? today;
  if (end < FIRST_DAY) throw fieldError('endDate', 'too_early', 'is too early');
  const begin = beginDate ?? addDays(end, 1 - DEFAULT_DAYS);
  dayRange(begin, end, 'beginDate');
  if (daysBetween(begin, end) > DAYS_MAX)
    throw fieldError('beginDate', 'range_too_long', `begins a range of more than ${DAYS_MAX} days`);
  return { begin, end };
}

interface ShownCurrency {
  readonly id: number;
  readonly code: string;
  readonly scale: number;
}

/**
 * The currencies that have points: the one asked for, or the reward currency and each other one
 * ever earned.
 */
async function findCurrencies(
  { db, rewardCurrency }: EarningsDeps,
  userId: number,
  asked: string | undefined,
): Promise<ShownCurrency[]> {
  const all = await readEarnedCurrencies(db, userId, rewardCurrency);
  if (asked === undefined)
    return all.filter(({ code, isEarned }) => isEarned || code === rewardCurrency);
  const known = all.filter(({ code }) => code === asked);
  if (known.length === 0)
    throw fieldError(
      'currency',
      'unknown',
      `is none of: ${all.map(({ code }) => code).join(', ')}`,
    );
  return known;
}

function toPoint(date: string, { code, scale }: ShownCurrency, row?: DayRow): EarningPointVO {
  return {
    date,
    currency: code,
    amount: exactAmount(row?.amount ?? 0n, scale),
    by_reward_type: Object.entries(row?.types ?? {}).map(([reward_type, amount]) => ({
      reward_type,
      amount: exactAmount(amount, scale),
    })),
  };
}

/** What one device earned; two days unless asked otherwise. @throws `not_found` */
export async function showDeviceEarnings(
  deps: EarningsDeps,
  { userId, nodeId }: { readonly userId: number; readonly nodeId: string },
  query: Pick<EarningsQuery, 'beginDate' | 'endDate'>,
): Promise<EarningPointVO[]> {
  if (!(await hasDevice(deps.db, userId, nodeId))) throw failure('not_found');
  const last = query.endDate ?? toDay(deps.clock.now());
  const begin = last < FIRST_DAY ? last : addDays(last, -1);
  return showEarnings(deps, userId, { beginDate: begin, ...query, nodeId });
}

export async function showEarnings(
  deps: EarningsDeps,
  userId: number,
  query: EarningsQuery,
): Promise<EarningPointVO[]> {
  const { begin, end } = readRange(query, toDay(deps.clock.now()));
  await deps.checkRewardType(deps.db, userId, query.rewardType);
  const [currencies, rows] = await Promise.all([
    findCurrencies(deps, userId, query.currency),
    readDays(deps.db, userId, {
      begin,
      end,
      currency: query.currency,
      rewardType: query.rewardType,
      nodeId: query.nodeId,
    }),
  ]);
  const byPoint = new Map(rows.map((row) => [`${row.day} ${row.currency_id}`, row]));
  return listDays(begin, end).flatMap((day) =>
    currencies.map((currency) => toPoint(day, currency, byPoint.get(`${day} ${currency.id}`))),
  );
}
