/** Earnings by day: every day of the range is there, whether it earned or not. */
import type { Db } from '../db/index.ts';
import { addDays, dayRange, daysBetween, listDays, toDay } from '../lib/calendar.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { type DayRow, hasDevice, readDays, readEarnedCurrencies } from './queries.ts';
import type { EarningPointVO, EarningsQuery } from './schemas.ts';
import type { AccruedReward } from './show-overview.ts';

const DEFAULT_DAYS = 30;
const DAYS_MAX = 366;
/** The earliest day that any calendar of ours can step back from. */
const FIRST_DAY = '0002-01-01';

/** What the rewards of a UTC day have computed and not paid. */
export interface AccruedOfDay extends AccruedReward {
  readonly day: string;
}

export interface EarningsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rewardCurrency: string;
  /** Refuses an unknown reward type. */
  checkRewardType(db: Db, userId: number, asked: string | undefined): Promise<void>;
  /** By UTC day and reward type; of one device, if it is named. */
  readAccruedDays(db: Db, userId: number, nodeId?: string): Promise<readonly AccruedOfDay[]>;
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

interface DayParts {
  readonly row: DayRow | undefined;
  readonly accrued: readonly AccruedReward[];
}

/** A type that has only accrued has the amount 0. */
function toTypes({ row, accrued }: DayParts, scale: number): EarningPointVO['by_reward_type'] {
  const paid = new Map(Object.entries(row?.types ?? {}));
  const waiting = new Map(accrued.map(({ rewardType, amount }) => [rewardType, amount]));
  return [...new Set([...paid.keys(), ...waiting.keys()])].sort().map((reward_type) => {
    const unpaid = waiting.get(reward_type);
    return {
      reward_type,
      amount: exactAmount(paid.get(reward_type) ?? 0n, scale),
      ...(unpaid !== undefined && { accrued: exactAmount(unpaid, scale) }),
    };
  });
}

function toPoint(date: string, { code, scale }: ShownCurrency, parts: DayParts): EarningPointVO {
  const { row, accrued } = parts;
  const unpaid = accrued.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  return {
    date,
    currency: code,
    amount: exactAmount(row?.amount ?? 0n, scale),
    ...(accrued.length > 0 && { accrued: exactAmount(unpaid, scale) }),
    by_reward_type: toTypes(parts, scale),
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
  const [currencies, rows, waiting] = await Promise.all([
    findCurrencies(deps, userId, query.currency),
    readDays(deps.db, userId, {
      begin,
      end,
      currency: query.currency,
      rewardType: query.rewardType,
      nodeId: query.nodeId,
    }),
    deps.readAccruedDays(deps.db, userId, query.nodeId),
  ]);
  const byPoint = new Map(rows.map((row) => [`${row.day} ${row.currency_id}`, row]));
  const byDay = Map.groupBy(
    waiting.filter(({ rewardType }) => (query.rewardType ?? rewardType) === rewardType),
    ({ day }) => day,
  );
  return listDays(begin, end).flatMap((day) =>
    currencies.map((currency) =>
      toPoint(day, currency, {
        row: byPoint.get(`${day} ${currency.id}`),
        accrued: currency.code === deps.rewardCurrency ? (byDay.get(day) ?? []) : [],
      }),
    ),
  );
}
