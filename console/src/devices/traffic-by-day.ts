/** The measured traffic of a device by UTC day, of its hours. */
import type { ChartDay } from '../components/day-chart/chart-bars.ts';
import { decimalOf } from '../lib/money-text.ts';
import type { UsageHour } from './queries.ts';

/** A GB is 10^9 bytes, as the service counts. */
const GB_SCALE = 9;

const BOTH = ['down', 'up'] as const;

/** Far apart for every eye; neither is that of what a device earns by being online. */
const COLORS: Readonly<Record<string, number>> = { down: 1, up: 2 };

/** The colour of a part, by its number in the style sheet. */
export const colorOfDirection = (direction: string): number => COLORS[direction] ?? 0;

/** One entry for each of `days`, those without traffic included. */
export function trafficByDay(hours: readonly UsageHour[], days: readonly string[]): ChartDay[] {
  return days.map((date) => {
    const sums = { down: 0n, up: 0n };
    for (const { hour, bytes_down, bytes_up } of hours) {
      if (!hour.startsWith(date)) continue;
      sums.down += BigInt(bytes_down);
      sums.up += BigInt(bytes_up);
    }
    return {
      date,
      amount: decimalOf(sums.down + sums.up, GB_SCALE),
      parts: BOTH.filter((name) => sums[name] > 0n).map((name) => ({
        name,
        amount: decimalOf(sums[name], GB_SCALE),
      })),
    };
  });
}
