import { earnedOf } from './accrued.ts';
import type { EarningPoint } from './queries.ts';

/**
 * Earnings by day as CSV, exact: what was paid and what has accrued, and one column for each reward
 * type with both. Codes need no escaping.
 */
export function writeEarningsTable(points: readonly EarningPoint[]): string {
  const types = [
    ...new Set(points.flatMap((point) => point.by_reward_type.map((entry) => entry.reward_type))),
  ].toSorted();
  const rows = points.map((point) => [
    point.date,
    point.currency,
    point.amount,
    point.accrued ?? '0',
    ...types.map((type) => {
      const part = point.by_reward_type.find(({ reward_type }) => reward_type === type);
      return part ? earnedOf(part) : '0';
    }),
  ]);
  return [['date', 'currency', 'paid', 'accrued', ...types], ...rows]
    .map((row) => `${row.join(',')}\r\n`)
    .join('');
}
