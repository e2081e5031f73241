import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { asOperator, asPerson, createTestServer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, transaction } from '../db/index.ts';
import { type HttpServer, type Outgoing, OutgoingError } from '../http/index.ts';
import { installLedger } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { parseAmount } from '../lib/money.ts';
import { refreshPrices, registerWallets } from '../wallets/index.ts';
import { registerOperatorMoney } from './index.ts';

const OPERATOR = asOperator('operator:rewards', 'operator:transfers', 'operator:withdrawals', 'operator:prices', 'operator:ledger');

describe.each(ENGINES)('operators and wallets on %s', (engine) => {
  const clock = createManualClock('2026-11-10T12:00:00Z');
  let database: Database;
  let app: HttpServer;
  let user: number;
  let frozen = new Set<number>();
  let keys = 0;
  const answers = new Map<string, string>();
  /** Answers from memory; the real one has its own tests. */
  const outgoing: Outgoing = {
    checkUrl: (url) => {
      if (!url.startsWith('https:')) throw new OutgoingError('not_https', 'the address must begin with https://');
    },
    send: async ({ url }) => {
      const text = answers.get(url);
      if (text === undefined) throw new OutgoingError('timeout', 'no answer came in time');
      return { status: 200, headers: {}, text };
    },
  };
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    installLedger(database, { clock, masterKey: testMasterKey });
    app = createTestServer();
    const deps = { database, clock, outgoing, isMoneyFrozen: async (_db: unknown, _clock: unknown, userId: number) => frozen.has(userId) };
    registerWallets(app, deps);
    registerOperatorMoney(app, deps);
    user = await insertUser(database);
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const key = (): string => `key-${++keys}`;
  const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url,
      headers: { ...OPERATOR, 'content-type': 'application/json', 'idempotency-key': key(), ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
  const get = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { ...asPerson(user, 'account:read', 'wallet:write'), ...headers } });
  const reward = (fields: object = {}) => ({ user_id: user, currency: 'EDGE', amount: '1.5', reward_type: 'UPTIME', ...fields });
  const balanceOf = async (path: string, currency: string) => (await get(`${path}/info?currency=${currency}`, { prefer: 'amounts=string' })).json()[0];

  test('a new person sees every currency with zero', async () => {
    const nobody = await insertUser(database);
    const info = await app.inject({ url: '/account/info', headers: asPerson(nobody, 'account:read') });
    expect(info.json()).toEqual(['EDGE', 'USDT', 'ETH'].map((currency) => ({ currency, balance: 0, hold: 0, deposited: 0, withdrawal: 0 })));
    const bonus = await app.inject({ url: '/bonus-account/info', headers: asPerson(nobody, 'account:read') });
    expect(bonus.json()[0]).toEqual({ currency: 'EDGE', balance: 0, hold: 0, deposited: 0, withdrawal: 0, by_reward_type: [] });
    const bills = await app.inject({ url: '/account/bills?current=1&size=20', headers: asPerson(nobody, 'account:read') });
    expect(bills.json()).toEqual({ records: [], total: 0, size: 20, current: 1, pages: 0 });
  });

  test('a reward arrives in the reward wallet, once per key', async () => {
    const once = key();
    const first = await post('/operator/rewards', reward({ node_id: 'n-1', remark: 'für "dich"\\', event_at: '2026-11-09T23:00:00Z' }), {
      'idempotency-key': once,
    });
    expect(first.statusCode).toBe(200);
    const again = await post('/operator/rewards', reward({ node_id: 'n-1', remark: 'für "dich"\\', event_at: '2026-11-09T23:00:00Z' }), {
      'idempotency-key': once,
    });
    expect(again.body).toBe(first.body);
    expect((await post('/operator/rewards', reward({ amount: '2' }), { 'idempotency-key': once })).json()).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    });
    expect(await balanceOf('/bonus-account', 'EDGE')).toMatchObject({ balance: '1.5', by_reward_type: [{ reward_type: 'UPTIME', amount: '1.5' }] });
    const { records } = (await get('/bonus-account/bills?current=1&size=20')).json();
    expect(records).toEqual([
      {
        id: expect.any(Number),
        currency: 'EDGE',
        business_id: 'reward',
        amount_direction: 1,
        amount: 1.5,
        balance_after: 1.5,
        reward_type: 'UPTIME',
        counterparty: 'reward_pool',
        remark: 'für "dich"\\',
        event_at: '2026-11-09T23:00:00.000Z',
        created_at: '2026-11-10T12:00:00.000Z',
      },
    ]);
  });

  test('rewards that come at once share batches; each keeps its own key, fate and answer', async () => {
    const person = await insertUser(database);
    const seals = async () => (await database.query<{ n: number }>('select sum(seals)::int as n from ledger_lane')).rows[0]?.n ?? 0;
    const before = await seals();
    const twice = key();
    const orders = Array.from({ length: 40 }, (_, i) => {
      if (i % 10 === 3) return { currency: 'DOGE' };
      if (i % 10 === 7) return { user_id: 4_000_000 };
      return { user_id: person, amount: String(i + 1) };
    });
    const keysOf = orders.map(() => key());
    const same = reward({ user_id: person, amount: '1000' });
    const [first, second, ...answers] = await Promise.all([
      post('/operator/rewards', same, { 'idempotency-key': twice }),
      post('/operator/rewards', same, { 'idempotency-key': twice }),
      ...orders.map((order, i) => post('/operator/rewards', reward(order), { 'idempotency-key': keysOf[i] ?? '' })),
    ]);
    // The second of a key meets the first in its group, or comes after it.
    const paid = first.statusCode === 200 ? first : second;
    expect(paid.json()).toMatchObject({ user_id: person, amount: 1000 });
    for (const answer of [first, second]) if (answer.body !== paid.body) expect(answer.json()).toMatchObject({ status: 409, code: 'idempotency_in_flight' });
    for (const [i, answer] of answers.entries()) {
      if (i % 10 === 3) expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_parameter' });
      else if (i % 10 === 7) expect(answer.json()).toMatchObject({ status: 404, code: 'unknown_user' });
      else expect(answer.json()).toMatchObject({ user_id: person, amount: i + 1 });
    }
    const ids = new Set(answers.flatMap((answer) => answer.json().id ?? []));
    expect(ids.size).toBe(32);
    expect(await seals()).toBeLessThan(before + 10);
    const again = await Promise.all(orders.map((order, i) => post('/operator/rewards', reward(order), { 'idempotency-key': keysOf[i] ?? '' })));
    expect(again.map((answer) => answer.body)).toEqual(answers.map((answer) => answer.body));
    const other = await post('/operator/rewards', reward({ user_id: person, amount: '5' }), { 'idempotency-key': keysOf[0] ?? '' });
    expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' });
    const sum = orders.reduce((total, order, i) => total + ('amount' in order ? i + 1 : 0), 1000);
    const bills = await app.inject({ url: '/bonus-account/bills?current=1&size=1', headers: asPerson(person, 'account:read') });
    expect(bills.json()).toMatchObject({ total: 33, records: [{ balance_after: sum }] });
  });

  test('a penalty passes on spent rewards and freezes conversion until it is paid back', async () => {
    const person = await insertUser(database);
    expect((await post('/operator/rewards', reward({ user_id: person, amount: 2, reward_type: 'PENALTY' }))).json()).toMatchObject({ amount: -2 });
    const asMe = asPerson(person, 'account:read', 'wallet:write');
    const quote = await post('/bonus-account/convert/quote', { currency: 'EDGE', amount: '1' }, asMe);
    const convert = await post('/bonus-account/convert', { quote_id: quote.json().quote_id }, asMe);
    expect(convert.json()).toMatchObject({ status: 409, code: 'money_frozen' });
    await post('/operator/rewards', reward({ user_id: person, amount: 5 }));
    expect((await post('/bonus-account/convert', { quote_id: quote.json().quote_id }, asMe)).statusCode).toBe(200);
  });

  test.each([
    ['zero', { amount: 0 }, 'amount'],
    ['negative', { amount: '-1' }, 'amount'],
    ['NaN', { amount: 'NaN' }, 'amount'],
    ['an exponent', { amount: '1e3' }, 'amount'],
    ['excess scale', { amount: '0.1234567890123456789' }, 'amount'],
    ['too large', { amount: `${'9'.repeat(61)}` }, 'amount'],
    ['an unknown currency', { currency: 'DOGE' }, 'currency'],
    ['no type', { reward_type: undefined }, 'reward_type'],
    ['a day that does not exist', { event_at: '2026-02-30T00:00:00Z' }, 'event_at'],
    ['an hour that does not exist', { event_at: '2026-02-27T24:00:00Z' }, 'event_at'],
    ['a future event', { event_at: '2027-01-01T00:00:00Z' }, 'event_at'],
    ['a control character', { remark: 'a\u0007b' }, 'remark'],
    ['an unknown field', { bonus: 1 }, 'bonus'],
  ])('refuses a reward with %s, and nothing moves', async (_name, fields, field) => {
    const before = await balanceOf('/bonus-account', 'EDGE');
    const answer = await post('/operator/rewards', reward(fields));
    expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_parameter', errors: [{ field }] });
    expect(await balanceOf('/bonus-account', 'EDGE')).toEqual(before);
  });

  test('refuses number tokens with an exponent too, unknown users, and a missing key', async () => {
    expect((await post('/operator/rewards', `{"user_id":${user},"currency":"EDGE","amount":1e3,"reward_type":"TASK"}`)).statusCode).toBe(400);
    expect((await post('/operator/rewards', reward({ user_id: 4_000_000 }))).json()).toMatchObject({ status: 404, code: 'unknown_user' });
    expect((await post('/operator/rewards', reward(), { 'idempotency-key': '' })).json().code).toBe('idempotency_key_required');
  });

  test('18 decimals and 10^30 amounts survive both wire modes', async () => {
    const person = await insertUser(database);
    const amount = `${10n ** 30n}.000000000000000001`;
    await post('/operator/rewards', `{"user_id":${person},"currency":"EDGE","amount":${amount},"reward_type":"TASK"}`);
    const { rows } = await database.query<{ credits: string }>('select credits from account where user_id = $1 and credits > 0', [person]);
    expect(rows[0]?.credits).toBe(`${10n ** 48n + 1n}`);
    const headers = asPerson(person, 'account:read');
    expect((await app.inject({ url: '/bonus-account/info?currency=EDGE', headers })).body).toContain(`"balance":${amount},`);
    expect((await app.inject({ url: '/bonus-account/info?currency=EDGE', headers: { ...headers, prefer: 'amounts=string' } })).body).toContain(
      `"balance":"${amount}"`,
    );
    expect((await app.inject({ url: '/bonus-account/bills?current=1&size=1', headers })).body).toContain(`"amount":${amount},"balance_after":${amount}`);
  });

  test('a batch gives each item its own fate; an atomic one all or nothing', async () => {
    const mine = { user_id: user, wallet: 'asset' };
    const good = { debit: { house: 'adjustment' }, credit: mine, currency: 'USDT', amount: '3', business_id: 'adjustment' };
    const transfers = [
      good,
      { ...good, currency: 'XXX' },
      { ...good, debit: mine, credit: { house: 'adjustment' }, amount: '99' },
      { ...good, business_id: 'bribe' },
      { ...good, credit: { user_id: user } },
      { ...good, credit: good.debit },
      { ...good, debit: mine, credit: { house: 'adjustment' }, amount: '10', may_overdraw: true },
      good,
    ];
    const malformed = [
      { ...good, amount: '1e3' },
      { ...good, remark: 'a\tb' },
      { ...good, event_at: '2026-01-01' },
      { ...good, business_id: 'reward' },
      { ...good, amount: '1.0000000' },
      { ...good, bonus: 1 },
      'nonsense',
      null,
    ];
    const mixed = (
      await post('/operator/transfers', { transfers: [...malformed, { ...good, amount: '1' }, { ...good, amount: '1', debit: mine, credit: good.debit }] })
    ).json();
    expect(mixed.results.map((result: { status: string; code?: string }) => result.code ?? result.status)).toEqual([
      ...malformed.map(() => 'invalid_parameter'),
      'posted',
      'posted',
    ]);
    expect(mixed.results[3].detail).toMatch(/^reward_type /);
    const { results } = (await post('/operator/transfers', { transfers: transfers.slice(0, 6) })).json();
    expect(results.map((result: { status: string; code?: string }) => result.code ?? result.status)).toEqual([
      'posted',
      'invalid_parameter',
      'insufficient_funds',
      'invalid_parameter',
      'invalid_parameter',
      'same_account',
    ]);
    const before = await balanceOf('/account', 'USDT');
    const atomic = (await post('/operator/transfers', { atomic: true, transfers: [good, transfers[2]] })).json();
    expect(atomic.results.map((result: { code: string }) => result.code)).toEqual(['batch_refused', 'insufficient_funds']);
    expect(await balanceOf('/account', 'USDT')).toEqual(before);
    expect((await post('/operator/transfers', { transfers: [transfers[6]] })).json().results[0].status).toBe('posted');
    expect(await balanceOf('/account', 'USDT')).toMatchObject({ balance: '-7' });
    expect((await post('/operator/withdrawals', { user_id: user, currency: 'USDT', amount: '1' })).json().code).toBe('money_frozen');
    await post('/operator/transfers', { transfers: [{ ...good, amount: '7' }] });
    expect((await post('/operator/transfers', { transfers: [] })).statusCode).toBe(400);
    expect((await post('/operator/transfers', { transfers: Array.from({ length: 1001 }, () => good) })).statusCode).toBe(400);
  });

  test('a thousand transfers in one request', async () => {
    const person = await insertUser(database);
    const transfers = Array.from({ length: 1000 }, (_, i) => ({
      debit: { house: 'reward_pool' },
      credit: { user_id: person, wallet: 'bonus' },
      currency: 'EDGE',
      amount: String(i + 1),
      business_id: 'reward',
      reward_type: 'TASK',
    }));
    const { results } = (await post('/operator/transfers', { transfers })).json();
    expect(results.every((result: { status: string }) => result.status === 'posted')).toBe(true);
    const page = await app.inject({ url: '/bonus-account/bills?current=50&size=20', headers: asPerson(person, 'account:read') });
    expect(page.json()).toMatchObject({ total: 1000, pages: 50, records: { length: 20, 19: { amount: 1, balance_after: 1 } } });
  });

  test('a transfer is reversed once', async () => {
    const { id } = (await post('/operator/rewards', reward({ amount: '0.25' }))).json();
    expect((await post(`/operator/transfers/${id}/reverse`, { remark: 'mistake' })).json()).toMatchObject({ reverses: id });
    expect((await post(`/operator/transfers/${id}/reverse`, {})).json()).toMatchObject({ status: 409, code: 'already_reversed' });
    expect((await post('/operator/transfers/999999999/reverse', {})).statusCode).toBe(404);
    expect((await post('/operator/transfers/1e1/reverse', {})).statusCode).toBe(404);
  });

  test('a withdrawal is held, settled in part, cancelled; each once', async () => {
    const person = await insertUser(database);
    const give = { debit: { house: 'deposit_clearing' }, credit: { user_id: person, wallet: 'asset' }, currency: 'USDT', amount: '10', business_id: 'deposit' };
    await post('/operator/transfers', { transfers: [give] });
    const held = (await post('/operator/withdrawals', { user_id: person, currency: 'USDT', amount: '6', reference: 'w-1' })).json();
    expect(held).toMatchObject({ amount: 6, remaining: 6, status: 'held', reference: 'w-1' });
    const path = `/operator/withdrawals/${held.id}`;
    expect((await post(`${path}/settle`, { amount: '7' })).json().code).toBe('hold_too_small');
    expect((await post(`${path}/settle`, { amount: '0' })).statusCode).toBe(400);
    const settleKey = key();
    const settled = await post(`${path}/settle`, { amount: '2.5' }, { 'idempotency-key': settleKey });
    expect(settled.json()).toMatchObject({ remaining: 3.5, settled: 2.5, status: 'held' });
    expect((await post(`${path}/settle`, { amount: '2.5' }, { 'idempotency-key': settleKey })).body).toBe(settled.body);
    expect((await post(`${path}/cancel`, {})).json()).toMatchObject({ remaining: 0, settled: 2.5, status: 'cancelled' });
    expect((await post(`${path}/cancel`, {})).json().code).toBe('hold_not_open');
    const headers = { ...asPerson(person, 'account:read'), prefer: 'amounts=string' };
    expect((await app.inject({ url: '/account/info?currency=USDT', headers })).json()).toEqual([
      { currency: 'USDT', balance: '7.5', hold: '0', deposited: '10', withdrawal: '2.5' },
    ]);
    expect((await post('/operator/withdrawals/12345678/settle', {})).statusCode).toBe(404);
    expect((await app.inject({ url: `/operator/withdrawals?userId=${person}`, headers: OPERATOR })).json()).toMatchObject([
      { id: held.id, status: 'cancelled' },
    ]);
    expect((await app.inject({ url: path, headers: OPERATOR })).json()).toMatchObject({ id: held.id });
    frozen = new Set([person]);
    expect((await post('/operator/withdrawals', { user_id: person, currency: 'USDT', amount: '1' })).json().code).toBe('money_frozen');
    frozen = new Set();
  });

  test('prices, the asset summary and a conversion', async () => {
    const person = await insertUser(database);
    const asMe = { ...asPerson(person, 'account:read', 'wallet:write'), prefer: 'amounts=string' };
    await post('/operator/rewards', reward({ user_id: person, amount: '10.000000000000000001' }));
    const order = { currency: 'EDGE', amount: '4', to_currency: 'USDT' };
    expect((await post('/bonus-account/convert/quote', order, asMe)).json()).toMatchObject({ status: 409, code: 'no_price' });
    expect((await post('/operator/prices', { currency: 'EDGE', quote_currency: 'EDGE', price: '1' })).statusCode).toBe(400);
    expect((await post('/operator/prices', { currency: 'EDGE', quote_currency: 'USDT', price: '0' })).statusCode).toBe(400);
    const price = { currency: 'EDGE', quote_currency: 'USDT', price: '0.123456789' };
    expect((await post('/operator/prices', price)).json()[0]).toMatchObject({ price: 0.123456789, source: 'operator:test-operator' });
    expect((await app.inject({ url: '/bonus-account/asset', headers: asMe })).json()).toEqual({
      quote_currency: 'USDT',
      total: '1.234568',
      partial: true,
      as_of: '2026-11-10T12:00:00.000Z',
      assets: [
        { currency: 'EDGE', balance: '10.000000000000000001', hold: '0', price: '0.123456789', priced_at: '2026-11-10T12:00:00.000Z', value: '1.234568' },
        { currency: 'USDT', balance: '0', hold: '0', price: '1', priced_at: '2026-11-10T12:00:00.000Z', value: '0' },
        { currency: 'ETH', balance: '0', hold: '0', price: null, priced_at: null, value: null },
      ],
    });
    const quote = (await post('/bonus-account/convert/quote', order, asMe)).json();
    expect(quote).toMatchObject({ amount: '4', to_amount: '0.493827', price: '0.123456789' });
    const convertKey = key();
    const done = await post('/bonus-account/convert', { quote_id: quote.quote_id }, { ...asMe, 'idempotency-key': convertKey });
    expect(done.json()).toMatchObject({ to_amount: '0.493827', converted_at: '2026-11-10T12:00:00.000Z' });
    expect((await post('/bonus-account/convert', { quote_id: quote.quote_id }, { ...asMe, 'idempotency-key': convertKey })).body).toBe(done.body);
    expect((await post('/bonus-account/convert', { quote_id: quote.quote_id }, asMe)).json().code).toBe('quote_used');
    expect((await app.inject({ url: '/account/info?currency=USDT', headers: asMe })).json()[0].balance).toBe('0.493827');
    expect((await app.inject({ url: '/bonus-account/info?currency=EDGE', headers: asMe })).json()[0].balance).toBe('6.000000000000000001');
    expect((await post('/bonus-account/convert', { quote_id: quote.quote_id }, { ...asPerson(user, 'wallet:write') })).statusCode).toBe(404);
    const late = (await post('/bonus-account/convert/quote', order, asMe)).json();
    clock.advance(60_000);
    expect((await post('/bonus-account/convert', { quote_id: late.quote_id }, asMe)).json().code).toBe('quote_expired');
    clock.advance(541_000);
    expect((await post('/bonus-account/convert/quote', order, asMe)).json()).toMatchObject({ status: 409, code: 'price_too_old' });
  });

  test.each([
    'currency=DOGE',
    'amountDirection=3',
    'amountDirection=x',
    'businessId=bribe',
    'beginTime=2026-02-30',
    'beginTime=2026-11-02&endTime=2026-11-01',
    'current=0',
    'current=2147483648',
    'size=21',
    'size=0',
    'size=1e1',
  ])('bills refuse %s by its name', async (query) => {
    const rest = ['current', 'size'].filter((name) => !query.startsWith(name)).map((name) => `${name}=1`);
    const answer = await get(`/account/bills?${[query, ...rest].join('&')}`);
    expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_parameter', errors: [{ field: query.split('=', 1)[0] }] });
  });

  test('current and size are required, and a page past the end is empty with the true total', async () => {
    expect((await get('/account/bills?size=20')).json()).toMatchObject({ code: 'invalid_parameter', errors: [{ field: 'current' }] });
    expect((await get('/account/bills?current=1')).json()).toMatchObject({ code: 'invalid_parameter', errors: [{ field: 'size' }] });
    const first = (await get('/bonus-account/bills?current=1&size=20')).json();
    expect((await get('/bonus-account/bills?current=2147483647&size=20')).json()).toEqual({ ...first, records: [], current: 2_147_483_647 });
    expect((await get('/account/info?currency=DOGE')).statusCode).toBe(400);
    expect((await app.inject({ url: '/account/info' })).statusCode).toBe(401);
    expect((await app.inject({ url: '/account/info', headers: asPerson(user, 'devices:read') })).statusCode).toBe(403);
  });

  test('bills are exported as CSV and JSON, a formula as text', async () => {
    const person = await insertUser(database);
    await post('/operator/rewards', reward({ user_id: person, amount: '1.000000000000000001', remark: '=1+1', reference: 'a,"b"' }));
    await post('/operator/rewards', reward({ user_id: person, amount: 2, reward_type: 'PENALTY' }));
    const headers = asPerson(person, 'account:read');
    const csv = await app.inject({ url: '/bonus-account/bills/export', headers: { ...headers, accept: 'text/csv' } });
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = csv.body.split('\r\n');
    expect(lines[0]).toBe('id,currency,business_id,amount_direction,amount,balance_after,reward_type,counterparty,reference,remark,event_at,created_at');
    expect(lines[1]).toMatch(/^\d+,EDGE,reward,2,2,-0\.999999999999999999,PENALTY,reward_pool,,,/);
    expect(lines[2]).toMatch(/^\d+,EDGE,reward,1,1\.000000000000000001,1\.000000000000000001,UPTIME,reward_pool,"a,""b""","'=1\+1",/);
    const json = await app.inject({ url: '/bonus-account/bills/export?amountDirection=1', headers });
    expect(json.json()).toMatchObject([{ remark: '=1+1', amount_direction: 1 }]);
    expect(json.body).toContain('"amount":1.000000000000000001,');
    expect((await app.inject({ url: '/account/bills/export', headers })).body).toBe('[]');
    expect((await app.inject({ url: '/account/bills/export?currency=DOGE', headers })).statusCode).toBe(400);
  });

  test('an operator reads statements, the house, signed heads and the journal', async () => {
    const person = await insertUser(database);
    await post('/operator/rewards', reward({ user_id: person, amount: '7' }));
    const read = (url: string) => app.inject({ url, headers: OPERATOR });
    expect((await read(`/operator/statements?userId=${person}&wallet=bonus&currency=EDGE&current=1&size=20`)).json()).toMatchObject({
      opening_balance: 0,
      closing_balance: 7,
      total: 1,
      records: [{ amount: 7 }],
    });
    const later = await read(`/operator/statements?userId=${person}&wallet=bonus&currency=EDGE&current=1&size=20&beginTime=2027-01-01`);
    expect(later.json()).toMatchObject({ opening_balance: 7, closing_balance: 7, total: 0 });
    expect((await read('/operator/statements?house=reward_pool&lane=3&currency=EDGE&current=1&size=1')).json()).toMatchObject({ lane: 3, lanes: 16 });
    expect(later.json()).not.toHaveProperty('lane');
    expect((await read('/operator/statements?userId=4000000&wallet=bonus&currency=EDGE&current=1&size=1')).json().code).toBe('unknown_user');
    expect((await read('/operator/statements?house=reward_pool&userId=1&currency=EDGE&current=1&size=1')).statusCode).toBe(400);
    const house = (await read('/operator/ledger/accounts')).json() as { account: string; currency: string }[];
    expect(house.find((row) => row.account === 'users' && row.currency === 'EDGE')).toBeDefined();
    const head = await post('/operator/ledger/heads', {});
    expect(JSON.parse(head.json().body).lanes.length).toBe(16);
    expect((await read('/operator/ledger/keys')).json().keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', kid: head.json().kid });
    expect((await app.inject('/.well-known/ledger-keys.json')).json()).toEqual((await read('/operator/ledger/keys')).json());
    expect((await read('/operator/ledger/heads')).json()).toEqual([]);
    expect((await read('/operator/ledger/journal')).body).toContain(`Users:${person}:bonus  7 EDGE`);
    expect((await app.inject({ url: '/operator/ledger/keys', headers: asOperator('operator:rewards') })).statusCode).toBe(403);
  });

  /** A posting takes the first lane that is free. The embedded database has one connection, so the first is always free there. */
  async function postInLane(lane: number, fields: object): Promise<void> {
    const send = () => post('/operator/rewards', reward(fields));
    if (engine === 'embedded') {
      await send();
      return;
    }
    await transaction(database, async (tx) => {
      await tx.query('select from ledger_lane where lane < $1 order by lane for no key update', [lane]);
      await send();
    });
  }

  test('the statement of a house account is that of all its shards, merged by time', async () => {
    const person = await insertUser(database);
    for (let n = 1; n <= 12; n++) {
      await postInLane(n % 4, { user_id: person, amount: n });
      clock.advance(1000);
    }
    const headers = { ...OPERATOR, prefer: 'amounts=string' };
    const read = async (query: string) => (await app.inject({ url: `/operator/statements?house=reward_pool&currency=EDGE&${query}`, headers })).json();
    type Read = { id: number; amount: string; amount_direction: number; balance_after: string; created_at: string };
    const pagesOf = async (query: string): Promise<Read[]> => {
      const { pages } = await read(`${query}current=1&size=7`);
      const each = await Promise.all(Array.from({ length: pages }, (_, n) => read(`${query}current=${n + 1}&size=7`)));
      return each.flatMap(({ records }) => records);
    };
    const shards = await Promise.all(Array.from({ length: 16 }, (_, lane) => pagesOf(`lane=${lane}&`)));
    expect(shards.filter((shard) => shard.length > 0).length).toBe(engine === 'embedded' ? 1 : 4);
    const whole = await pagesOf('');
    const { opening_balance, closing_balance, total, ...rest } = await read('current=1&size=20');
    expect(rest).not.toHaveProperty('lane');
    expect(total).toBe(shards.flat().length);
    expect(whole.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
      shards
        .flat()
        .map(({ id }) => id)
        .toSorted((a, b) => a - b),
    );
    const times = whole.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted().toReversed());
    let balance = 0n;
    for (const bill of whole.toReversed()) {
      balance += parseAmount(bill.amount, 18) * (bill.amount_direction === 1 ? 1n : -1n);
      expect(parseAmount(bill.balance_after, 18)).toBe(balance);
    }
    expect(opening_balance).toBe('0');
    expect(parseAmount(closing_balance, 18)).toBe(balance);
    const accounts = (await app.inject({ url: '/operator/ledger/accounts', headers })).json() as { account: string; currency: string; balance: string }[];
    expect(accounts.find((row) => row.account === 'reward_pool' && row.currency === 'EDGE')?.balance).toBe(closing_balance);
    expect(await read('current=1&size=20&beginTime=2099-01-01')).toMatchObject({ opening_balance: closing_balance, closing_balance, total: 0, records: [] });
    expect(await read('current=1&size=20&endTime=2001-01-01')).toMatchObject({ opening_balance: '0', closing_balance: '0', total: 0 });
    expect(await read('current=2000&size=20')).toMatchObject({ total, records: [] });
  });

  test('undoing one half of a conversion undoes both', async () => {
    const person = await insertUser(database);
    const asMe = asPerson(person, 'account:read', 'wallet:write');
    await post('/operator/rewards', reward({ user_id: person, amount: 4 }));
    const quote = (await post('/bonus-account/convert/quote', { currency: 'EDGE', amount: '3' }, asMe)).json();
    await post('/bonus-account/convert', { quote_id: quote.quote_id }, asMe);
    const bills = async (wallet: string) => (await app.inject({ url: `/${wallet}/bills?current=1&size=20`, headers: asMe })).json().records;
    const transferOf = async (wallet: string): Promise<number> => {
      const url = `/operator/statements?userId=${person}&wallet=${wallet}&currency=EDGE&current=1&size=1`;
      return (await app.inject({ url, headers: OPERATOR })).json().records[0].transfer_id;
    };
    const [out, arrived] = [await transferOf('bonus'), await transferOf('asset')];
    const undone = (await post(`/operator/transfers/${arrived}/reverse`, {})).json();
    expect(undone).toEqual({ id: expect.any(Number), reverses: arrived, also: { id: expect.any(Number), reverses: out } });
    expect((await bills('bonus-account'))[0]).toMatchObject({ amount: 3, balance_after: 4, amount_direction: 1 });
    expect((await bills('account'))[0]).toMatchObject({ amount: 3, balance_after: 0, amount_direction: 2 });
    expect((await post(`/operator/transfers/${out}/reverse`, {})).json()).toMatchObject({ code: 'already_reversed' });
  });

  test('price feeds bring prices as they are written, and say why when they do not', async () => {
    const put = (name: string, fields: object = {}) =>
      app.inject({
        method: 'PUT',
        url: `/operator/price-feeds/${name}`,
        headers: OPERATOR,
        payload: { url: 'https://prices.test/eth', pointer: '/data/0/last', currency: 'ETH', quote_currency: 'USDT', every_s: 60, ...fields },
      });
    expect((await put('eth', { url: 'http://prices.test/eth' })).json()).toMatchObject({ status: 400, errors: [{ field: 'url', code: 'not_https' }] });
    expect((await put('eth', { quote_currency: 'ETH' })).statusCode).toBe(400);
    expect((await put('Bad%20Name')).statusCode).toBe(404);
    expect((await put('eth')).json()).toMatchObject([{ name: 'eth', every_s: 60 }]);
    const feed = async () => (await app.inject({ url: '/operator/price-feeds', headers: OPERATOR })).json()[0];
    const price = async () =>
      (await app.inject({ url: '/operator/prices', headers: { ...OPERATOR, prefer: 'amounts=string' } }))
        .json()
        .find((row: { currency: string }) => row.currency === 'ETH');
    await refreshPrices(database, clock, outgoing);
    expect(await feed()).toMatchObject({ last_error: 'no answer came in time' });
    for (const [text, error] of [
      ['nonsense', 'the answer is not JSON'],
      ['{"data":[]}', 'the answer holds no number at /data/0/last'],
      ['{"data":[{"last":1e3}]}', 'price must be a plain decimal number without exponent'],
      ['{"data":[{"last":0}]}', 'price must be positive and below 10^48'],
    ] as const) {
      answers.set('https://prices.test/eth', text);
      clock.advance(60_000);
      await refreshPrices(database, clock, outgoing);
      expect(await feed()).toMatchObject({ last_error: error });
    }
    answers.set('https://prices.test/eth', '{"data":[{"last":3456.789012345678901234}]}');
    clock.advance(59_000);
    await refreshPrices(database, clock, outgoing);
    expect(await price()).toBeUndefined();
    clock.advance(1000);
    await refreshPrices(database, clock, outgoing);
    expect(await price()).toMatchObject({ price: '3456.789012345678901234', source: 'feed:eth', priced_at: clock.now().toISOString() });
    expect(await feed()).not.toHaveProperty('last_error');
    const { rows } = await database.query<{ type: string }>('select distinct type from event order by type');
    expect(rows.map((row) => row.type)).toEqual([
      'conversion.completed',
      'reward.posted',
      'wallet.changed',
      'withdrawal.cancelled',
      'withdrawal.held',
      'withdrawal.settled',
    ]);
    const gone = await app.inject({ method: 'DELETE', url: '/operator/price-feeds/eth', headers: OPERATOR });
    expect(gone.json()).toEqual([]);
  });
});
