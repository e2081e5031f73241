import { createEdgeClient } from '@edge-account/sdk';
import { expect, test } from 'vitest';
import { Earnings } from './earnings.ts';

/** Two days of a device. */
function days(yesterday: string, today: string, accrued?: string): readonly object[] {
  const day = { currency: 'EDGE', by_reward_type: [] };
  return [
    { ...day, date: '2026-11-27', amount: yesterday },
    { ...day, date: '2026-11-28', amount: today, ...(accrued !== undefined && { accrued }) },
  ];
}

function openEarnings(isPaying: boolean, points: readonly object[]): Earnings {
  const send = async (request: Request): Promise<Response> =>
    Response.json(
      request.url.endsWith('/me/rewards/schedule')
        ? { is_paying: isPaying, period: 'hour' }
        : points,
    );
  const client = createEdgeClient({ baseUrl: 'http://edge.test', fetch: send as typeof fetch });
  return new Earnings(client, 'node');
}

const ZERO = { currency: 'EDGE', today: '0', yesterday: '0' };
const SOME = { currency: 'EDGE', today: '1.5', yesterday: '2' };

test.each([
  ['zeros', true, days('0', '0'), { isPaying: true, earned: ZERO }],
  ['amounts', true, days('2', '1', '0.5'), { isPaying: true, earned: SOME }],
  ['no zeros where nothing is paid yet', false, days('0', '0'), { isPaying: false }],
  ['what was paid by hand', false, days('2', '1.5'), { isPaying: false, earned: SOME }],
  ['no amount without a currency', true, [], { isPaying: true }],
])('the popup learns %s', async (_, isPaying, points, known) => {
  const earnings = openEarnings(isPaying, points);
  expect(earnings.read()).toEqual({});
  await expect.poll(() => earnings.read()).toEqual(known);
});
