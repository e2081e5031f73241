import { expect, test } from 'vitest';
import { devicePay } from './device-pay.ts';
import type { RewardSchedule } from './queries.ts';

const NOTHING = { has_uptime: false, has_traffic: false, has_referral: false };
const paying = (kinds: Partial<RewardSchedule>): RewardSchedule => ({
  ...{ is_paying: true, ...NOTHING, period: 'hour' },
  ...kinds,
});

test.each([
  ['notPaying', { ...paying({}), is_paying: false }],
  ['uptime', paying({ has_uptime: true, has_traffic: true })],
  ['traffic', paying({ has_traffic: true })],
  ['nothing', paying({})],
  ['nothing', undefined],
])('the texts promise %s', (pay, schedule) => {
  expect(devicePay(schedule)).toBe(pay);
});
