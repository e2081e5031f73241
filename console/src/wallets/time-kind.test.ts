import { expect, test } from 'vitest';
import { type BillTimes, earnedDayOf, timeKindOf } from './time-kind.ts';

test('a reward is earned', () => {
  expect(timeKindOf({ reward_type: 'UPTIME' })).toBe('earned');
  expect(timeKindOf({ reward_type: 'REFERRAL' })).toBe('earned');
});

test('a deposit, a withdrawal or a fee happens', () => {
  expect(timeKindOf({})).toBe('happened');
});

const DAY: BillTimes = {
  reward_type: 'UPTIME',
  event_at: '2026-11-22T00:00:00.000Z',
  created_at: '2026-11-23T01:10:00.000Z',
};

test('a reward of a day is of that day in UTC, wherever its reader is', () => {
  expect(earnedDayOf(DAY)).toBe('2026-11-22');
  expect(earnedDayOf({ ...DAY, created_at: '2026-11-23T00:00:00.000Z' })).toBe('2026-11-22');
});

test.each<[string, Partial<BillTimes>]>([
  ['of the first hour of a day', { created_at: '2026-11-22T02:10:00.000Z' }],
  ['recorded before the day was over', { created_at: '2026-11-22T23:59:59.999Z' }],
  ['of another hour', { event_at: '2026-11-22T01:00:00.000Z' }],
  ['of an instant', { event_at: '2026-11-22T00:00:00.001Z' }],
])('a reward %s was earned at a time', (_, times) => {
  expect(earnedDayOf({ ...DAY, ...times })).toBeUndefined();
});

test('what is no reward happened at a time', () => {
  const { event_at, created_at } = DAY;
  expect(earnedDayOf({ event_at, created_at })).toBeUndefined();
});
