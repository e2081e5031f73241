import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, OPERATOR, openMoneyServer } from '../../test/support/money-server.ts';
import { asOperator, asPerson } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { transaction } from '../db/index.ts';
import { MAX_MINOR, parseAmount } from '../lib/money.ts';

describe.each(RUN_ENGINES)('bills and statements on %s', (engine) => {
  let money: MoneyServer;
  beforeAll(async () => {
    money = await openMoneyServer(engine);
  });
  afterAll(() => money.close());

  test('a new person sees every currency with zero', async () => {
    const newUser = await insertUser(money.database);
    const info = await money.app.inject({
      url: '/account/info',
      headers: asPerson(newUser, 'account:read'),
    });
    expect(info.json()).toEqual(
      ['EDGE', 'USDT', 'ETH'].map((currency) => ({
        currency,
        balance: 0,
        hold: 0,
        deposited: 0,
        withdrawal: 0,
      })),
    );
    const bonus = await money.app.inject({
      url: '/bonus-account/info',
      headers: asPerson(newUser, 'account:read'),
    });
    expect(bonus.json()[0]).toEqual({
      currency: 'EDGE',
      balance: 0,
      hold: 0,
      deposited: 0,
      withdrawal: 0,
      by_reward_type: [],
    });
    const bills = await money.app.inject({
      url: '/account/bills?current=1&size=20',
      headers: asPerson(newUser, 'account:read'),
    });
    expect(bills.json()).toEqual({ records: [], total: 0, size: 20, current: 1, pages: 0 });
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
    const rest = ['current', 'size']
      .filter((name) => !query.startsWith(name))
      .map((name) => `${name}=1`);
    const answer = await money.get(`/account/bills?${[query, ...rest].join('&')}`);
    expect(answer.json()).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      errors: [{ field: query.split('=', 1)[0] }],
    });
  });

  test('current and size are required; a page past the end is empty', async () => {
    expect((await money.get('/account/bills?size=20')).json()).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ field: 'current' }],
    });
    expect((await money.get('/account/bills?current=1')).json()).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ field: 'size' }],
    });
    const first = (await money.get('/bonus-account/bills?current=1&size=20')).json();
    expect((await money.get('/bonus-account/bills?current=2147483647&size=20')).json()).toEqual({
      ...first,
      records: [],
      current: 2_147_483_647,
    });
    expect((await money.get('/account/info?currency=DOGE')).statusCode).toBe(400);
    expect((await money.app.inject({ url: '/account/info' })).statusCode).toBe(401);
    expect(
      (
        await money.app.inject({
          url: '/account/info',
          headers: asPerson(money.user, 'devices:read'),
        })
      ).statusCode,
    ).toBe(403);
  });

  test('bills are exported as CSV and JSON, a formula as text', async () => {
    const person = await insertUser(money.database);
    await money.post(
      '/operator/rewards',
      money.reward({
        user_id: person,
        amount: '1.000000000000000001',
        remark: '=1+1',
        reference: 'a,"b"',
        node_id: 'laptop',
      }),
    );
    await money.post(
      '/operator/rewards',
      money.reward({ user_id: person, amount: 2, reward_type: 'PENALTY' }),
    );
    const headers = asPerson(person, 'account:read');
    const csv = await money.app.inject({
      url: '/bonus-account/bills/export',
      headers: { ...headers, accept: 'text/csv' },
    });
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = csv.body.split('\r\n');
    expect(lines[0]).toBe(
      'id,transfer_id,currency,business_id,amount_direction,amount,balance_after,reward_type,counterparty,reference,remark,event_at,created_at,node_id',
    );
    expect(lines[1]).toMatch(
      /^\d+,\d+,EDGE,reward,2,2,-0\.999999999999999999,PENALTY,reward_pool,,,[^,]+,[^,]+,$/,
    );
    expect(lines[2]).toMatch(
      /^\d+,\d+,EDGE,reward,1,1\.000000000000000001,1\.000000000000000001,UPTIME,reward_pool,"a,""b""","'=1\+1",[^,]+,[^,]+,laptop$/,
    );
    const empty = await money.app.inject({
      url: '/account/bills/export',
      headers: { ...headers, accept: 'text/csv' },
    });
    expect(empty.body).toBe(`${lines[0]}\r\n`);
    const json = await money.app.inject({
      url: '/bonus-account/bills/export?amountDirection=1',
      headers,
    });
    expect(json.json()).toMatchObject([{ remark: '=1+1', amount_direction: 1, node_id: 'laptop' }]);
    const page = '/bonus-account/bills?current=1&size=20';
    const [penalty, reward] = (await money.app.inject({ url: page, headers })).json().records;
    expect(reward).toMatchObject({ node_id: 'laptop' });
    expect(penalty).not.toHaveProperty('node_id');
    expect(json.body).toContain('"amount":1.000000000000000001,');
    expect((await money.app.inject({ url: '/account/bills/export', headers })).body).toBe('[]');
    expect(
      (await money.app.inject({ url: '/account/bills/export?currency=DOGE', headers })).statusCode,
    ).toBe(400);
  });

  test('an operator reads statements, the house, signed heads and the journal', async () => {
    const person = await insertUser(money.database);
    await money.post('/operator/rewards', money.reward({ user_id: person, amount: '7' }));
    const read = (url: string) => money.app.inject({ url, headers: OPERATOR });
    expect(
      (
        await read(
          `/operator/statements?userId=${person}&wallet=bonus&currency=EDGE&current=1&size=20`,
        )
      ).json(),
    ).toMatchObject({
      opening_balance: 0,
      closing_balance: 7,
      total: 1,
      records: [{ amount: 7 }],
    });
    const later = await read(
      `/operator/statements?userId=${person}&wallet=bonus&currency=EDGE&current=1&size=20&beginTime=2027-01-01`,
    );
    expect(later.json()).toMatchObject({ opening_balance: 7, closing_balance: 7, total: 0 });
    expect(
      (
        await read('/operator/statements?house=reward_pool&shard=3&currency=EDGE&current=1&size=1')
      ).json(),
    ).toMatchObject({ shard: 3, shards: 16 });
    expect(later.json()).not.toHaveProperty('shard');
    const ofPerson = await read(
      `/operator/statements?userId=${money.user}&wallet=bonus&shard=3&currency=EDGE&current=1&size=1`,
    );
    expect(ofPerson.json()).toMatchObject({
      status: 400,
      errors: [{ field: 'shard', code: 'not_of_a_person' }],
    });
    expect(
      (
        await read(
          '/operator/statements?userId=4000000&wallet=bonus&currency=EDGE&current=1&size=1',
        )
      ).json().code,
    ).toBe('unknown_user');
    expect(
      (await read('/operator/statements?house=reward_pool&userId=1&currency=EDGE&current=1&size=1'))
        .statusCode,
    ).toBe(400);
    const house = (await read('/operator/ledger/accounts')).json() as {
      account: string;
      currency: string;
    }[];
    const users = house.find((row) => row.account === 'users' && row.currency === 'EDGE');
    expect(users).toBeDefined();
    expect(users).not.toHaveProperty('headroom');
    const head = await money.post('/operator/ledger/heads', {});
    expect(JSON.parse(head.json().body).shards.length).toBe(16);
    expect((await read('/operator/ledger/keys')).json().keys[0]).toMatchObject({
      kty: 'OKP',
      crv: 'Ed25519',
      kid: head.json().kid,
    });
    expect((await money.app.inject('/.well-known/ledger-keys.json')).json()).toEqual(
      (await read('/operator/ledger/keys')).json(),
    );
    expect((await read('/operator/ledger/heads')).json()).toEqual([]);
    expect((await read('/operator/ledger/heads?before=2026-02-30')).statusCode).toBe(400);
    expect((await read('/operator/ledger/heads?size=401')).statusCode).toBe(400);
    expect((await read('/operator/ledger/journal')).body).toContain(
      `Users:${person}:bonus  7 EDGE`,
    );
    expect(
      (
        await money.app.inject({
          url: '/operator/ledger/keys',
          headers: asOperator('operator:rewards'),
        })
      ).statusCode,
    ).toBe(403);
  });

  /**
   * A posting takes the first free shard. The embedded database has one connection, so the first is
   * always free there.
   */
  async function postInShard(shard: number, fields: object): Promise<void> {
    const send = () => money.post('/operator/rewards', money.reward(fields));
    if (engine === 'embedded') {
      await send();
      return;
    }
    await transaction(money.database, async (tx) => {
      await tx.query('select from ledger_shard where shard < $1 order by shard for no key update', [
        shard,
      ]);
      await send();
    });
  }

  test('the statement of a house account is that of all its shards, merged by time', async () => {
    const person = await insertUser(money.database);
    for (let n = 1; n <= 12; n++) {
      const device = n % 3 === 0 && { node_id: `laptop-${n}` };
      await postInShard(n % 4, { user_id: person, amount: n, ...device });
      money.clock.advance(1000);
    }
    const headers = { ...OPERATOR, prefer: 'amounts=string' };
    const read = async (query: string) =>
      (
        await money.app.inject({
          url: `/operator/statements?house=reward_pool&currency=EDGE&${query}`,
          headers,
        })
      ).json();
    type Read = {
      id: number;
      amount: string;
      amount_direction: number;
      balance_after: string;
      created_at: string;
      node_id?: string;
    };
    const pagesOf = async (query: string): Promise<Read[]> => {
      const { pages } = await read(`${query}current=1&size=7`);
      const each = await Promise.all(
        Array.from({ length: pages }, (_, n) => read(`${query}current=${n + 1}&size=7`)),
      );
      return each.flatMap(({ records }) => records);
    };
    const shards = await Promise.all(
      Array.from({ length: 16 }, (_, shard) => pagesOf(`shard=${shard}&`)),
    );
    expect(shards.filter((shard) => shard.length > 0).length).toBe(engine === 'embedded' ? 1 : 4);
    const whole = await pagesOf('');
    const { opening_balance, closing_balance, total, ...rest } = await read('current=1&size=20');
    expect(rest).not.toHaveProperty('shard');
    expect(total).toBe(shards.flat().length);
    const devicesOf = (bills: readonly Read[]) =>
      bills.map(({ id, node_id }) => ({ id, node_id })).toSorted((a, b) => a.id - b.id);
    expect(devicesOf(whole)).toEqual(devicesOf(shards.flat()));
    expect(whole.map(({ node_id }) => node_id)).toContain('laptop-12');
    const times = whole.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted().toReversed());
    let balance = 0n;
    for (const bill of whole.toReversed()) {
      balance += parseAmount(bill.amount, 18) * (bill.amount_direction === 1 ? 1n : -1n);
      expect(parseAmount(bill.balance_after, 18)).toBe(balance);
    }
    expect(opening_balance).toBe('0');
    expect(parseAmount(closing_balance, 18)).toBe(balance);
    const accounts = (
      await money.app.inject({ url: '/operator/ledger/accounts', headers })
    ).json() as { account: string; currency: string; balance: string; headroom?: string }[];
    const pool = accounts.find((row) => row.account === 'reward_pool' && row.currency === 'EDGE');
    expect(pool?.balance).toBe(closing_balance);
    const { rows } = await money.database.query<{ fullest: string }>(
      `select max(greatest(a.debits, a.credits))::text as fullest from account a
       join wallet_kind k on k.id = a.kind_id join currency c on c.id = a.currency_id
       where k.code = 'reward_pool' and c.code = 'EDGE'`,
    );
    expect(parseAmount(pool?.headroom ?? '', 18)).toBe(MAX_MINOR - BigInt(rows[0]?.fullest ?? 0));
    expect(await read('current=1&size=20&beginTime=2099-01-01')).toMatchObject({
      opening_balance: closing_balance,
      closing_balance,
      total: 0,
      records: [],
    });
    expect(await read('current=1&size=20&endTime=2001-01-01')).toMatchObject({
      opening_balance: '0',
      closing_balance: '0',
      total: 0,
    });
    expect(await read('current=2000&size=20')).toMatchObject({ total, records: [] });
  });
});
