import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { asOperator, asPerson, createTestServer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { joinCommunity, registerCommunity, rollUp, verifyCommunity } from '../community/index.ts';
import { type Database, transaction } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { findUser } from '../identity/index.ts';
import { installLedger, postTransfers, readBalances } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { registerPurchases } from './purchases.ts';

const clock = createManualClock('2026-03-10T12:00:00Z');
const UNIT = 10n ** 18n;

describe.each(ENGINES)('purchases on %s', (engine) => {
  let database: Database;
  let app: HttpServer;
  let referrer: number;
  let buyer: number;
  let keys = 0;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    installLedger(database, { clock, masterKey: testMasterKey });
    app = createTestServer();
    registerPurchases(app, { database, clock, rewardCurrency: 'EDGE', rewardScale: async () => 18 });
    registerCommunity(app, { database, clock, exportCap: 100, rewardScale: async () => 18 });
    referrer = await join();
    buyer = await join(referrer);
    await postTransfers(database, [
      {
        idem: 'funds',
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
      const user = await findUser(tx, await insertUser(tx, { createdAt: clock.now(), ...(referrerId !== undefined && { referrerId }) }));
      if (!user) throw new Error('no user');
      await joinCommunity(tx, clock, user);
      return user.userId;
    });
  }

  const post = (url: string, payload: object, key = `key-${engine}-${++keys}`) =>
    app.inject({ method: 'POST', url: `/operator/purchases${url}`, headers: { ...asOperator('operator:purchases'), 'idempotency-key': key }, payload });
  const balance = async () => (await readBalances(database, buyer, 'asset')).find((account) => account.currency === 'EDGE')?.balance;
  const member = async () => {
    await rollUp(database);
    const answer = await app.inject({ url: '/community/members?current=1&size=20', headers: asPerson(referrer, 'community:read') });
    return answer.json().records[0];
  };

  test('a purchase debits the wallet and counts at once; refunds take it back, in parts', async () => {
    const made = await post('', { user_id: buyer, amount: '10.5', reference: 'order 1' });
    expect(made.json()).toMatchObject({ user_id: buyer, currency: 'EDGE', amount: 10.5, refunded: 0, status: 'confirmed', external: false });
    expect(await balance()).toBe(895n * 10n ** 17n);
    expect(await member()).toMatchObject({ package_amount: 10.5, team_performance: 0 });
    const { id } = made.json();
    expect((await post(`/${id}/refund`, { amount: 0.5, reference: 'half' })).json()).toMatchObject({ refunded: 0.5, status: 'partly_refunded' });
    expect((await post(`/${id}/refund`, { amount: 10.1 })).json()).toMatchObject({ status: 409, code: 'refund_too_large' });
    expect(await member()).toMatchObject({ package_amount: 10 });
    expect((await post(`/${id}/refund`, {})).json()).toMatchObject({ refunded: 10.5, status: 'refunded' });
    expect((await post(`/${id}/refund`, {})).json()).toMatchObject({ code: 'refund_too_large' });
    expect(await balance()).toBe(100n * UNIT);
    expect(await member()).toMatchObject({ package_amount: 0 });
    expect((await app.inject({ url: `/operator/purchases/${id}`, headers: asOperator('operator:purchases') })).json()).toMatchObject({ status: 'refunded' });
  });

  test('one key is one purchase, also when two come at once', async () => {
    const payload = { user_id: buyer, amount: '1', reference: 'once' };
    const answers = await Promise.all([1, 2, 3].map(() => post('', payload, `same-${engine}`)));
    const again = await post('', payload, `same-${engine}`);
    const ids = [...answers, again].filter((answer) => answer.statusCode === 200).map((answer) => answer.json().id);
    expect(new Set(ids).size).toBe(1);
    expect(await balance()).toBe(99n * UNIT);
    expect((await post('', { ...payload, amount: '2' }, `same-${engine}`)).json()).toMatchObject({ code: 'idempotency_key_reused' });
    await post(`/${again.json().id}/refund`, {});
  });

  test('what the wallet cannot pay is refused and leaves nothing behind', async () => {
    expect((await post('', { user_id: buyer, amount: '101', reference: 'too much' })).json()).toMatchObject({ status: 409, code: 'insufficient_funds' });
    expect(await member()).toMatchObject({ package_amount: 0 });
    const outside = await post('', { user_id: buyer, amount: '101', reference: 'by card', external: true });
    expect(outside.json()).toMatchObject({ external: true, status: 'confirmed' });
    expect(await balance()).toBe(100n * UNIT);
    expect(await member()).toMatchObject({ package_amount: 101 });
    await post(`/${outside.json().id}/refund`, {});
    expect((await verifyCommunity(database)).problems).toEqual([]);
  });

  test('purchases that come at once share a fate only with themselves', async () => {
    const before = await balance();
    const amounts = ['1', '1000', '2', '0.0000000000000000001', '3', '1'];
    const answers = await Promise.all(amounts.map((amount) => post('', { user_id: buyer, amount, reference: amount })));
    expect(answers.map((answer) => answer.json().code ?? 'sold')).toEqual(['sold', 'insufficient_funds', 'sold', 'invalid_parameter', 'sold', 'sold']);
    const unknown = await Promise.all([
      post('', { user_id: 999_999_999, amount: '1', reference: 'x', external: true }),
      post('', { user_id: buyer, amount: '1', reference: 'x' }),
    ]);
    expect(unknown.map((answer) => answer.json().code ?? 'sold')).toEqual(['unknown_user', 'sold']);
    expect(await balance()).toBe((before ?? 0n) - 8n * UNIT);
    expect(await member()).toMatchObject({ package_amount: 8 });
    const sold = [...answers, ...unknown].filter((answer) => answer.statusCode === 200);
    // Refunds and purchases of one person beside each other: neither waits for the other in a circle.
    const both = await Promise.all(
      sold.flatMap((answer) => [post(`/${answer.json().id}/refund`, {}), post('', { user_id: buyer, amount: '1', reference: 'again' })]),
    );
    expect(both.map((answer) => answer.statusCode)).toEqual(both.map(() => 200));
    for (const answer of both.filter((_, i) => i % 2 === 1)) await post(`/${answer.json().id}/refund`, {});
    expect(await balance()).toBe(before);
    expect((await verifyCommunity(database)).problems).toEqual([]);
  });

  test('refusals have names', async () => {
    const good = { user_id: buyer, amount: '1', reference: 'x' };
    const wrong = [
      { amount: '0' },
      { amount: '-1' },
      { amount: '1e3' },
      { amount: `0.${'0'.repeat(18)}1` },
      { amount: `1${'0'.repeat(40)}.1` },
      { currency: 'USDT' },
      { reference: '' },
      { user_id: 'me' },
      { external: 'yes' },
    ];
    for (const fields of wrong) expect((await post('', { ...good, ...fields })).json(), JSON.stringify(fields)).toMatchObject({ code: 'invalid_parameter' });
    expect((await post('', { ...good, user_id: 999_999_999 })).json()).toMatchObject({ code: 'unknown_user' });
    for (const id of ['0', 'x', '999999999', '9'.repeat(30)]) expect((await post(`/${id}/refund`, {})).json()).toMatchObject({ code: 'not_found' });
    const bare = { method: 'POST' as const, url: '/operator/purchases', payload: good };
    expect((await app.inject({ ...bare, headers: asOperator('operator:purchases') })).json()).toMatchObject({ code: 'idempotency_key_required' });
    expect((await app.inject({ ...bare, headers: asOperator('operator:rewards') })).json()).toMatchObject({ code: 'insufficient_scope' });
    expect((await app.inject({ ...bare, headers: asPerson(buyer, 'community:write') })).json()).toMatchObject({ code: 'insufficient_scope' });
  });
});
