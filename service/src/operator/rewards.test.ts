import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, openMoneyServer } from '../../test/support/money-server.ts';
import { asPerson } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { REWARD_TYPES } from '../rewards/index.ts';

describe.each(RUN_ENGINES)('rewards on %s', (engine) => {
  let money: MoneyServer;
  beforeAll(async () => {
    money = await openMoneyServer(engine);
  });
  afterAll(() => money.close());

  test('earnings of other wallets are not shown for the reward wallet', async () => {
    const person = await insertUser(money.database);
    const earn = (wallet: string, amount: string, reward_type = 'TASK') => ({
      debit: { house: 'reward_pool' },
      credit: { user_id: person, wallet },
      currency: 'EDGE',
      amount,
      business_id: 'reward',
      reward_type,
    });
    const plain = { ...earn('asset', '1'), business_id: 'adjustment', reward_type: undefined };
    const shown = async (): Promise<unknown> => {
      const headers = { ...asPerson(person, 'account:read'), prefer: 'amounts=string' };
      return (
        await money.app.inject({ url: '/bonus-account/info?currency=EDGE', headers })
      ).json()[0].by_reward_type;
    };
    const post = (transfers: readonly object[]) => money.post('/operator/transfers', { transfers });
    await post([earn('bonus', '3'), earn('asset', '7'), earn('asset', '5', 'BONUS')]);
    expect(await shown()).toEqual([{ reward_type: 'TASK', amount: '3' }]);
    // The first bills of the other wallet are in complete count blocks now.
    await post(Array.from({ length: 600 }, () => plain));
    await post([earn('asset', '2'), earn('bonus', '0.5')]);
    expect(await shown()).toEqual([{ reward_type: 'TASK', amount: '3.5' }]);
  });

  test('a reward arrives in the reward wallet, once per key', async () => {
    const once = money.key();
    const first = await money.post(
      '/operator/rewards',
      money.reward({ node_id: 'n-1', remark: 'für "dich"\\', event_at: '2026-11-09T23:00:00Z' }),
      {
        'idempotency-key': once,
      },
    );
    expect(first.statusCode).toBe(200);
    const again = await money.post(
      '/operator/rewards',
      money.reward({ node_id: 'n-1', remark: 'für "dich"\\', event_at: '2026-11-09T23:00:00Z' }),
      {
        'idempotency-key': once,
      },
    );
    expect(again.body).toBe(first.body);
    expect(
      (
        await money.post('/operator/rewards', money.reward({ amount: '2' }), {
          'idempotency-key': once,
        })
      ).json(),
    ).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    });
    expect(await money.balanceOf('/bonus-account', 'EDGE')).toMatchObject({
      balance: '1.5',
      by_reward_type: [{ reward_type: 'UPTIME', amount: '1.5' }],
    });
    const { records } = (await money.get('/bonus-account/bills?current=1&size=20')).json();
    expect(records).toEqual([
      {
        id: expect.any(Number),
        transfer_id: first.json().id,
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
        node_id: 'n-1',
      },
    ]);
  });

  test('each built-in type is posted as an earning, and each type of earning has one', async () => {
    const person = await insertUser(money.database);
    for (const reward_type of REWARD_TYPES)
      await money.post('/operator/rewards', money.reward({ user_id: person, reward_type }));
    const headers = asPerson(person, 'account:read');
    const bills = await money.app.inject({
      url: '/bonus-account/bills?current=1&size=20',
      headers,
    });
    const posted = new Map<string, string>(
      bills
        .json()
        .records.map((bill: { reward_type: string; business_id: string }) => [
          bill.reward_type,
          bill.business_id,
        ]),
    );
    expect([...posted.keys()].sort()).toEqual([...REWARD_TYPES].sort());
    expect(posted.get('REFERRAL')).toBe('referral_reward');
    const { rows } = await money.database.query<{ code: string }>(
      'select code from transaction_type where is_earning order by code',
    );
    expect([...new Set(posted.values())].sort()).toEqual(rows.map(({ code }) => code));
  });

  test('concurrent rewards share batches; each keeps its own key, result and answer', async () => {
    const person = await insertUser(money.database);
    const seals = async () =>
      (await money.database.query<{ n: number }>('select sum(seals)::int as n from ledger_shard'))
        .rows[0]?.n ?? 0;
    const before = await seals();
    const twice = money.key();
    const orders = Array.from({ length: 40 }, (_, i) => {
      if (i % 10 === 3) return { currency: 'DOGE' };
      if (i % 10 === 7) return { user_id: 4_000_000 };
      return { user_id: person, amount: String(i + 1) };
    });
    const keysOf = orders.map(() => money.key());
    const same = money.reward({ user_id: person, amount: '1000' });
    const [first, second, ...answers] = await Promise.all([
      money.post('/operator/rewards', same, { 'idempotency-key': twice }),
      money.post('/operator/rewards', same, { 'idempotency-key': twice }),
      ...orders.map((order, i) =>
        money.post('/operator/rewards', money.reward(order), {
          'idempotency-key': keysOf[i] ?? '',
        }),
      ),
    ]);
    expect(first.json()).toMatchObject({ user_id: person, amount: 1000 });
    expect(second.body).toBe(first.body);
    for (const [i, answer] of answers.entries()) {
      if (i % 10 === 3)
        expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_parameter' });
      else if (i % 10 === 7)
        expect(answer.json()).toMatchObject({ status: 404, code: 'unknown_user' });
      else expect(answer.json()).toMatchObject({ user_id: person, amount: i + 1 });
    }
    const ids = new Set(answers.flatMap((answer) => answer.json().id ?? []));
    expect(ids.size).toBe(32);
    expect(await seals()).toBeLessThan(before + 10);
    const again = await Promise.all(
      orders.map((order, i) =>
        money.post('/operator/rewards', money.reward(order), {
          'idempotency-key': keysOf[i] ?? '',
        }),
      ),
    );
    const withoutRequest = (answer: (typeof answers)[number]) => ({
      ...answer.json(),
      request_id: undefined,
    });
    expect(again.map(withoutRequest)).toEqual(answers.map(withoutRequest));
    const other = await money.post(
      '/operator/rewards',
      money.reward({ user_id: person, amount: '5' }),
      { 'idempotency-key': keysOf[0] ?? '' },
    );
    expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' });
    const sum = orders.reduce((total, order, i) => total + ('amount' in order ? i + 1 : 0), 1000);
    const bills = await money.app.inject({
      url: '/bonus-account/bills?current=1&size=1',
      headers: asPerson(person, 'account:read'),
    });
    expect(bills.json()).toMatchObject({ total: 33, records: [{ balance_after: sum }] });
  });

  test('a penalty may overdraw spent rewards and freezes conversion', async () => {
    const person = await insertUser(money.database);
    expect(
      (
        await money.post(
          '/operator/rewards',
          money.reward({ user_id: person, amount: 2, reward_type: 'PENALTY' }),
        )
      ).json(),
    ).toMatchObject({ amount: -2 });
    const asMe = asPerson(person, 'account:read', 'wallet:write');
    const quote = await money.post(
      '/bonus-account/convert/quote',
      { currency: 'EDGE', amount: '1' },
      asMe,
    );
    const convert = await money.post(
      '/bonus-account/convert',
      { quote_id: quote.json().quote_id },
      asMe,
    );
    expect(convert.json()).toMatchObject({ status: 409, code: 'money_frozen' });
    await money.post('/operator/rewards', money.reward({ user_id: person, amount: 5 }));
    expect(
      (await money.post('/bonus-account/convert', { quote_id: quote.json().quote_id }, asMe))
        .statusCode,
    ).toBe(200);
  });

  test.each([
    ['zero', { amount: 0 }, 'amount'],
    ['negative', { amount: '-1' }, 'amount'],
    ['NaN', { amount: 'NaN' }, 'amount'],
    ['an exponent', { amount: '1e3' }, 'amount'],
    ['excess scale', { amount: '0.1234567890123456789' }, 'amount'],
    ['too large', { amount: `${'9'.repeat(61)}` }, 'amount'],
    ['above the ceiling', { amount: `${10n ** 22n}.000000000000000001` }, 'amount'],
    ['an unknown currency', { currency: 'DOGE' }, 'currency'],
    ['no type', { reward_type: undefined }, 'reward_type'],
    ['a day that does not exist', { event_at: '2026-02-30T00:00:00Z' }, 'event_at'],
    ['a year that does not exist', { event_at: '0001-01-01T00:00:00+23:59' }, 'event_at'],
    ['an hour that does not exist', { event_at: '2026-02-27T24:00:00Z' }, 'event_at'],
    ['a future event', { event_at: '2027-01-01T00:00:00Z' }, 'event_at'],
    ['a control character', { remark: 'a\u0007b' }, 'remark'],
    ['an unknown field', { bonus: 1 }, 'bonus'],
  ])('refuses a reward with %s, and nothing moves', async (_name, fields, field) => {
    const before = await money.balanceOf('/bonus-account', 'EDGE');
    const answer = await money.post('/operator/rewards', money.reward(fields));
    expect(answer.json()).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      errors: [{ field }],
    });
    expect(await money.balanceOf('/bonus-account', 'EDGE')).toEqual(before);
  });

  test('refuses number tokens with an exponent too, unknown users, and a missing key', async () => {
    expect(
      (
        await money.post(
          '/operator/rewards',
          `{"user_id":${money.user},"currency":"EDGE","amount":1e3,"reward_type":"TASK"}`,
        )
      ).statusCode,
    ).toBe(400);
    expect(
      (await money.post('/operator/rewards', money.reward({ user_id: 4_000_000 }))).json(),
    ).toMatchObject({ status: 404, code: 'unknown_user' });
    expect(
      (await money.post('/operator/rewards', money.reward(), { 'idempotency-key': '' })).json()
        .code,
    ).toBe('idempotency_key_required');
  });

  test('a member that appears twice is refused and named, and nothing is posted', async () => {
    const before = await money.balanceOf('/bonus-account', 'EDGE');
    const body = `"user_id":${money.user},"currency":"EDGE","reward_type":"TASK"`;
    for (const text of [
      `{${body},"amount":"1","amount":"2"}`,
      `{${body},"amount":"1","\\u0061mount":"1"}`,
    ])
      expect((await money.post('/operator/rewards', text)).json()).toMatchObject({
        status: 400,
        code: 'malformed_body',
        errors: [{ field: 'amount', code: 'repeated' }],
      });
    const transfer =
      '{"debit":{"house":"adjustment"},"credit":{"house":"fees","house":"treasury"},"currency":"EDGE","amount":"1","business_id":"adjustment"}';
    expect(
      (await money.post('/operator/transfers', `{"transfers":[${transfer}]}`)).json(),
    ).toMatchObject({
      status: 400,
      code: 'malformed_body',
      errors: [{ field: 'house', code: 'repeated' }],
    });
    expect(await money.balanceOf('/bonus-account', 'EDGE')).toEqual(before);
  });

  test('18 decimals and the largest amounts survive both wire modes', async () => {
    const person = await insertUser(money.database);
    const amount = `${10n ** 22n - 1n}.000000000000000001`;
    await money.post(
      '/operator/rewards',
      `{"user_id":${person},"currency":"EDGE","amount":${amount},"reward_type":"TASK"}`,
    );
    const { rows } = await money.database.query<{ credits: string }>(
      'select credits from account where user_id = $1 and credits > 0',
      [person],
    );
    expect(rows[0]?.credits).toBe(`${10n ** 40n - 10n ** 18n + 1n}`);
    const headers = asPerson(person, 'account:read');
    expect(
      (await money.app.inject({ url: '/bonus-account/info?currency=EDGE', headers })).body,
    ).toContain(`"balance":${amount},`);
    expect(
      (
        await money.app.inject({
          url: '/bonus-account/info?currency=EDGE',
          headers: { ...headers, prefer: 'amounts=string' },
        })
      ).body,
    ).toContain(`"balance":"${amount}"`);
    expect(
      (await money.app.inject({ url: '/bonus-account/bills?current=1&size=1', headers })).body,
    ).toContain(`"amount":${amount},"balance_after":${amount}`);
  });
});
