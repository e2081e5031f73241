import { expect, test } from 'vitest';
import { earnedOf, earnedToday, sumByCurrency } from './accrued.ts';
import type { OverviewOfDay } from './queries.ts';

const TODAY = '2026-11-29';
const schedule = {
  ...{ is_paying: true, has_uptime: true, has_traffic: false, has_referral: false },
  period: 'day' as const,
};
const next = { ...schedule, next_payment_at: '2026-11-30T00:10:00.000Z' };
/** The day before is not paid yet. */
const late = { ...schedule, next_payment_at: '2026-11-29T00:10:00.000Z' };
const edge = (amount: string) => [{ currency: 'EDGE', amount }];
const overview: OverviewOfDay = {
  today: TODAY,
  network_rewards: '0',
  devices: 1,
  traffic_gb: '0',
  balances: [],
  today_earnings: edge('1.5'),
  yesterday_earnings: edge('0'),
  total_earnings: edge('9'),
  accrued: edge('0.25'),
};

test('what has accrued is a part of today, once the day before is paid', () => {
  expect(earnedToday(overview, next, 'EDGE')).toBe('1.75');
  expect(earnedToday(overview, late, 'EDGE')).toBe('1.5');
  expect(earnedToday(overview, undefined, 'EDGE')).toBe('1.5');
  expect(earnedToday(overview, next, 'USDT')).toBe('0');
});

test('a day and its types have what they were paid and what has accrued', () => {
  const part = { reward_type: 'UPTIME', amount: '1', accrued: '0.5' };
  const day = { date: TODAY, currency: 'EDGE', amount: '1', by_reward_type: [part] };
  expect(earnedOf({ ...day, accrued: '0.5' })).toBe('1.5');
  expect(earnedOf(day)).toBe('1');
  expect(earnedOf(part)).toBe('1.5');
});

test('days add up by currency, with what has accrued', () => {
  const point = (currency: string, amount: string) => ({
    ...{ date: TODAY, currency, amount },
    by_reward_type: [],
  });
  const days = [point('EDGE', '1'), point('USDT', '2'), { ...point('EDGE', '3'), accrued: '0.5' }];
  expect(sumByCurrency(days)).toEqual([
    { currency: 'EDGE', amount: '4.5' },
    { currency: 'USDT', amount: '2' },
  ]);
});
