import { expect, test } from 'vitest';
import { addAccrued, earnedToday } from './accrued.ts';
import type { OverviewOfDay } from './queries.ts';

const TODAY = '2026-11-29';
const schedule = { is_paying: true, period: 'day' as const };
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

test('the last day of a chart has it by type', () => {
  const day = (date: string, amount: string) => ({
    date,
    currency: 'EDGE',
    amount,
    by_reward_type: [{ reward_type: 'UPTIME', amount }],
  });
  const points = [day('2026-11-28', '3'), day(TODAY, '1')];
  const rewards = [
    { reward_type: 'UPTIME', currency: 'EDGE', amount: '4', accrued: '0.5' },
    { reward_type: 'TRAFFIC', currency: 'EDGE', amount: '0', accrued: '0.25' },
    { reward_type: 'BONUS', currency: 'EDGE', amount: '7' },
    { reward_type: 'UPTIME', currency: 'USDT', amount: '4', accrued: '9' },
  ];
  expect(addAccrued(points, rewards, { schedule: next, today: TODAY })).toEqual([
    points[0],
    {
      ...points[1],
      amount: '1.75',
      by_reward_type: [
        { reward_type: 'UPTIME', amount: '1.5' },
        { reward_type: 'TRAFFIC', amount: '0.25' },
      ],
    },
  ]);
  expect(addAccrued(points, rewards, { schedule: late, today: TODAY })).toBe(points);
});
