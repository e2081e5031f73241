import type { Bill } from './queries.ts';

/** Rewards are earned at a time; deposits, withdrawals and fees happen. */
export function timeKindOf({ reward_type }: Pick<Bill, 'reward_type'>): 'earned' | 'happened' {
  return reward_type === undefined ? 'happened' : 'earned';
}

export type BillTimes = Pick<Bill, 'reward_type' | 'event_at' | 'created_at'>;

const DAY_MS = 86_400_000;
const MIDNIGHT = /T00:00:00\.000Z$/;

/**
 * The UTC day that a reward is of, `yyyy-MM-dd`; undefined: it was earned at a time. The reward of
 * a day is dated by its first instant, and recorded once the day is over. That of the first hour of
 * a day has the same date, but is recorded within the day; when it is corrected later, the day is
 * right for it too.
 */
export function earnedDayOf({ reward_type, event_at, created_at }: BillTimes): string | undefined {
  const isOver = Date.parse(created_at) - Date.parse(event_at) >= DAY_MS;
  return reward_type !== undefined && isOver && MIDNIGHT.test(event_at)
    ? event_at.slice(0, 10)
    : undefined;
}
