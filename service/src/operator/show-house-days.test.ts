import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, OPERATOR, openMoneyServer } from '../../test/support/money-server.ts';

const DAY_MS = 86_400_000;

describe.each(RUN_ENGINES)('GET /operator/statements/days on %s', (engine) => {
  let money: MoneyServer;
  beforeAll(async () => {
    money = await openMoneyServer(engine);
  });
  afterAll(() => money.close());

  const read = async (query: string) =>
    (
      await money.app.inject({
        url: `/operator/statements/days?currency=EDGE&${query}`,
        headers: { ...OPERATOR, prefer: 'amounts=string' },
      })
    ).json();
  const pay = (amount: string, fields = {}) =>
    money.post('/operator/rewards', money.reward({ amount, ...fields }));

  test('each day has its balances and its bills, the newest first', async () => {
    await pay('1.000000000000000001');
    await pay('2');
    money.clock.advance(2 * DAY_MS);
    await pay('0.5', { reward_type: 'PENALTY' });
    expect(await read('house=reward_pool&beginTime=2026-11-09')).toEqual({
      currency: 'EDGE',
      days: [
        ['2026-11-12', '-3.000000000000000001', '-2.500000000000000001', 1],
        ['2026-11-11', '-3.000000000000000001', '-3.000000000000000001', 0],
        ['2026-11-10', '0', '-3.000000000000000001', 2],
        ['2026-11-09', '0', '0', 0],
      ].map(([date, opening_balance, closing_balance, bills]) => ({
        date,
        opening_balance,
        closing_balance,
        bills,
      })),
    });
  });

  test('without days it is the last 31; more are refused', async () => {
    const { days } = await read('house=reward_pool');
    expect([days.length, days[0].date, days[30].date]).toEqual([31, '2026-11-12', '2026-10-13']);
    expect(await read('house=reward_pool&endTime=2026-11-10')).toMatchObject({
      days: { 0: { date: '2026-11-10', bills: 2 } },
    });
    expect(await read('house=reward_pool&beginTime=2026-10-12')).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ field: 'beginTime', code: 'range_too_long' }],
    });
    expect(await read('house=reward_pool&beginTime=2026-11-13')).toMatchObject({
      errors: [{ field: 'beginTime', code: 'begin_after_end' }],
    });
    expect(await read('house=bonus')).toMatchObject({
      errors: [{ field: 'house', code: 'unknown_wallet' }],
    });
  });
});
