/** What has accrued, as a part of what was earned. The service keeps it apart from bills. */
import { fromUnits, sumAmounts, toUnits } from '../lib/money-text.ts';
import type { EarningPoint, OverviewOfDay, RewardSchedule } from './queries.ts';
import { amountOf } from './summarise-earnings.ts';

/** Whether all of it was earned today: what was earned before is paid. */
function isOfToday(schedule: RewardSchedule | undefined, today: string): boolean {
  const next = schedule?.next_payment_at;
  return next !== undefined && next.slice(0, today.length) > today;
}

const add = (one: string, other: string): string => fromUnits(toUnits(one) + toUnits(other));

/** Paid, and to be paid with the day. */
export function earnedToday(
  { today, today_earnings, accrued }: OverviewOfDay,
  schedule: RewardSchedule | undefined,
  currency: string,
): string {
  const paid = amountOf(today_earnings, currency);
  return isOfToday(schedule, today) ? add(paid, amountOf(accrued, currency)) : paid;
}

type Part = EarningPoint['by_reward_type'][number];

/** Of a day or one of its reward types. */
export function earnedOf({ amount, accrued }: EarningPoint | Part): string {
  return accrued === undefined ? amount : add(amount, accrued);
}

/** What days add up to, by currency. */
export function sumByCurrency(
  points: readonly EarningPoint[],
): readonly { readonly currency: string; readonly amount: string }[] {
  const currencies = [...new Set(points.map(({ currency }) => currency))];
  return currencies.map((currency) => ({
    currency,
    amount: sumAmounts(points.filter((point) => point.currency === currency).map(earnedOf)),
  }));
}
