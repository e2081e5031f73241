import { expect, test } from 'vitest';
import { writeEarningsTable } from './earnings-table.ts';

test('the table has a row per day and a column per type, with every digit', () => {
  const table = writeEarningsTable([
    {
      date: '2026-11-23',
      currency: 'EDGE',
      amount: '1.000000000000000001',
      by_reward_type: [{ reward_type: 'UPTIME', amount: '1.000000000000000001' }],
    },
    {
      date: '2026-11-24',
      currency: 'EDGE',
      amount: '-1',
      accrued: '0.5',
      by_reward_type: [
        { reward_type: 'PENALTY', amount: '-1' },
        { reward_type: 'UPTIME', amount: '0', accrued: '0.5' },
      ],
    },
  ]);
  expect(table.split('\r\n')).toEqual([
    'date,currency,paid,accrued,PENALTY,UPTIME',
    '2026-11-23,EDGE,1.000000000000000001,0,0,1.000000000000000001',
    '2026-11-24,EDGE,-1,0.5,-1,0.5',
    '',
  ]);
});
