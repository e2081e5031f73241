import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, OPERATOR, openMoneyServer } from '../../test/support/money-server.ts';
import { asPerson } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { refreshPrices } from '../wallets/index.ts';

describe.each(RUN_ENGINES)('prices and conversions on %s', (engine) => {
  let money: MoneyServer;
  beforeAll(async () => {
    money = await openMoneyServer(engine);
  });
  afterAll(() => money.close());

  test('prices, the asset summary and a conversion', async () => {
    const person = await insertUser(money.database);
    const asMe = { ...asPerson(person, 'account:read', 'wallet:write'), prefer: 'amounts=string' };
    await money.post(
      '/operator/rewards',
      money.reward({ user_id: person, amount: '10.000000000000000001' }),
    );
    const order = { currency: 'EDGE', amount: '4', to_currency: 'USDT' };
    expect((await money.post('/bonus-account/convert/quote', order, asMe)).json()).toMatchObject({
      status: 409,
      code: 'no_price',
    });
    expect(
      (
        await money.post('/operator/prices', {
          currency: 'EDGE',
          quote_currency: 'EDGE',
          price: '1',
        })
      ).statusCode,
    ).toBe(400);
    expect(
      (
        await money.post('/operator/prices', {
          currency: 'EDGE',
          quote_currency: 'USDT',
          price: '0',
        })
      ).statusCode,
    ).toBe(400);
    const price = { currency: 'EDGE', quote_currency: 'USDT', price: '0.123456789' };
    const long = { ...price, price: `0.${'1'.repeat(31)}` };
    expect((await money.post('/operator/prices', long)).json().errors[0].message).toContain(
      '30 after it',
    );
    expect((await money.post('/operator/prices', price)).json()[0]).toMatchObject({
      price: 0.123456789,
      source: 'operator:test-operator',
    });
    expect((await money.app.inject({ url: '/bonus-account/asset', headers: asMe })).json()).toEqual(
      {
        quote_currency: 'USDT',
        total: '1.234568',
        partial: true,
        as_of: '2026-11-10T12:00:00.000Z',
        assets: [
          {
            currency: 'EDGE',
            balance: '10.000000000000000001',
            hold: '0',
            price: '0.123456789',
            priced_at: '2026-11-10T12:00:00.000Z',
            value: '1.234568',
          },
          {
            currency: 'USDT',
            balance: '0',
            hold: '0',
            price: '1',
            priced_at: '2026-11-10T12:00:00.000Z',
            value: '0',
          },
          { currency: 'ETH', balance: '0', hold: '0', price: null, priced_at: null, value: null },
        ],
      },
    );
    const quote = (await money.post('/bonus-account/convert/quote', order, asMe)).json();
    expect(quote).toMatchObject({ amount: '4', to_amount: '0.493827', price: '0.123456789' });
    const convertKey = money.key();
    const done = await money.post(
      '/bonus-account/convert',
      { quote_id: quote.quote_id },
      { ...asMe, 'idempotency-key': convertKey },
    );
    expect(done.json()).toMatchObject({
      to_amount: '0.493827',
      converted_at: '2026-11-10T12:00:00.000Z',
    });
    expect(
      (
        await money.post(
          '/bonus-account/convert',
          { quote_id: quote.quote_id },
          { ...asMe, 'idempotency-key': convertKey },
        )
      ).body,
    ).toBe(done.body);
    expect(
      (await money.post('/bonus-account/convert', { quote_id: quote.quote_id }, asMe)).json().code,
    ).toBe('quote_used');
    expect(
      (await money.app.inject({ url: '/account/info?currency=USDT', headers: asMe })).json()[0]
        .balance,
    ).toBe('0.493827');
    expect(
      (
        await money.app.inject({ url: '/bonus-account/info?currency=EDGE', headers: asMe })
      ).json()[0].balance,
    ).toBe('6.000000000000000001');
    expect(
      (
        await money.post(
          '/bonus-account/convert',
          { quote_id: quote.quote_id },
          { ...asPerson(money.user, 'wallet:write') },
        )
      ).statusCode,
    ).toBe(404);
    const late = (await money.post('/bonus-account/convert/quote', order, asMe)).json();
    money.clock.advance(60_000);
    expect(
      (await money.post('/bonus-account/convert', { quote_id: late.quote_id }, asMe)).json().code,
    ).toBe('quote_expired');
    money.clock.advance(541_000);
    expect((await money.post('/bonus-account/convert/quote', order, asMe)).json()).toMatchObject({
      status: 409,
      code: 'price_too_old',
    });
  });

  test('price feeds import prices as they are written, and report failures', async () => {
    const put = (name: string, fields: object = {}) =>
      money.app.inject({
        method: 'PUT',
        url: `/operator/price-feeds/${name}`,
        headers: OPERATOR,
        payload: {
          url: 'https://prices.test/eth',
          pointer: '/data/0/last',
          currency: 'ETH',
          quote_currency: 'USDT',
          every_s: 60,
          ...fields,
        },
      });
    expect((await put('eth', { url: 'http://prices.test/eth' })).json()).toMatchObject({
      status: 400,
      errors: [{ field: 'url', code: 'not_https' }],
    });
    expect((await put('eth', { quote_currency: 'ETH' })).statusCode).toBe(400);
    expect((await put('Bad%20Name')).statusCode).toBe(404);
    expect((await put('eth')).json()).toMatchObject([{ name: 'eth', every_s: 60 }]);
    const feed = async () =>
      (await money.app.inject({ url: '/operator/price-feeds', headers: OPERATOR })).json()[0];
    const price = async () =>
      (
        await money.app.inject({
          url: '/operator/prices',
          headers: { ...OPERATOR, prefer: 'amounts=string' },
        })
      )
        .json()
        .find((row: { currency: string }) => row.currency === 'ETH');
    await refreshPrices(money.database, money.clock, money.outgoing);
    expect(await feed()).toMatchObject({ last_error: 'no answer came in time' });
    for (const [text, error] of [
      ['nonsense', 'the answer is not JSON'],
      ['{"data":[]}', 'the answer holds no number at /data/0/last'],
      ['{"data":[{"last":"1,000"}]}', 'price must be a decimal number'],
      ['{"data":[{"last":0}]}', 'price must be at least 10^-30 and below 10^48'],
      ['{"data":[{"last":1e-31}]}', 'price must be at least 10^-30 and below 10^48'],
      ['{"data":[{"last":1e999999999999}]}', 'price is too large'],
    ] as const) {
      money.answers.set('https://prices.test/eth', text);
      money.clock.advance(60_000);
      await refreshPrices(money.database, money.clock, money.outgoing);
      expect(await feed()).toMatchObject({ last_error: error });
    }
    money.answers.set('https://prices.test/eth', '{"data":[{"last":3456.789012345678901234}]}');
    money.clock.advance(59_000);
    await refreshPrices(money.database, money.clock, money.outgoing);
    expect(await price()).toBeUndefined();
    money.clock.advance(1000);
    await refreshPrices(money.database, money.clock, money.outgoing);
    expect(await price()).toMatchObject({
      price: '3456.789012345678901234',
      source: 'feed:eth',
      priced_at: money.clock.now().toISOString(),
    });
    expect(await feed()).not.toHaveProperty('last_error');
    for (const [token, read] of [
      ['8.02e-06', '0.00000802'],
      ['1e3', '1000'],
      ['"1.5E+1"', '15'],
      ['0.1234567890123456789012345678905', '0.12345678901234567890123456789'],
      ['1.2345678901234567890123456789015e-1', '0.12345678901234567890123456789'],
      [`${'9'.repeat(17)}.${'9'.repeat(13)}`, `${'9'.repeat(17)}.${'9'.repeat(13)}`],
    ] as const) {
      money.answers.set('https://prices.test/eth', `{"data":[{"last":${token}}]}`);
      money.clock.advance(60_000);
      await refreshPrices(money.database, money.clock, money.outgoing);
      expect(await price()).toMatchObject({
        price: read,
        priced_at: money.clock.now().toISOString(),
      });
    }
    const gone = await money.app.inject({
      method: 'DELETE',
      url: '/operator/price-feeds/eth',
      headers: OPERATOR,
    });
    expect(gone.json()).toEqual([]);
  });
});
