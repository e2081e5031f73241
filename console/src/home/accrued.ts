/** What has accrued, as a part of what was earned today. The service keeps it apart from bills. */
import { fromUnits, toUnits } from '../lib/money-text.ts';
import type { EarningPoint, NetworkReward, OverviewOfDay, RewardSchedule } from './queries.ts';
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

function addPart(point: EarningPoint, type: string, accrued: string): EarningPoint {
  const parts = point.by_reward_type.filter(({ reward_type }) => reward_type !== type);
  const paid = point.by_reward_type.find(({ reward_type }) => reward_type === type)?.amount ?? '0';
  return {
    ...point,
    amount: add(point.amount, accrued),
    by_reward_type: [...parts, { reward_type: type, amount: add(paid, accrued) }],
  };
}

/** The days of a chart, with what has accrued in the last one. @param rewards by type */
export function addAccrued(
  points: readonly EarningPoint[],
  rewards: readonly NetworkReward[],
  { schedule, today }: { readonly schedule: RewardSchedule | undefined; readonly today: string },
): readonly EarningPoint[] {
  if (!isOfToday(schedule, today)) return points;
  return points.map((point) =>
    point.date !== today
      ? point
      : rewards
          .filter(({ currency }) => currency === point.currency)
          .reduce(
            (sum, { reward_type, accrued = '0' }) =>
              toUnits(accrued) === 0n ? sum : addPart(sum, reward_type, accrued),
            point,
          ),
  );
}
