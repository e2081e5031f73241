import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { asOperator, asPerson, createTestServer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { joinCommunity, registerCommunity, rollUp, verifyCommunity } from '../community/index.ts';
import { type Database, savepoint, transaction } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { findUser } from '../identity/index.ts';
import { installLedger, postTransfers, readBalances } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { registerPurchases } from './purchases.ts';
import { registerReversals } from './reversals.ts';
import { verifySales } from './verify-sales.ts';

const clock = createManualClock('2026-03-10T12:00:00Z');
const UNIT = 10n ** 18n;
const WAITING =
  "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

describe.each(RUN_ENGINES)('purchases on %s', (engine) => {
  let database: Database;
  let app: HttpServer;
  let referrer: number;
  let buyer: number;
  let keys = 0;

  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    installLedger(database, { clock, masterKey: testMasterKey });
    app = createTestServer();
    registerPurchases(app, {
      database,
      clock,
      rewardCurrency: 'EDGE',
      rewardScale: async () => 18,
    });
    registerReversals(app, { database });
    registerCommunity(app, { database, clock, exportCap: 100, rewardScale: async () => 18 });
    referrer = await join();
    buyer = await join(referrer);
    await postTransfers(database, [
      {
        idempotencyKey: 'funds',
        debit: { house: 'adjustment' },
        credit: { userId: buyer, wallet: 'asset' },
        currency: 'EDGE',
        amount: 100n * UNIT,
        businessId: 'adjustment',
        eventAt: clock.now(),
      },
    ]);
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  async function join(referrerId?: number): Promise<number> {
    return transaction(database, async (tx) => {
      const user = await findUser(
        tx,
        await insertUser(tx, {
          createdAt: clock.now(),
          ...(referrerId !== undefined && { referrerId }),
        }),
      );
      if (!user) throw new Error('no user');
      await joinCommunity(tx, user);
      return user.userId;
    });
  }

  const post = (url: string, payload: object, key = `key-${engine}-${++keys}`) =>
    app.inject({
      method: 'POST',
      url: `/operator/purchases${url}`,
      headers: { ...asOperator('operator:purchases'), 'idempotency-key': key },
      payload,
    });
  const balance = async () =>
    (await readBalances(database, buyer, 'asset')).find((account) => account.currency === 'EDGE')
      ?.balance;
  const member = async () => {
    await rollUp(database);
    const answer = await app.inject({
      url: '/community/members?current=1&size=20',
      headers: asPerson(referrer, 'community:read'),
    });
    return answer.json().records[0];
  };

  test('a purchase debits the wallet and counts; refunds take it back', async () => {
    const made = await post('', { user_id: buyer, amount: '10.5', reference: 'order 1' });
    expect(made.json()).toMatchObject({
      user_id: buyer,
      currency: 'EDGE',
      amount: 10.5,
      refunded: 0,
      status: 'confirmed',
      external: false,
    });
    expect(await balance()).toBe(895n * 10n ** 17n);
    expect(await member()).toMatchObject({ package_amount: 10.5, team_performance: 0 });
    const { id } = made.json();
    expect((await post(`/${id}/refund`, { amount: 0.5, reference: 'half' })).json()).toMatchObject({
      refunded: 0.5,
      status: 'partly_refunded',
    });
    expect((await post(`/${id}/refund`, { amount: 10.1 })).json()).toMatchObject({
      status: 409,
      code: 'refund_too_large',
    });
    expect(await member()).toMatchObject({ package_amount: 10 });
    expect((await post(`/${id}/refund`, {})).json()).toMatchObject({
      refunded: 10.5,
      status: 'refunded',
    });
    expect((await post(`/${id}/refund`, {})).json()).toMatchObject({ code: 'refund_too_large' });
    expect(await balance()).toBe(100n * UNIT);
    expect(await member()).toMatchObject({ package_amount: 0 });
    expect(
      (
        await app.inject({
          url: `/operator/purchases/${id}`,
          headers: asOperator('operator:purchases'),
        })
      ).json(),
    ).toMatchObject({ status: 'refunded' });
  });

  test('one key is one purchase, also when two come at once', async () => {
    const payload = { user_id: buyer, amount: '1', reference: 'once' };
    const answers = await Promise.all([1, 2, 3].map(() => post('', payload, `same-${engine}`)));
    const again = await post('', payload, `same-${engine}`);
    const ids = [...answers, again]
      .filter((answer) => answer.statusCode === 200)
      .map((answer) => answer.json().id);
    expect(new Set(ids).size).toBe(1);
    expect(await balance()).toBe(99n * UNIT);
    expect((await post('', { ...payload, amount: '2' }, `same-${engine}`)).json()).toMatchObject({
      code: 'idempotency_key_reused',
    });
    await post(`/${again.json().id}/refund`, {});
  });

  test('a purchase that the wallet cannot pay is refused and leaves nothing behind', async () => {
    expect(
      (await post('', { user_id: buyer, amount: '101', reference: 'too much' })).json(),
    ).toMatchObject({ status: 409, code: 'insufficient_funds' });
    expect(await member()).toMatchObject({ package_amount: 0 });
    const outside = await post('', {
      user_id: buyer,
      amount: '101',
      reference: 'by card',
      external: true,
    });
    expect(outside.json()).toMatchObject({ external: true, status: 'confirmed' });
    expect(await balance()).toBe(100n * UNIT);
    expect(await member()).toMatchObject({ package_amount: 101 });
    await post(`/${outside.json().id}/refund`, {});
    expect((await verifyCommunity(database)).problems).toEqual([]);
  });

  test('a refusal stays, with the same text, after its answer was deleted', async () => {
    const payload = { user_id: buyer, amount: '101', reference: 'too much, later' };
    const key = `refused-${engine}`;
    expect((await post('', payload, key)).json()).toMatchObject({ code: 'insufficient_funds' });
    clock.advance(1000);
    expect((await post('', payload, key)).json()).toMatchObject({ code: 'insufficient_funds' });
  });

  test.each([true, false])(
    'an order for an unknown user stays refused after registration, external: %s',
    async (external) => {
      const next = (await join()) + 1;
      const payload = { user_id: next, amount: '1', reference: 'before', external };
      const key = `unknown-${engine}-${external}`;
      expect((await post('', payload, key)).json()).toMatchObject({ code: 'unknown_user' });
      expect(await join()).toBe(next);
      expect((await post('', payload, key)).json()).toMatchObject({ code: 'unknown_user' });
    },
  );

  test('concurrent purchases are independent of each other', async () => {
    const before = await balance();
    const amounts = ['1', '1000', '2', '0.0000000000000000001', '3', '1'];
    const answers = await Promise.all(
      amounts.map((amount) => post('', { user_id: buyer, amount, reference: amount })),
    );
    expect(answers.map((answer) => answer.json().code ?? 'sold')).toEqual([
      'sold',
      'insufficient_funds',
      'sold',
      'invalid_parameter',
      'sold',
      'sold',
    ]);
    const unknown = await Promise.all([
      post('', { user_id: 999_999_999, amount: '1', reference: 'x', external: true }),
      post('', { user_id: buyer, amount: '1', reference: 'x' }),
    ]);
    expect(unknown.map((answer) => answer.json().code ?? 'sold')).toEqual(['unknown_user', 'sold']);
    expect(await balance()).toBe((before ?? 0n) - 8n * UNIT);
    expect(await member()).toMatchObject({ package_amount: 8 });
    const sold = [...answers, ...unknown].filter((answer) => answer.statusCode === 200);
    const both = await Promise.all(
      sold.flatMap((answer) => [
        post(`/${answer.json().id}/refund`, {}),
        post('', { user_id: buyer, amount: '1', reference: 'again' }),
      ]),
    );
    expect(both.map((answer) => answer.statusCode)).toEqual(both.map(() => 200));
    for (const answer of both.filter((_, i) => i % 2 === 1))
      await post(`/${answer.json().id}/refund`, {});
    expect(await balance()).toBe(before);
    expect((await verifyCommunity(database)).problems).toEqual([]);
  });

  // The embedded database has one connection: two transactions never overlap.
  if (engine === 'server')
    test('refunds and purchases lock accounts before totals: no deadlock', async () => {
      const made = await post('', { user_id: buyer, amount: '1', reference: 'x' });
      let refund: ReturnType<typeof post> | undefined;
      await transaction(database, async (tx) => {
        await tx.query('select from community_purchase_total where user_id = $1 for update', [
          buyer,
        ]);
        refund = post(`/${made.json().id}/refund`, {});
        refund.catch(() => {});
        await expect.poll(async () => (await database.query(WAITING)).rowCount).toBe(1);
        await expect(
          savepoint(tx, () =>
            tx.query('select from account where user_id = $1 for update nowait', [buyer]),
          ),
        ).rejects.toMatchObject({
          code: '55P03',
        });
      });
      expect((await refund)?.statusCode).toBe(200);
    });

  // The embedded database has one connection: two transactions never overlap.
  if (engine === 'server')
    test('a buyer whose wallet is locked delays no other buyer', async () => {
      const others = [await join(referrer), await join(referrer)];
      const held: ReturnType<typeof post>[] = [];
      await transaction(database, async (tx) => {
        await tx.query('select from account where user_id = $1 for update', [buyer]);
        for (let n = 0; n < 4; n++)
          held.push(post('', { user_id: buyer, amount: '1', reference: 'held' }));
        await expect.poll(async () => (await database.query(WAITING)).rowCount).toBe(1);
        const answers = await Promise.all(
          others.map((user_id) =>
            post('', { user_id, amount: '1', reference: 'free', external: true }),
          ),
        );
        expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200]);
      });
      const sold = await Promise.all(held);
      expect(sold.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200]);
      for (const answer of sold) await post(`/${answer.json().id}/refund`, {});
    });

  test('concurrent repetitions get the same answer', async () => {
    const payload = { user_id: buyer, amount: '1', reference: 'known' };
    const first = await post('', payload, `known-${engine}`);
    const again = await Promise.all(
      Array.from({ length: 20 }, () => post('', payload, `known-${engine}`)),
    );
    expect(new Set(again.map((answer) => answer.body))).toEqual(new Set([first.body]));
    const refunds = await Promise.all(
      Array.from({ length: 3 }, () => post(`/${first.json().id}/refund`, {}, `known-${engine}`)),
    );
    const done = await Promise.all(
      Array.from({ length: 20 }, () => post(`/${first.json().id}/refund`, {}, `known-${engine}`)),
    );
    expect(new Set(done.map((answer) => answer.body))).toEqual(
      new Set([refunds.find((answer) => answer.statusCode === 200)?.body]),
    );
  });

  test('a repeated request gets the first answer, for ever', async () => {
    const before = await balance();
    const payload = { user_id: buyer, amount: '4', reference: 'late' };
    const { id } = (await post('', payload, `late-${engine}`)).json();
    await post(`/${id}/refund`, { amount: '3' }, `late-${engine}`);
    clock.advance(8 * 86_400_000);
    expect((await post('', payload, `late-${engine}`)).json()).toMatchObject({ id, refunded: 0 });
    expect((await post(`/${id}/refund`, { amount: '3' }, `late-${engine}`)).json()).toMatchObject({
      id,
      refunded: 3,
    });
    expect((await post('', { ...payload, amount: '5' }, `late-${engine}`)).json()).toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect((await post(`/${id}/refund`, { amount: '1' }, `late-${engine}`)).json()).toMatchObject({
      code: 'idempotency_key_reused',
    });
    await post(`/${id}/refund`, {});
    expect(await balance()).toBe(before);
  });

  test.each([
    [
      'a purchase without a payment',
      `insert into package_purchase (user_id, currency, amount, reference, is_external, created_at)
       select user_id, 'EDGE', 5, 'forged', true, now() from package_purchase limit 1`,
      'no transfer paid for it',
    ],
    [
      'a purchase of another amount',
      `update package_purchase set amount = amount + 1 where id = (select max(id)
        from package_purchase)`,
      'does not agree',
    ],
    [
      'a purchase paid another way',
      `update package_purchase set is_external = not is_external where id = (select max(id)
        from package_purchase)`,
      'does not agree',
    ],
    [
      'another buyer',
      `update package_purchase set user_id = (select min(id) from app_user) where not is_external
        and id = (select max(id) from package_purchase where not is_external)`,
      'does not agree',
    ],
    [
      'a refund that is gone',
      'delete from package_refund where id = (select max(id) from package_refund)',
      'do not add up',
    ],
    [
      'a purchase that is gone',
      `delete from package_purchase where refunded = 0 and id = (select max(id)
        from package_purchase where refunded = 0)`,
      'is gone',
    ],
  ])('verify finds %s', async (_name, sql, words) => {
    await post('', { user_id: buyer, amount: '1', reference: 'x', external: true });
    expect((await verifySales(database)).problems).toEqual([]);
    const undone = transaction(database, async (tx) => {
      expect((await tx.query(sql)).rowCount).toBe(1);
      expect((await verifySales(tx)).problems.join('\n')).toContain(words);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
  });

  test('a purchase is not reversed without its record', async () => {
    const { rows } = await database.query<{ transfer_id: number }>(
      'select max(transfer_id) as transfer_id from package_purchase',
    );
    const url = `/operator/transfers/${rows[0]?.transfer_id}/reverse`;
    const answer = await app.inject({
      method: 'POST',
      url,
      headers: { ...asOperator('operator:transfers'), 'idempotency-key': `undo-${engine}` },
      payload: {},
    });
    expect(answer.json()).toMatchObject({ code: 'not_reversible' });
  });

  test('refusals have codes', async () => {
    const good = { user_id: buyer, amount: '1', reference: 'x' };
    const wrong = [
      { amount: '0' },
      { amount: '-1' },
      { amount: '1e3' },
      { amount: `0.${'0'.repeat(18)}1` },
      { amount: `1${'0'.repeat(40)}.1` },
      { currency: 'USDT' },
      { reference: '' },
      { reference: 'a\u202eb' },
      { reference: 'a\nb' },
      { user_id: 'me' },
      { external: 'yes' },
    ];
    for (const fields of wrong)
      expect((await post('', { ...good, ...fields })).json(), JSON.stringify(fields)).toMatchObject(
        { code: 'invalid_parameter' },
      );
    expect((await post('', { ...good, user_id: 999_999_999 })).json()).toMatchObject({
      code: 'unknown_user',
    });
    for (const id of ['0', 'x', '999999999', '9'.repeat(30)])
      expect((await post(`/${id}/refund`, {})).json()).toMatchObject({ code: 'not_found' });
    const bare = { method: 'POST' as const, url: '/operator/purchases', payload: good };
    expect(
      (await app.inject({ ...bare, headers: asOperator('operator:purchases') })).json(),
    ).toMatchObject({ code: 'idempotency_key_required' });
    expect(
      (await app.inject({ ...bare, headers: asOperator('operator:rewards') })).json(),
    ).toMatchObject({ code: 'insufficient_scope' });
    expect(
      (await app.inject({ ...bare, headers: asPerson(buyer, 'community:write') })).json(),
    ).toMatchObject({ code: 'insufficient_scope' });
  });
});
