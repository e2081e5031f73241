import type { BillFilter } from './bill-filter.ts';

const DAY_MS = 86_400_000;

/**
 * The reader's day of a bill as an interval, without what lies outside of the days of the filter,
 * which are in UTC.
 */
export function dayInterval(
  iso: string,
  { beginTime, endTime }: Pick<BillFilter, 'beginTime' | 'endTime'>,
): string {
  const at = new Date(iso);
  const startOf = (offset: number): number =>
    new Date(at.getFullYear(), at.getMonth(), at.getDate() + offset).getTime();
  const from = Math.max(startOf(0), beginTime === undefined ? 0 : Date.parse(beginTime));
  const before = endTime === undefined ? startOf(1) : Date.parse(endTime) + DAY_MS;
  return `${new Date(from).toISOString()}/${new Date(Math.min(startOf(1), before)).toISOString()}`;
}
