import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { asOperator, asPerson, createTestServer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { installLedger } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { registerPurchases } from './purchases.ts';

interface Page {
  readonly purchases: readonly { readonly id: number; readonly reference: string }[];
  readonly next?: string;
}

const OPERATOR = asOperator('operator:purchases');
const COUNT = 9;

describe.each(RUN_ENGINES)('GET /operator/purchases on %s', (engine) => {
  let database: Database;
  let app: HttpServer;
  let people: readonly [number, number];
  let keys = 0;

  const send = (query = '', headers: Record<string, string> = OPERATOR) =>
    app.inject({ url: `/operator/purchases${query}`, headers });
  const read = async (query = ''): Promise<Page> => (await send(query)).json<Page>();
  const ordersOf = ({ purchases }: Page): string[] => purchases.map(({ reference }) => reference);
  const post = (url: string, payload: object) =>
    app.inject({
      ...{ method: 'POST', url: `/operator/purchases${url}`, payload },
      headers: { ...OPERATOR, 'idempotency-key': `key-${++keys}` },
    });

  beforeAll(async () => {
    const clock = createManualClock('2026-03-10T12:00:00Z');
    database = await openTestDatabase(engine);
    installLedger(database, { clock, masterKey: testMasterKey });
    app = createTestServer();
    registerPurchases(app, {
      ...{ database, clock, rewardCurrency: 'EDGE' },
      rewardScale: async () => 18,
    });
    people = [await insertUser(database), await insertUser(database)];
    for (let n = 0; n < COUNT; n++) {
      const order = { user_id: people[n % 2], amount: '10', reference: `order ${n}` };
      expect((await post('', { ...order, external: true })).json()).toMatchObject({ amount: 10 });
    }
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  test('has all purchases, last first, page after page', async () => {
    const all = Array.from({ length: COUNT }, (_, n) => `order ${COUNT - 1 - n}`);
    expect(ordersOf(await read())).toEqual(all);
    const first = await read('?size=4');
    const second = await read(`?size=4&cursor=${first.next}`);
    const third = await read(`?size=4&cursor=${second.next}`);
    expect([first, second, third].flatMap(ordersOf)).toEqual(all);
    expect(third).not.toHaveProperty('next');
  });

  test('of a person it has those alone, with what was paid back', async () => {
    const ofOther = await read(`?user_id=${people[1]}`);
    expect(ordersOf(ofOther)).toEqual(['order 7', 'order 5', 'order 3', 'order 1']);
    const [newest] = ofOther.purchases;
    await post(`/${newest?.id}/refund`, { amount: '4' });
    const after = await read(`?size=1&user_id=${people[1]}`);
    expect(after.purchases).toMatchObject([
      { id: newest?.id, user_id: people[1], amount: 10, refunded: 4, status: 'partly_refunded' },
    ]);
    expect(await read('?user_id=987654321')).toEqual({ purchases: [] });
  });

  test.each(['cursor=x', 'cursor=0', 'cursor=-1', 'size=0', 'size=101', 'user_id=x', 'status=x'])(
    'refuses %s',
    async (query) => {
      expect((await send(`?${query}`)).json()).toMatchObject({
        ...{ status: 400, code: 'invalid_parameter' },
      });
    },
  );

  test('is for those who record purchases, and those who only read', async () => {
    expect((await send('', asOperator('operator:read'))).statusCode).toBe(200);
    expect((await send('', asOperator('operator:ledger'))).statusCode).toBe(403);
    expect((await send('', asPerson(people[0], 'community:read'))).statusCode).toBe(403);
    expect((await send('', {})).statusCode).toBe(401);
  });
});
