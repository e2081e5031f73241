import type { EarningPoint } from './queries.ts';

/** Earnings by day as CSV, exact: one column per reward type. Codes need no escaping. */
export function writeEarningsTable(points: readonly EarningPoint[]): string {
  const types = [
    ...new Set(points.flatMap((point) => point.by_reward_type.map((entry) => entry.reward_type))),
  ].toSorted();
  const rows = points.map((point) => [
    point.date,
    point.currency,
    point.amount,
    ...types.map(
      (type) => point.by_reward_type.find(({ reward_type }) => reward_type === type)?.amount ?? '0',
    ),
  ]);
  return [['date', 'currency', 'amount', ...types], ...rows]
    .map((row) => `${row.join(',')}\r\n`)
    .join('');
}
