import { expect, test } from 'vitest';
import { listEarned } from './summarise-earnings.ts';

test('earnings in another currency are listed for each period that has some', () => {
  const overview = {
    network_rewards: '3',
    devices: 0,
    traffic_gb: '0',
    balances: [],
    today_earnings: [
      { currency: 'EDGE', amount: '1' },
      { currency: 'USDT', amount: '25.00' },
    ],
    yesterday_earnings: [
      { currency: 'EDGE', amount: '2' },
      { currency: 'USDT', amount: '0.00' },
    ],
    accrued: [],
    total_earnings: [
      { currency: 'EDGE', amount: '3' },
      { currency: 'USDT', amount: '25.00' },
    ],
  };
  const told = listEarned(overview, 'EDGE').map(
    ({ when, currency, amount }) => `${when} ${amount} ${currency}`,
  );
  expect(told).toEqual([
    'yesterday 2 EDGE',
    'total 3 EDGE',
    'today 25.00 USDT',
    'total 25.00 USDT',
  ]);
  expect(listEarned(undefined, 'EDGE').map(({ when }) => when)).toEqual(['yesterday', 'total']);
});
