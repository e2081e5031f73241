import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, OPERATOR, openMoneyServer } from '../../test/support/money-server.ts';
import { asPerson } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { transaction } from '../db/index.ts';
import { postTransfers } from '../ledger/index.ts';

describe.each(RUN_ENGINES)('transfers and withdrawals on %s', (engine) => {
  let money: MoneyServer;
  beforeAll(async () => {
    money = await openMoneyServer(engine);
  });
  afterAll(() => money.close());

  test('items of a batch succeed or fail separately; an atomic one as a whole', async () => {
    const mine = { user_id: money.user, wallet: 'asset' };
    const good = {
      debit: { house: 'adjustment' },
      credit: mine,
      currency: 'USDT',
      amount: '3',
      business_id: 'adjustment',
    };
    const transfers = [
      good,
      { ...good, currency: 'XXX' },
      { ...good, debit: mine, credit: { house: 'adjustment' }, amount: '99' },
      { ...good, business_id: 'bribe' },
      { ...good, credit: { user_id: money.user } },
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
      await money.post('/operator/transfers', {
        transfers: [
          ...malformed,
          { ...good, amount: '1' },
          { ...good, amount: '1', debit: mine, credit: good.debit },
        ],
      })
    ).json();
    expect(
      mixed.results.map(
        (result: { status: string; code?: string }) => result.code ?? result.status,
      ),
    ).toEqual([...malformed.map(() => 'invalid_parameter'), 'posted', 'posted']);
    expect(mixed.results[3].detail).toMatch(/^reward_type /);
    const { results } = (
      await money.post('/operator/transfers', { transfers: transfers.slice(0, 6) })
    ).json();
    expect(
      results.map((result: { status: string; code?: string }) => result.code ?? result.status),
    ).toEqual([
      'posted',
      'invalid_parameter',
      'insufficient_funds',
      'invalid_parameter',
      'invalid_parameter',
      'same_account',
    ]);
    const before = await money.balanceOf('/account', 'USDT');
    const atomic = (
      await money.post('/operator/transfers', { atomic: true, transfers: [good, transfers[2]] })
    ).json();
    expect(atomic.results.map((result: { code: string }) => result.code)).toEqual([
      'batch_refused',
      'insufficient_funds',
    ]);
    expect(await money.balanceOf('/account', 'USDT')).toEqual(before);
    expect(
      (await money.post('/operator/transfers', { transfers: [transfers[6]] })).json().results[0]
        .status,
    ).toBe('posted');
    expect(await money.balanceOf('/account', 'USDT')).toMatchObject({ balance: '-7' });
    expect(
      (
        await money.post('/operator/withdrawals', {
          user_id: money.user,
          currency: 'USDT',
          amount: '1',
        })
      ).json().code,
    ).toBe('money_frozen');
    await money.post('/operator/transfers', { transfers: [{ ...good, amount: '7' }] });
    expect((await money.post('/operator/transfers', { transfers: [] })).statusCode).toBe(400);
    expect(
      (
        await money.post('/operator/transfers', {
          transfers: Array.from({ length: 1001 }, () => good),
        })
      ).statusCode,
    ).toBe(400);
  });

  test('an item whose text cannot be stored is refused alone', async () => {
    const good = {
      debit: { house: 'adjustment' },
      credit: { user_id: money.user, wallet: 'asset' },
      currency: 'USDT',
      amount: '1',
      business_id: 'adjustment',
    };
    const bad = [
      { ...good, remark: 'a\u0000b' },
      { ...good, reference: 'a\ud800b' },
      { ...good, credit: { user_id: money.user, wallet: '\udfff' } },
      '\u0000',
    ];
    const answer = await money.post('/operator/transfers', { transfers: [...bad, good] });
    expect(answer.json().results).toMatchObject([
      ...bad.map(() => ({ code: 'invalid_parameter' })),
      { status: 'posted' },
    ]);
    expect(answer.json().results[0].detail).toBe(
      'remark holds NUL, a lone surrogate or a field of a forbidden name',
    );
  });

  test('a thousand items fit, every text at its longest in whatever spelling', async () => {
    const inAscii = (text: string): string =>
      text.replace(
        /[^\x20-\x7e\n]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    const item = {
      debit: { house: 'adjustment' },
      credit: { user_id: money.user, wallet: 'asset' },
      currency: 'USDT',
      amount: '0.000001',
      business_id: 'adjustment',
      event_at: '2026-11-01T00:00:00.000000000+00:00',
      remark: '😀'.repeat(500),
      reference: '漢'.repeat(256),
      node_id: '漢'.repeat(256),
    };
    const transfers = Array.from({ length: 1000 }, () => item);
    for (const body of [
      JSON.stringify({ transfers }),
      inAscii(JSON.stringify({ transfers }, null, 4)),
    ]) {
      const answer = await money.post('/operator/transfers', body);
      expect(answer.statusCode).toBe(200);
      expect(
        answer.json().results.every((result: { status: string }) => result.status === 'posted'),
      ).toBe(true);
    }
  });

  test('a thousand transfers in one request', async () => {
    const person = await insertUser(money.database);
    const transfers = Array.from({ length: 1000 }, (_, i) => ({
      debit: { house: 'reward_pool' },
      credit: { user_id: person, wallet: 'bonus' },
      currency: 'EDGE',
      amount: String(i + 1),
      business_id: 'reward',
      reward_type: 'TASK',
    }));
    const { results } = (await money.post('/operator/transfers', { transfers })).json();
    expect(results.every((result: { status: string }) => result.status === 'posted')).toBe(true);
    const page = await money.app.inject({
      url: '/bonus-account/bills?current=50&size=20',
      headers: asPerson(person, 'account:read'),
    });
    expect(page.json()).toMatchObject({
      total: 1000,
      pages: 50,
      records: { length: 20, 19: { amount: 1, balance_after: 1 } },
    });
  });

  test('settling records the payment, frozen or not; its reversal is shown', async () => {
    const person = await insertUser(money.database);
    const mine = { user_id: person, wallet: 'asset' };
    const deposit = {
      debit: { house: 'deposit_clearing' },
      credit: mine,
      currency: 'USDT',
      amount: '100',
      business_id: 'deposit',
    };
    const [{ id }] = (await money.post('/operator/transfers', { transfers: [deposit] })).json()
      .results;
    const withdraw = { user_id: person, currency: 'USDT', amount: '70' };
    const held = (await money.post('/operator/withdrawals', withdraw)).json();
    await money.post(`/operator/transfers/${id}/reverse`, {});
    expect(
      (await money.post('/operator/withdrawals', { ...withdraw, amount: '1' })).json().code,
    ).toBe('money_frozen');
    const settled = (await money.post(`/operator/withdrawals/${held.id}/settle`, {})).json();
    expect(settled).toMatchObject({ status: 'settled', settled: 70 });
    expect(settled).not.toHaveProperty('reversed');
    const statement = (url: string) => money.app.inject({ url, headers: OPERATOR });
    const { closing_balance, records } = (
      await statement(
        `/operator/statements?userId=${person}&wallet=asset&currency=USDT&current=1&size=1`,
      )
    ).json();
    expect(closing_balance).toBe(-70);
    await money.post(`/operator/transfers/${records[0].transfer_id}/reverse`, {});
    expect((await statement(`/operator/withdrawals/${held.id}`)).json()).toMatchObject({
      status: 'settled',
      settled: 70,
      reversed: 70,
    });
  });

  test.each([
    'deposit/1/1',
    'deposit_reversal/1/1',
    'payout/1/settle',
    'payout/1/settle/fee',
    'payout/1/network-fee/1',
    'payout/1/network-fee/1/reversal',
    'payout/1/refund/1',
    'payout/1/repay/1/fee',
  ])('a transfer %s from or to a chain is not reversed', async (idempotencyKey) => {
    const [result] = await postTransfers(money.database, [
      {
        idempotencyKey,
        debit: { house: 'deposit_clearing' },
        credit: { userId: money.user, wallet: 'asset' },
        currency: 'USDT',
        amount: 1n,
        businessId: 'deposit',
        eventAt: new Date(),
      },
    ]);
    const id = result?.status === 'posted' ? result.transferId : 0;
    expect((await money.post(`/operator/transfers/${id}/reverse`, {})).json()).toMatchObject({
      status: 409,
      code: 'not_reversible',
    });
  });

  test('a transfer is reversed once', async () => {
    const { id } = (await money.post('/operator/rewards', money.reward({ amount: '0.25' }))).json();
    expect(
      (await money.post(`/operator/transfers/${id}/reverse`, { remark: 'mistake' })).json(),
    ).toMatchObject({ reverses: id });
    expect((await money.post(`/operator/transfers/${id}/reverse`, {})).json()).toMatchObject({
      status: 409,
      code: 'already_reversed',
    });
    expect((await money.post('/operator/transfers/999999999/reverse', {})).statusCode).toBe(404);
    expect((await money.post('/operator/transfers/1e1/reverse', {})).statusCode).toBe(404);
  });

  test('a body of optional fields only may be left out: it is an empty one', async () => {
    const person = await insertUser(money.database);
    const give = {
      debit: { house: 'deposit_clearing' },
      credit: { user_id: person, wallet: 'asset' },
      currency: 'USDT',
      amount: '10',
      business_id: 'deposit',
    };
    const { results } = (await money.post('/operator/transfers', { transfers: [give] })).json();
    const order = { user_id: person, currency: 'USDT', amount: '1' };
    const settled = (await money.post('/operator/withdrawals', order)).json().id;
    const cancelled = (await money.post('/operator/withdrawals', order)).json().id;
    const paths = [
      `/operator/withdrawals/${settled}/settle`,
      `/operator/withdrawals/${cancelled}/cancel`,
      `/operator/transfers/${results[0].id}/reverse`,
    ];
    await money.post('/operator/transfers', { transfers: [give] });
    for (const path of paths) {
      const headers = { 'idempotency-key': money.key() };
      const first = await money.post(path, undefined, headers);
      expect({ path, status: first.statusCode }).toEqual({ path, status: 200 });
      expect((await money.post(path, {}, headers)).body).toBe(first.body);
    }
  });

  test('a withdrawal is held, settled in part, cancelled; each once', async () => {
    const person = await insertUser(money.database);
    const give = {
      debit: { house: 'deposit_clearing' },
      credit: { user_id: person, wallet: 'asset' },
      currency: 'USDT',
      amount: '10',
      business_id: 'deposit',
    };
    await money.post('/operator/transfers', { transfers: [give] });
    const held = (
      await money.post('/operator/withdrawals', {
        user_id: person,
        currency: 'USDT',
        amount: '6',
        reference: 'w-1',
      })
    ).json();
    expect(held).toMatchObject({ amount: 6, remaining: 6, status: 'held', reference: 'w-1' });
    const path = `/operator/withdrawals/${held.id}`;
    expect((await money.post(`${path}/settle`, { amount: '7' })).json().code).toBe(
      'hold_too_small',
    );
    expect((await money.post(`${path}/settle`, { amount: '0' })).statusCode).toBe(400);
    const settleKey = money.key();
    const settled = await money.post(
      `${path}/settle`,
      { amount: '2.5' },
      { 'idempotency-key': settleKey },
    );
    expect(settled.json()).toMatchObject({ remaining: 3.5, settled: 2.5, status: 'held' });
    expect(
      (await money.post(`${path}/settle`, { amount: '2.5' }, { 'idempotency-key': settleKey }))
        .body,
    ).toBe(settled.body);
    for (const body of ['[]', '{"amount":"1"}', '7'])
      expect((await money.post(`${path}/cancel`, body)).statusCode).toBe(400);
    for (const step of ['cancel', 'settle'])
      expect((await money.post(`${path}/${step}`, '{"unknown":1}')).statusCode).toBe(400);
    expect((await money.post(`${path}/cancel`, {})).json()).toMatchObject({
      remaining: 0,
      settled: 2.5,
      status: 'cancelled',
    });
    expect((await money.post(`${path}/cancel`, {})).json().code).toBe('hold_not_open');
    const headers = { ...asPerson(person, 'account:read'), prefer: 'amounts=string' };
    expect(
      (await money.app.inject({ url: '/account/info?currency=USDT', headers })).json(),
    ).toEqual([
      { currency: 'USDT', balance: '7.5', hold: '0', deposited: '10', withdrawal: '2.5' },
    ]);
    expect((await money.post('/operator/withdrawals/12345678/settle', {})).statusCode).toBe(404);
    expect(
      (
        await money.app.inject({ url: `/operator/withdrawals?userId=${person}`, headers: OPERATOR })
      ).json(),
    ).toMatchObject([{ id: held.id, status: 'cancelled' }]);
    expect((await money.app.inject({ url: path, headers: OPERATOR })).json()).toMatchObject({
      id: held.id,
    });
    money.frozen.add(person);
    expect(
      (
        await money.post('/operator/withdrawals', {
          user_id: person,
          currency: 'USDT',
          amount: '1',
        })
      ).json().code,
    ).toBe('money_frozen');
    money.frozen.delete(person);
  });

  /** A user who converted 3 of 4 EDGE, and the two transfers of the conversion. */
  async function convertSome() {
    const person = await insertUser(money.database);
    const asMe = asPerson(person, 'account:read', 'wallet:write');
    await money.post('/operator/rewards', money.reward({ user_id: person, amount: 4 }));
    const quote = (
      await money.post('/bonus-account/convert/quote', { currency: 'EDGE', amount: '3' }, asMe)
    ).json();
    await money.post('/bonus-account/convert', { quote_id: quote.quote_id }, asMe);
    const transferOf = async (wallet: string): Promise<number> => {
      const query = `userId=${person}&wallet=${wallet}&currency=EDGE&current=1&size=1`;
      const url = `/operator/statements?${query}`;
      return (await money.app.inject({ url, headers: OPERATOR })).json().records[0].transfer_id;
    };
    return { asMe, out: await transferOf('bonus'), arrived: await transferOf('asset') };
  }

  test('reversing one half of a conversion reverses both', async () => {
    const { asMe, out, arrived } = await convertSome();
    const bills = async (wallet: string) =>
      (await money.app.inject({ url: `/${wallet}/bills?current=1&size=20`, headers: asMe })).json()
        .records;
    const undone = (await money.post(`/operator/transfers/${arrived}/reverse`, {})).json();
    expect(undone).toEqual({
      id: expect.any(Number),
      reverses: arrived,
      also: { id: expect.any(Number), reverses: out },
    });
    expect((await bills('bonus-account'))[0]).toMatchObject({
      amount: 3,
      balance_after: 4,
      amount_direction: 1,
    });
    expect((await bills('account'))[0]).toMatchObject({
      amount: 3,
      balance_after: 0,
      amount_direction: 2,
    });
    expect((await money.post(`/operator/transfers/${out}/reverse`, {})).json()).toMatchObject({
      code: 'already_reversed',
    });
  });

  test('many reversals of both halves of a conversion: one succeeds, no deadlock', async () => {
    for (let round = 0; round < 5; round++) {
      const { out, arrived } = await convertSome();
      const answers = await Promise.all(
        [out, arrived, arrived, out, out, arrived].map((id) =>
          money.post(`/operator/transfers/${id}/reverse`, {}),
        ),
      );
      expect(answers.map((answer) => answer.statusCode).sort()).toEqual([
        200, 409, 409, 409, 409, 409,
      ]);
      expect(new Set(answers.map((answer) => answer.json().code))).toEqual(
        new Set([undefined, 'already_reversed']),
      );
    }
  });

  // The embedded database has one connection: no request waits there for the locks of another.
  if (engine === 'server')
    test('requests that wait for one account get 503, and others are served', async () => {
      const [held, other] = [await insertUser(money.database), await insertUser(money.database)];
      const pay = (userId: number) => {
        const item = {
          debit: { house: 'adjustment' },
          credit: { user_id: userId, wallet: 'bonus' },
          currency: 'EDGE',
          amount: '1',
          business_id: 'adjustment',
        };
        return money.post('/operator/transfers', { transfers: [item] });
      };
      expect((await pay(held)).statusCode).toBe(200);
      const locked = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const holding = transaction(money.database, async (tx) => {
        await tx.query('select from account where user_id = $1 for update', [held]);
        locked.resolve();
        await release.promise;
      });
      await locked.promise;
      const waiting = Array.from({ length: 12 }, () => pay(held));
      expect((await pay(other)).statusCode).toBe(200);
      const refused = await Promise.all(waiting);
      release.resolve();
      await holding;
      expect(refused.map((answer) => [answer.statusCode, answer.headers['retry-after']])).toEqual(
        Array(12).fill([503, '1']),
      );
      expect((await pay(held)).statusCode).toBe(200);
    });

  test('an item with a field of a forbidden name is refused alone', async () => {
    const good = {
      debit: { house: 'adjustment' },
      credit: { user_id: money.user, wallet: 'asset' },
      currency: 'USDT',
      amount: '1',
      business_id: 'adjustment',
    };
    const text = JSON.stringify(good);
    const bad = ['a\\u0000b', '__proto__', 'constructor', '\\ud800'].flatMap((name) => [
      text.replace('{', `{"${name}":{"amount":"2"},`),
      text.replace('"debit":{', `"debit":{"${name}":1,`),
    ]);
    const answer = await money.post(
      '/operator/transfers',
      `{"transfers":[${[...bad, text].join(',')}]}`,
    );
    expect(
      answer
        .json()
        .results.map((result: { status: string; code?: string }) => result.code ?? result.status),
    ).toEqual([...bad.map(() => 'invalid_parameter'), 'posted']);
    expect(answer.json().results[0].detail).toBe(
      'item holds NUL, a lone surrogate or a field of a forbidden name',
    );
    for (const name of ['__proto__', 'a\\u0000b'])
      expect(
        (await money.post('/operator/transfers', `{"${name}":1,"transfers":[${text}]}`)).json(),
      ).toMatchObject({ status: 400, code: 'invalid_parameter' });
  });

  test('each change causes an event', async () => {
    const { rows } = await money.database.query<{ type: string }>(
      'select distinct type from event order by type',
    );
    expect(rows.map((row) => row.type)).toEqual([
      'conversion.completed',
      'reward.posted',
      'wallet.changed',
      'withdrawal.cancelled',
      'withdrawal.held',
      'withdrawal.settled',
    ]);
  });
});
