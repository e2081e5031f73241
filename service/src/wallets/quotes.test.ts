import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, openMoneyServer } from '../../test/support/money-server.ts';
import { asPerson } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { deleteDueRows } from '../db/index.ts';
import { WALLETS_RETENTION } from './index.ts';

describe.each(RUN_ENGINES)('offers on %s', (engine) => {
  let money: MoneyServer;
  beforeAll(async () => {
    money = await openMoneyServer(engine);
  });
  afterAll(() => money.close());

  const setPrice = (currency: string, quote_currency: string, price: string) =>
    money.post('/operator/prices', { currency, quote_currency, price });
  const headersOf = (user: number) => ({
    ...asPerson(user, 'account:read', 'wallet:write'),
    prefer: 'amounts=string',
  });
  const ask = (user: number, fields: object = {}) =>
    money.post(
      '/bonus-account/convert/quote',
      { currency: 'EDGE', amount: '1', to_currency: 'USDT', ...fields },
      headersOf(user),
    );
  const take = (user: number, quote_id: string, more: Record<string, string> = {}) =>
    money.post('/bonus-account/convert', { quote_id }, { ...headersOf(user), ...more });
  const countOffers = async (user: number) =>
    (await money.database.query('select 1 from conversion where user_id = $1', [user])).rowCount;

  test('an amount worth more than one transfer can move gets no quote', async () => {
    await setPrice('USDT', 'EDGE', '10');
    await setPrice('ETH', 'EDGE', '9'.repeat(22));
    const tooLarge = {
      status: 400,
      code: 'invalid_parameter',
      errors: [{ field: 'amount', code: 'too_large' }],
    };
    expect(
      (
        await ask(money.user, { currency: 'USDT', amount: '9'.repeat(30), to_currency: 'EDGE' })
      ).json(),
    ).toMatchObject(tooLarge);
    expect(
      (
        await ask(money.user, {
          currency: 'ETH',
          amount: `1${'0'.repeat(20)}`,
          to_currency: 'EDGE',
        })
      ).json(),
    ).toMatchObject(tooLarge);
    expect(
      (await ask(money.user, { currency: 'ETH', amount: '1', to_currency: 'EDGE' })).json(),
    ).toMatchObject({ to_amount: '9'.repeat(22) });
    expect(await countOffers(money.user)).toBe(1);
  });

  test('a summary shows every digit of a large value', async () => {
    const person = await insertUser(money.database);
    await setPrice('USDT', 'EDGE', '10');
    await money.post(
      '/operator/rewards',
      money.reward({ user_id: person, currency: 'USDT', amount: '9'.repeat(34) }),
    );
    const summary = (
      await money.app.inject({
        url: '/bonus-account/asset?quoteCurrency=EDGE',
        headers: headersOf(person),
      })
    ).json();
    expect(summary).toMatchObject({ total: `${'9'.repeat(34)}0` });
  });

  test('a quote is valid until its own expiry, never longer than its price', async () => {
    const person = await insertUser(money.database);
    await money.post('/operator/rewards', money.reward({ user_id: person, amount: '10' }));
    await setPrice('EDGE', 'USDT', '2');
    const pricedAt = money.clock.now().getTime();
    money.clock.advance(596_000);
    const offer = (await ask(person)).json();
    expect(Date.parse(offer.expires_at)).toBe(pricedAt + 600_000);
    money.clock.advance(3999);
    expect((await take(person, offer.quote_id)).json()).toMatchObject({ to_amount: '2' });
    const last = (await ask(person)).json();
    money.clock.advance(1);
    expect((await take(person, last.quote_id)).json()).toMatchObject({
      status: 409,
      code: 'quote_expired',
    });
    expect((await ask(person)).json()).toMatchObject({ status: 409, code: 'price_too_old' });
  });

  test('the same key gets the same answer, long after the quote expired', async () => {
    const person = await insertUser(money.database);
    await money.post('/operator/rewards', money.reward({ user_id: person, amount: '10' }));
    await setPrice('EDGE', 'USDT', '2');
    const [taken, missed] = [(await ask(person)).json(), (await ask(person)).json()];
    const key = (offer: { quote_id: string }) => ({ 'idempotency-key': offer.quote_id });
    const answer = await take(person, taken.quote_id, key(taken));
    expect(answer.statusCode).toBe(200);
    money.clock.advance(3_600_000);
    expect((await take(person, taken.quote_id, key(taken))).body).toBe(answer.body);
    // An expired quote is never converted, however often and late the request is repeated.
    for (let time = 0; time < 2; time++)
      expect((await take(person, missed.quote_id, key(missed))).json()).toMatchObject({
        status: 409,
        code: 'quote_expired',
      });
    const accounts = (
      await money.app.inject({ url: '/bonus-account/info', headers: headersOf(person) })
    ).json();
    expect(accounts).toContainEqual(expect.objectContaining({ currency: 'EDGE', balance: '9' }));
  });

  test('30 quotes a minute; expired ones are deleted after an hour', async () => {
    const person = await insertUser(money.database);
    await money.post('/operator/rewards', money.reward({ user_id: person, amount: '10' }));
    await setPrice('EDGE', 'USDT', '2');
    const offers: { quote_id: string }[] = [];
    for (let i = 0; i < 30; i++) offers.push((await ask(person)).json());
    const refused = await ask(person);
    expect(refused.json()).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refused.headers['retry-after']).toBeDefined();
    expect((await ask(await insertUser(money.database))).statusCode).toBe(200);
    expect(await countOffers(person)).toBe(30);
    expect((await take(person, offers[0]?.quote_id ?? '')).statusCode).toBe(200);
    money.clock.advance(3_600_000 + 60_000);
    await deleteDueRows(money.database, money.clock, WALLETS_RETENTION);
    expect(await countOffers(person)).toBe(30);
    money.clock.advance(1);
    await deleteDueRows(money.database, money.clock, WALLETS_RETENTION);
    expect(await countOffers(person)).toBe(1);
    expect((await take(person, offers[1]?.quote_id ?? '')).statusCode).toBe(404);
  });
});
