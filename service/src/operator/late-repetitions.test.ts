/**
 * A repeated request: the ledger keeps its key and hash, and the answer is built from the transfer
 * or the refusal.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, openMoneyServer } from '../../test/support/money-server.ts';
import { asPerson } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { ensureCurrency, verifyLedger } from '../ledger/index.ts';

const EIGHT_DAYS_MS = 8 * 86_400_000;

describe.each(RUN_ENGINES)('late repetitions on %s', (engine) => {
  let money: MoneyServer;
  let person: number;
  beforeAll(async () => {
    money = await openMoneyServer(engine);
    person = await insertUser(money.database);
  });
  afterAll(async () => {
    expect((await verifyLedger(money.database)).findings).toEqual([]);
    await money.close();
  });

  const give = (amount: string) =>
    money.post('/operator/transfers', { transfers: [transferOf(amount)] });
  const transferOf = (amount: string) => ({
    debit: { house: 'deposit_clearing' },
    credit: { user_id: person, wallet: 'asset' },
    currency: 'USDT',
    amount,
    business_id: 'deposit',
  });
  const countEvents = async () => (await money.database.query('select 1 from event')).rowCount;

  /** Sends a request, and returns a function that repeats it with the same key a week later. */
  async function ask(url: string, body: object) {
    const headers = { 'idempotency-key': money.key() };
    const first = await money.post(url, body, headers);
    return {
      first,
      async again(changed: object = {}) {
        money.clock.advance(EIGHT_DAYS_MS);
        return money.post(url, { ...body, ...changed }, headers);
      },
    };
  }

  test('a refused withdrawal stays refused after money arrived', async () => {
    const order = { user_id: person, currency: 'USDT', amount: '5' };
    const { first, again } = await ask('/operator/withdrawals', order);
    expect(first.json()).toMatchObject({ status: 409, code: 'insufficient_funds' });
    await give('20');
    expect((await again()).json()).toMatchObject({ status: 409, code: 'insufficient_funds' });
    expect((await again({ amount: '6' })).json()).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    });
    expect((await money.post('/operator/withdrawals', order)).statusCode).toBe(200);
  });

  test('a withdrawal refused because money was frozen stays refused after the freeze', async () => {
    await give('20');
    money.frozen.add(person);
    const { first, again } = await ask('/operator/withdrawals', {
      user_id: person,
      currency: 'USDT',
      amount: '5',
    });
    money.frozen.delete(person);
    expect(first.json()).toMatchObject({ code: 'money_frozen' });
    expect((await again()).json()).toMatchObject({ code: 'money_frozen' });
  });

  test('an atomic batch that was refused stays refused; its answer is the same', async () => {
    const poor = await insertUser(money.database);
    const taken = {
      ...transferOf('1'),
      debit: { user_id: poor, wallet: 'asset' },
      credit: { house: 'adjustment' },
      business_id: 'adjustment',
    };
    const { first, again } = await ask('/operator/transfers', {
      atomic: true,
      transfers: [transferOf('3'), taken],
    });
    expect(first.json().results).toMatchObject([
      { code: 'batch_refused' },
      { code: 'insufficient_funds' },
    ]);
    await money.post('/operator/transfers', {
      transfers: [{ ...transferOf('9'), credit: { user_id: poor, wallet: 'asset' } }],
    });
    expect((await again()).json()).toEqual(first.json());
  });

  test.each([
    [
      '/operator/rewards',
      () => ({ user_id: person, currency: 'EDGE', amount: '1.5', reward_type: 'UPTIME' }),
      { amount: '2' },
    ],
    [
      '/operator/withdrawals',
      () => ({ user_id: person, currency: 'USDT', amount: '1', expires_in_s: 31_536_000 }),
      { expires_in_s: 1 },
    ],
    ['/operator/transfers', () => ({ transfers: [transferOf('2')] }), undefined],
  ] as const)(
    '%s gets the same answer, although times were left out, and one event',
    async (url, bodyOf, changed) => {
      await give('20');
      const { first, again } = await ask(url, bodyOf());
      expect(first.statusCode).toBe(200);
      const told = await countEvents();
      expect((await again()).json()).toEqual(first.json());
      expect(await countEvents()).toBe(told);
      if (changed)
        expect((await again(changed)).json()).toMatchObject({
          status: 409,
          code: 'idempotency_key_reused',
        });
    },
  );

  test('a refused order stays refused when its currency or time becomes valid', async () => {
    const unknown = { ...transferOf('4'), currency: 'LATE' };
    const ahead = {
      ...transferOf('5'),
      event_at: new Date(money.clock.now().getTime() + 86_400_000).toISOString(),
    };
    const each = await ask('/operator/transfers', { transfers: [unknown, ahead, transferOf('1')] });
    const together = await ask('/operator/transfers', {
      atomic: true,
      transfers: [unknown, transferOf('6')],
    });
    const reward = await ask('/operator/rewards', {
      user_id: person,
      currency: 'LATE',
      amount: '1',
      reward_type: 'UPTIME',
    });
    const told = (answer: typeof each.first) =>
      answer
        .json()
        .results.map((result: { status: string; code?: string }) => result.code ?? result.status);
    await ensureCurrency(money.database, 'LATE', 2);
    for (const { first, again } of [each, together]) {
      expect(first.body).toContain('invalid_parameter');
      expect(told(await again())).toEqual(told(first));
    }
    expect((await reward.again()).json()).toMatchObject({ status: 400, code: 'invalid_parameter' });
    expect(
      (await money.post('/operator/transfers', { transfers: [unknown] })).json().results[0].status,
    ).toBe('posted');
  });

  test('a conversion gets the same answer; another order under its key is 409', async () => {
    const asMe = {
      ...asPerson(person, 'account:read', 'wallet:write'),
      'idempotency-key': money.key(),
    };
    await money.post('/operator/rewards', {
      user_id: person,
      currency: 'EDGE',
      amount: '9',
      reward_type: 'UPTIME',
    });
    const offer = async () => {
      await money.post('/operator/prices', {
        currency: 'EDGE',
        quote_currency: 'USDT',
        price: '0.5',
      });
      return (
        await money.post(
          '/bonus-account/convert/quote',
          { currency: 'EDGE', amount: '2', to_currency: 'USDT' },
          asMe,
        )
      ).json().quote_id;
    };
    const convert = (quoteId: string) =>
      money.post('/bonus-account/convert', { quote_id: quoteId }, asMe);
    const quote = await offer();
    const first = await convert(quote);
    expect(first.statusCode).toBe(200);
    const told = await countEvents();
    money.clock.advance(EIGHT_DAYS_MS);
    money.frozen.add(person);
    const again = await convert(quote);
    money.frozen.delete(person);
    expect([again.statusCode, again.body]).toEqual([200, first.body]);
    expect(await countEvents()).toBe(told);
    expect((await convert(await offer())).json()).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    });
  });

  test.each([
    [
      '/operator/transfers',
      (id: number) => ({
        transfers: [{ ...transferOf('2'), credit: { user_id: id, wallet: 'asset' } }],
      }),
    ],
    [
      '/operator/rewards',
      (id: number) => ({ user_id: id, currency: 'EDGE', amount: '1', reward_type: 'UPTIME' }),
    ],
    ['/operator/withdrawals', (id: number) => ({ user_id: id, currency: 'USDT', amount: '1' })],
  ] as const)(
    '%s for an unknown user stays refused after the registration',
    async (url, bodyOf) => {
      const next = (await insertUser(money.database)) + 1;
      const { first, again } = await ask(url, bodyOf(next));
      expect(first.body).toContain('unknown_user');
      expect(await insertUser(money.database)).toBe(next);
      await money.post('/operator/transfers', {
        transfers: [{ ...transferOf('9'), credit: { user_id: next, wallet: 'asset' } }],
      });
      expect((await again()).body).toContain('unknown_user');
    },
  );

  test('a requested time is part of the request', async () => {
    const body = {
      user_id: person,
      currency: 'EDGE',
      amount: '1',
      reward_type: 'UPTIME',
      event_at: '2026-11-09T00:00:00.000Z',
    };
    const { first, again } = await ask('/operator/rewards', body);
    expect((await again()).json()).toEqual(first.json());
    expect((await again({ event_at: '2026-11-08T00:00:00.000Z' })).json()).toMatchObject({
      code: 'idempotency_key_reused',
    });
  });
});
