import { expect, test } from 'vitest';
import { explainAbsence, listPaid, listReasons } from './explain-hour.ts';
import type { RewardLine } from './queries.ts';

const CREATED = '2026-11-27T20:30:00.000Z';
const SCHEDULE = { is_paying: true, settled_until: '2026-11-28T10:00:00.000Z' };
const hour = (iso: string, online_seconds?: number, isCounted = true) => ({
  iso,
  isCounted,
  usage:
    online_seconds === undefined
      ? undefined
      : { hour: iso, online_seconds, bytes_up: 0, bytes_down: 0, traffic_gb: '0' },
});

test.each([
  [hour('2026-11-27T19:00:00.000Z', undefined, false), SCHEDULE, 'before'],
  [hour('2026-11-27T20:00:00.000Z', undefined, false), SCHEDULE, 'running'],
  [hour('2026-11-28T12:00:00.000Z', 60, false), SCHEDULE, 'running'],
  [hour('2026-11-28T09:00:00.000Z', 3600), { is_paying: false }, 'notPaying'],
  [hour('2026-11-28T10:00:00.000Z', 3600), SCHEDULE, 'unsettled'],
  [hour('2026-11-28T09:00:00.000Z', 3600), { is_paying: true }, 'unsettled'],
  [hour('2026-11-28T09:00:00.000Z'), SCHEDULE, 'offline'],
  [hour('2026-11-28T09:00:00.000Z', 0), SCHEDULE, 'offline'],
  [hour('2026-11-28T09:00:00.000Z', 60), SCHEDULE, 'nothing'],
] as const)('hour %# without a line', (of, schedule, outcome) => {
  expect(explainAbsence(of, schedule, CREATED)).toBe(outcome);
});

const line = (fields: Partial<RewardLine>): RewardLine => ({
  ...{ hour: '2026-11-28T09:00:00.000Z', reward_type: 'UPTIME', status: 'paid', quantity: '1' },
  ...{ currency: 'EDGE', amount: '1.5', is_correction: false, rule_version: 1 },
  ...fields,
});

test('lines of other hours and without an amount are not paid; limits may be beside one', () => {
  const lines = [
    line({}),
    line({ hour: '2026-11-28T08:00:00.000Z' }),
    line({ reward_type: 'TRAFFIC', reason: 'limit_gb_per_device' }),
    line({ reward_type: 'BONUS', amount: '0', reason: 'no_rate' }),
    line({ reward_type: 'PENALTY', amount: '-2', reason: 'account_closed' }),
  ];
  const at = hour('2026-11-28T09:00:00.000Z', 60);
  expect(listPaid(lines, at).map(({ amount }) => amount)).toEqual(['1.5', '1.5', '-2']);
  expect(listReasons(lines, at)).toEqual([
    { type: 'TRAFFIC', code: 'limit_gb_per_device', known: 'limit_gb_per_device' },
    { type: 'BONUS', code: 'no_rate', known: 'no_rate' },
    { type: 'PENALTY', code: 'account_closed', known: undefined },
  ]);
});
