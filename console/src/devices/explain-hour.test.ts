import { expect, test } from 'vitest';
import { explainAbsence, listPaid, listReasons, listRefused } from './explain-hour.ts';
import type { RefusedReport, RewardLine } from './queries.ts';

const CREATED = '2026-11-27T20:30:00.000Z';
const SCHEDULE = {
  ...{ is_paying: true, has_uptime: true, has_traffic: true },
  settled_until: '2026-11-28T10:00:00.000Z',
};
const BY_TRAFFIC = { ...SCHEDULE, has_uptime: false };
const hour = (iso: string, online_seconds?: number, isCounted = true, bytes_up = 0) => ({
  iso,
  isCounted,
  usage:
    online_seconds === undefined
      ? undefined
      : { hour: iso, online_seconds, bytes_up, bytes_down: 0, traffic_gb: '0' },
});

test.each([
  [hour('2026-11-27T19:00:00.000Z', undefined, false), SCHEDULE, 'before'],
  [hour('2026-11-27T20:00:00.000Z', undefined, false), SCHEDULE, 'running'],
  [hour('2026-11-28T12:00:00.000Z', 60, false), SCHEDULE, 'running'],
  [hour('2026-11-28T09:00:00.000Z', 3600), { ...SCHEDULE, is_paying: false }, 'notPaying'],
  [hour('2026-11-28T10:00:00.000Z', 3600), SCHEDULE, 'unsettled'],
  [hour('2026-11-28T09:00:00.000Z', 3600), { ...SCHEDULE, settled_until: undefined }, 'unsettled'],
  [hour('2026-11-28T09:00:00.000Z'), SCHEDULE, 'offline'],
  [hour('2026-11-28T09:00:00.000Z', 0), SCHEDULE, 'offline'],
  [hour('2026-11-28T09:00:00.000Z', 60), SCHEDULE, 'nothing'],
  [hour('2026-11-28T09:00:00.000Z', 60), BY_TRAFFIC, 'noTraffic'],
  [hour('2026-11-28T09:00:00.000Z', 60, true, 5), BY_TRAFFIC, 'nothing'],
  [hour('2026-11-28T09:00:00.000Z'), BY_TRAFFIC, 'offline'],
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

test('a refused report is named in each hour that it is about', () => {
  const report = (from?: string, to?: string): RefusedReport => ({
    ...{ report_id: `${from} ${to}`, code: 'report_refused', reason: 'It covers no time.' },
    ...{ received_at: '2026-11-28T11:00:00.000Z', ...(from && { from }), ...(to && { to }) },
  });
  const at = (time: string): string => `2026-11-28T${time}:00.000Z`;
  const [inside, before, after] = [
    report(at('09:10'), at('09:20')),
    report(at('08:10'), at('09:00')),
    report(at('10:00'), at('10:10')),
  ];
  const across = report(at('08:50'), at('10:10'));
  const noTime = report(at('09:30'), at('09:30'));
  const backwards = report(at('09:30'), at('08:30'));
  const all = [inside, before, after, across, noTime, backwards, report()];
  expect(listRefused(all, hour(at('09:00')))).toEqual([inside, across, noTime, backwards]);
});
