/** Subtotals of intervals are what the bills in them add up to. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addUpBills, askExactly, BUSY_FROM, fillWallet } from '../../test/support/busy-wallet.ts';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, openMoneyServer } from '../../test/support/money-server.ts';
import { formatAmount } from '../lib/money.ts';
import { type BillRecord, INTERVALS_MAX } from './schemas.ts';

/** From the first bill. */
function intervalOf(fromHours: number, hours: number): string {
  const at = (count: number): string =>
    new Date(BUSY_FROM.getTime() + count * 3_600_000).toISOString();
  return `${at(fromHours)}/${at(fromHours + hours)}`;
}

function expectedOf(bills: readonly BillRecord[], interval: string): object {
  const [from = '', before = ''] = interval.split('/');
  const inside = bills.filter(({ created_at }) => created_at >= from && created_at < before);
  const subtotals = addUpBills(inside).map((sum) => ({
    currency: sum.currency,
    amount: formatAmount(sum.incoming - sum.outgoing, sum.scale),
    bills: sum.bills,
  }));
  return { from, before, subtotals };
}

describe.each(RUN_ENGINES)('subtotals on %s', (engine) => {
  let money: MoneyServer;
  let bills: BillRecord[];
  const ask = (intervals: string, wallet = 'account') =>
    askExactly(money, `/${wallet}/bills/subtotals?intervals=${intervals}`);
  beforeAll(async () => {
    money = await openMoneyServer(engine);
    await fillWallet(money);
    bills = (await askExactly(money, '/account/bills/export')).json();
  });
  afterAll(() => money.close());

  test('intervals of any length, place and order have the sums of their bills', async () => {
    const intervals = [
      ...Array.from({ length: 9 }, (_, day) => intervalOf(day * 24, 24)),
      intervalOf(30, 1),
      intervalOf(29.5, 0.5),
      intervalOf(-100, 100),
      intervalOf(-100, 1000),
      intervalOf(150, 300),
      intervalOf(5, 80),
      intervalOf(400, 10),
    ];
    expect((await ask(intervals.join(','))).json()).toEqual(
      intervals.map((interval) => expectedOf(bills, interval)),
    );
  });

  test('a wallet without bills has none', async () => {
    const interval = intervalOf(0, 24);
    const [from, before] = interval.split('/');
    expect((await ask(interval, 'bonus-account')).json()).toEqual([
      { from, before, subtotals: [] },
    ]);
  });

  test.each([
    ['too_many', Array.from({ length: INTERVALS_MAX + 1 }, (_, n) => intervalOf(n, 1)).join()],
    ['begin_after_end', intervalOf(1, 0)],
    ['begin_after_end', intervalOf(2, -1)],
    ['malformed', '2026-11-01/2026-11-02'],
    ['malformed', '2026-13-01T00:00:00.000Z/2026-11-02T00:00:00.000Z'],
    ['malformed', `${intervalOf(0, 1)}/${intervalOf(0, 1)}`],
    ['malformed', `${intervalOf(0, 1)},`],
  ])('%s is refused', async (code, intervals) => {
    expect((await ask(intervals)).json()).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      errors: [{ field: 'intervals', code }],
    });
  });
});
