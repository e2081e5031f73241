/** How today compares with the days before it. */
import { decimalOf, fromUnits, toUnits } from '../lib/money-text.ts';
import type { RewardSchedule } from './queries.ts';

export interface Pace {
  /** What the day brings if it continues as it began. */
  readonly forecast: string;
  /** The average of the days before. */
  readonly average: string;
  /** The forecast beside the average, in whole percent; undefined without an average. */
  readonly change: number | undefined;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A forecast from less of a day is not reliable. */
const SETTLED_MIN_MS = 2 * HOUR_MS;

/**
 * @param before exact amounts of the whole days before today
 * @param settled_ms how much of today its earnings cover
 */
export function paceOf(
  today: string,
  before: readonly string[],
  settled_ms: number,
): Pace | undefined {
  if (settled_ms < SETTLED_MIN_MS || before.length === 0) return undefined;
  const forecast = (toUnits(today) * BigInt(DAY_MS)) / BigInt(settled_ms);
  const average = before.reduce((sum, amount) => sum + toUnits(amount), 0n) / BigInt(before.length);
  return {
    forecast: fromUnits(forecast),
    average: fromUnits(average),
    change:
      average <= 0n ? undefined : Number(decimalOf(((forecast - average) * 100n) / average, 0)),
  };
}

/**
 * How much of a UTC day its earnings cover. Hours are settled some time after their end: the clock
 * is ahead of them.
 * @param day `yyyy-MM-dd`
 * @returns 0 before the first hour of the day is settled, or while days before it are not paid:
 *   until then what has accrued is not counted as earned on this day
 */
export function settledOf(day: string, schedule: RewardSchedule | undefined, now: Date): number {
  if (schedule?.settled_until === undefined) return 0;
  const { period, next_payment_at, settled_until } = schedule;
  const isLate = next_payment_at === undefined || next_payment_at.slice(0, day.length) <= day;
  if (period === 'day' && isLate) return 0;
  const settled_ms = Math.min(now.getTime(), Date.parse(settled_until));
  return Math.max(0, settled_ms - Date.parse(`${day}T00:00:00Z`));
}
