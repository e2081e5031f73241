import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, OPERATOR, openMoneyServer } from '../../test/support/money-server.ts';
import { asOperator, asPerson } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { placeHold } from '../ledger/index.ts';

interface Page {
  readonly holds: readonly { readonly id: number }[];
  readonly next?: string;
}

describe.each(RUN_ENGINES)('GET /operator/holds on %s', (engine) => {
  let money: MoneyServer;
  const held: number[] = [];

  const send = (query = '', headers: Record<string, string> = OPERATOR) =>
    money.app.inject({ url: `/operator/holds${query}`, headers });
  const read = async (query = ''): Promise<Page> => (await send(query)).json<Page>();
  const idsOf = ({ holds }: Page): number[] => holds.map(({ id }) => id);

  beforeAll(async () => {
    money = await openMoneyServer(engine);
    const people = [money.user, await insertUser(money.database)];
    await money.post('/operator/transfers', {
      transfers: people.map((userId) => ({
        debit: { house: 'adjustment' },
        credit: { user_id: userId, wallet: 'asset' },
        ...{ currency: 'USDT', amount: '100', business_id: 'adjustment' },
      })),
    });
    for (let n = 0; n < 9; n++) {
      const order = { user_id: people[n % 2], currency: 'USDT', amount: '5' };
      held.push((await money.post('/operator/withdrawals', order)).json<{ id: number }>().id);
      // Some are of the same moment.
      if (n % 3 === 2) money.clock.advance(1000);
    }
  });
  afterAll(() => money.close());

  test('has what is held, oldest first, page after page', async () => {
    const sorted = held.toSorted((a, b) => a - b);
    const all = idsOf(await read());
    expect(all.toSorted((a, b) => a - b)).toEqual(sorted);
    expect(all.slice(0, 3).toSorted((a, b) => a - b)).toEqual(
      held.slice(0, 3).toSorted((a, b) => a - b),
    );
    const first = await read('?size=4');
    const second = await read(`?size=4&cursor=${first.next}`);
    const third = await read(`?size=4&cursor=${second.next}`);
    expect([first, second, third].flatMap(idsOf)).toEqual(all);
    expect(third).not.toHaveProperty('next');
    expect(first.holds[0]).toMatchObject({ user_id: money.user, amount: 5, status: 'held' });
  });

  test('has none that was ended, and none that is a fee', async () => {
    const [cancelled, settled, part] = held;
    await money.post(`/operator/withdrawals/${cancelled}/cancel`, {});
    await money.post(`/operator/withdrawals/${settled}/settle`, {});
    await money.post(`/operator/withdrawals/${part}/settle`, { amount: '2' });
    await placeHold(money.database, {
      ...{ idempotencyKey: 'fee', currency: 'USDT', amount: 5n, businessId: 'withdrawal_fee' },
      account: { userId: money.user, wallet: 'asset' },
    });
    const { holds } = await read('?size=100');
    expect(holds.map(({ id }) => id)).toEqual(expect.arrayContaining(held.slice(2)));
    expect(holds).toHaveLength(held.length - 2);
    expect(holds[0]).toMatchObject({ id: part, remaining: 3, settled: 2 });
  });

  test.each(['cursor=7', 'cursor=9999999999999999-1', 'cursor=1-', 'size=0', 'userId=1'])(
    'refuses %s',
    async (query) => {
      expect((await send(`?${query}`)).json()).toMatchObject({
        ...{ status: 400, code: 'invalid_parameter' },
      });
    },
  );

  test('is for those who decide about withdrawals, and those who only read', async () => {
    expect((await send('', asOperator('operator:read'))).statusCode).toBe(200);
    expect((await send('', asOperator('operator:ledger'))).statusCode).toBe(403);
    expect((await send('', asPerson(money.user, 'account:read'))).statusCode).toBe(403);
    expect((await send('', {})).statusCode).toBe(401);
  });
});
