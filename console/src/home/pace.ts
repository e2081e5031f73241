/** How today compares with the days before it. */
import { decimalOf, fromUnits, toUnits } from '../lib/money-text.ts';

export interface Pace {
  /** What the day brings if it continues as it began. */
  readonly forecast: string;
  /** The average of the days before. */
  readonly average: string;
  /** The forecast beside the average, in whole percent; undefined without an average. */
  readonly change: number | undefined;
}

/** A forecast from less of a day is not reliable. */
const SHARE_MIN = 1 / 12;
const SHARE_SCALE = 1_000_000;

/**
 * @param before exact amounts of the whole days before today
 * @param share how much of today is over, from 0 to 1
 */
export function paceOf(today: string, before: readonly string[], share: number): Pace | undefined {
  if (share < SHARE_MIN || before.length === 0) return undefined;
  const forecast = (toUnits(today) * BigInt(SHARE_SCALE)) / BigInt(Math.ceil(share * SHARE_SCALE));
  const average = before.reduce((sum, amount) => sum + toUnits(amount), 0n) / BigInt(before.length);
  return {
    forecast: fromUnits(forecast),
    average: fromUnits(average),
    change:
      average <= 0n ? undefined : Number(decimalOf(((forecast - average) * 100n) / average, 0)),
  };
}

/** How much of the UTC day is over. */
export function shareOfDay(now: Date): number {
  const DAY_MS = 86_400_000;
  return (now.getTime() % DAY_MS) / DAY_MS;
}
