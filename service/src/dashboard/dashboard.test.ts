import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { insertDevice } from '../../test/support/network.ts';
import { asOperator, asPerson, bearer, createTestServer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { checkRewardType, readAccrued, readAccruedDays } from '../rewards/index.ts';
import { registerDashboard } from './index.ts';

const clock = createManualClock('2028-03-01T10:00:00Z');
const ONE = 10n ** 18n;

describe.each(RUN_ENGINES)('dashboard on %s', (engine) => {
  let database: Database;
  let app: HttpServer;
  let userId: number;
  let otherId: number;

  async function earn(
    user: number,
    [day, type]: readonly [day: string, type: string],
    amount: bigint,
    { currency = 'EDGE', node = '', wallet = 2 } = {},
  ): Promise<void> {
    await database.query(
      `insert into earning_total as t (user_id, kind_id, currency_id, reward_type,
        amount) select $1, $5, id, $3, $4 from currency where code = $2
        on conflict (user_id, kind_id, currency_id, reward_type) do update
          set amount = t.amount + excluded.amount`,
      [user, currency, type, String(amount), wallet],
    );
    await database.query(
      `insert into earning_day as e (user_id, day, currency_id, reward_type, node_id, amount)
        select $1, $2, id, $4, $5, $6 from currency where code = $3
        on conflict (user_id, day, currency_id, reward_type, node_id) do update
          set amount = e.amount + excluded.amount`,
      [user, day, currency, type, node, String(amount)],
    );
  }

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    userId = await insertUser(database);
    otherId = await insertUser(database);
    app = createTestServer();
    registerDashboard(app, {
      db: database,
      clock,
      rewardCurrency: 'EDGE',
      ...{ checkRewardType, readAccrued, readAccruedDays },
    });
    for (const n of [1, 2, 3, 4]) {
      const device = await insertDevice(database, userId);
      await database.query(
        'insert into device_usage (device_id, bytes_up, bytes_down) values ($1, $2, 890)',
        [device.id, n === 4 ? 1_234_564_331 : 0],
      );
      // A deleted device is not counted any more, and its traffic stays.
      if (n === 4)
        await database.query(
          "update device set cut = 'deleted', cut_reason = 'owner', cut_at = $2 where id = $1",
          [device.id, clock.now()],
        );
    }
    await earn(userId, ['2028-02-28', 'UPTIME'], 3n * ONE, { node: 'a' });
    await earn(userId, ['2028-02-29', 'UPTIME'], 5n * ONE + 1n, { node: 'a' });
    // Into a further wallet: the dashboard counts all of them.
    await earn(userId, ['2028-02-29', 'UPTIME'], 7n * ONE, { node: 'b', wallet: 1 });
    await earn(userId, ['2028-02-29', 'PENALTY'], -2n * ONE, { node: 'b' });
    await earn(userId, ['2028-03-01', 'REFERRAL'], 11n * ONE);
    await earn(userId, ['2028-02-29', 'TRAFFIC'], 1_500_000n, { currency: 'USDT', node: 'a' });
    // A late correction of a day that was paid already.
    await earn(userId, ['2028-02-28', 'UPTIME'], -ONE, { node: 'a' });
    await earn(otherId, ['2028-02-29', 'MY_OWN'], 1000n * ONE, { node: 'z' });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  async function get(path: string, user = userId, headers: Record<string, string> = {}) {
    const response = await app.inject({
      url: path,
      headers: { ...asPerson(user, 'dashboard:read'), ...headers },
    });
    return { status: response.statusCode, body: response.json(), text: response.body };
  }

  test('overview: totals, yesterday, balances, exact to the last unit', async () => {
    const { status, text } = await get('/dashboard/overview');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ devices: 3, traffic_gb: 1.234567891 });
    expect(text).toContain('"network_rewards":23.000000000000000001,');
    expect(text).toContain(
      '"total_earnings":[{"currency":"EDGE","amount":23.000000000000000001},' +
        '{"currency":"USDT","amount":1.5}]',
    );
    expect(text).toContain(
      '"yesterday_earnings":[{"currency":"EDGE","amount":10.000000000000000001},' +
        '{"currency":"USDT","amount":1.5}]',
    );
    expect(text).toContain(
      '"today_earnings":[{"currency":"EDGE","amount":11},{"currency":"USDT","amount":0}]',
    );
    expect(
      JSON.parse(text).balances.map((balance: { currency: string }) => balance.currency),
    ).toEqual(['EDGE', 'ETH', 'USDT']);
    const asStrings = await get('/dashboard/overview', userId, { prefer: 'amounts=string' });
    expect(asStrings.body).toMatchObject({
      network_rewards: '23.000000000000000001',
      traffic_gb: '1.234567891',
    });
  });

  test('overview of a new user: zeros, no member absent', async () => {
    const newcomer = await insertUser(database);
    const zero = { currency: 'EDGE', amount: 0 };
    expect((await get('/dashboard/overview', newcomer)).body).toMatchObject({
      network_rewards: 0,
      total_earnings: [zero],
      yesterday_earnings: [zero],
      today_earnings: [zero],
    });
    expect((await get('/dashboard/network-rewards', newcomer)).body).toEqual([]);
  });

  test('network rewards by type', async () => {
    expect((await get('/dashboard/network-rewards')).text).toBe(
      '[{"reward_type":"PENALTY","currency":"EDGE","amount":-2},' +
        '{"reward_type":"REFERRAL","currency":"EDGE","amount":11},' +
        '{"reward_type":"UPTIME","currency":"EDGE","amount":14.000000000000000001},' +
        '{"reward_type":"TRAFFIC","currency":"USDT","amount":1.5}]',
    );
  });

  test('earnings: every day and currency, leap day included, sums equal to the total', async () => {
    const { body } = await get('/dashboard/earnings', userId, { prefer: 'amounts=string' });
    expect(body).toHaveLength(60);
    expect(body[0]).toEqual({
      date: '2028-02-01',
      currency: 'EDGE',
      amount: '0',
      by_reward_type: [],
    });
    expect(body.at(-1)).toMatchObject({ date: '2028-03-01', currency: 'USDT' });
    const leap = body.filter((point: { date: string }) => point.date === '2028-02-29');
    expect(leap).toEqual([
      {
        date: '2028-02-29',
        currency: 'EDGE',
        amount: '10.000000000000000001',
        by_reward_type: [
          { reward_type: 'PENALTY', amount: '-2' },
          { reward_type: 'UPTIME', amount: '12.000000000000000001' },
        ],
      },
      {
        date: '2028-02-29',
        currency: 'USDT',
        amount: '1.5',
        by_reward_type: [{ reward_type: 'TRAFFIC', amount: '1.5' }],
      },
    ]);
    expect(
      body.find((point: { date: string; currency: string }) => point.date === '2028-02-28'),
    ).toMatchObject({ amount: '2' });
  });

  test('earnings filtered by currency, type and device', async () => {
    const range = 'beginDate=2028-02-28&endDate=2028-02-29';
    const amounts = async (filter: string): Promise<[string, number][]> =>
      (await get(`/dashboard/earnings?${range}&${filter}`)).body.map(
        (point: { currency: string; amount: number }) => [point.currency, point.amount],
      );
    expect(await amounts('currency=USDT')).toEqual([
      ['USDT', 0],
      ['USDT', 1.5],
    ]);
    expect(await amounts('currency=EDGE&rewardType=PENALTY')).toEqual([
      ['EDGE', 0],
      ['EDGE', -2],
    ]);
    expect(await amounts('currency=EDGE&nodeId=b')).toEqual([
      ['EDGE', 0],
      ['EDGE', 5],
    ]);
    expect(await amounts('currency=ETH')).toEqual([
      ['ETH', 0],
      ['ETH', 0],
    ]);
  });

  test.each([
    ['beginDate=2027-02-29', 'beginDate'],
    ['beginDate=2028-3-1', 'beginDate'],
    ['endDate=nonsense', 'endDate'],
    ['endDate=0001-01-01', 'endDate'],
    ['beginDate=2028-03-02&endDate=2028-03-01', 'beginDate'],
    ['beginDate=2028-03-02', 'beginDate'],
    ['beginDate=2027-03-01&endDate=2028-03-01', 'beginDate'],
    ['currency=edge', 'currency'],
    ['currency=', 'currency'],
    ['rewardType=NONSENSE', 'rewardType'],
    ['rewardType=MY_OWN', 'rewardType'],
    ['nodeId=', 'nodeId'],
    ['nodeId=a&nodeId=b', 'nodeId'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await get(`/dashboard/earnings?${query}`);
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 'invalid_parameter', field]);
  });

  test('a device reads what it earned yesterday and today, and of no other device', async () => {
    const { nodeId } = await insertDevice(database, userId);
    const { nodeId: foreign } = await insertDevice(database, otherId);
    await earn(userId, ['2028-02-29', 'UPTIME'], 2n * ONE, { node: nodeId });
    await earn(userId, ['2028-03-01', 'TRAFFIC'], ONE / 4n, { node: nodeId });
    const read = async (node: string, query = '', scope = 'devices:read') => {
      const claims = { userId, tokenUse: 'device' as const, nodeId, scopes: [scope] };
      const url = `/me/devices/${node}/earnings${query}`;
      return (await app.inject({ url, headers: bearer(claims) })).json();
    };
    const both = await read(nodeId);
    expect(both.filter(({ currency }: { currency: string }) => currency === 'EDGE')).toEqual([
      {
        ...{ date: '2028-02-29', currency: 'EDGE', amount: 2 },
        by_reward_type: [{ reward_type: 'UPTIME', amount: 2 }],
      },
      {
        ...{ date: '2028-03-01', currency: 'EDGE', amount: 0.25 },
        by_reward_type: [{ reward_type: 'TRAFFIC', amount: 0.25 }],
      },
    ]);
    const days = await read(nodeId, '?beginDate=2028-02-27&endDate=2028-02-28');
    expect(days[0]).toMatchObject({ date: '2028-02-27', amount: 0 });
    expect(await read(nodeId, '?endDate=0001-01-01')).toMatchObject({ code: 'invalid_parameter' });
    expect(await read(nodeId, '', 'device:connect')).toMatchObject({ status: 403 });
    expect(await read(foreign)).toMatchObject({ status: 403 });
    const owner = asPerson(userId, 'devices:read');
    for (const [node, status] of [
      [nodeId, 200],
      [foreign, 404],
      ['unknown', 404],
    ] as const)
      expect(
        (await app.inject({ url: `/me/devices/${node}/earnings`, headers: owner })).statusCode,
      ).toBe(status);
  });

  test('accepts at most 366 days', async () => {
    expect(
      (await get('/dashboard/earnings?beginDate=2028-01-01&endDate=2028-12-31&currency=EDGE')).body,
    ).toHaveLength(366);
    expect(
      (await get('/dashboard/earnings?beginDate=0002-01-01&endDate=0002-01-01&currency=EDGE')).body,
    ).toHaveLength(1);
    expect((await get('/dashboard/earnings?endDate=9999-12-31&currency=EDGE')).body).toHaveLength(
      30,
    );
  });

  test('requires the scope of a user', async () => {
    for (const path of ['overview', 'network-rewards', 'earnings']) {
      expect((await app.inject(`/dashboard/${path}`)).statusCode).toBe(401);
      expect(
        (await app.inject({ url: `/dashboard/${path}`, headers: asPerson(userId, 'account:read') }))
          .statusCode,
      ).toBe(403);
      expect(
        (await app.inject({ url: `/dashboard/${path}`, headers: asOperator('dashboard:read') }))
          .statusCode,
      ).toBe(403);
    }
  });

  test('the totals equal the sums of the days', async () => {
    const { rows } = await database.query(
      `select * from (select user_id, currency_id, reward_type, sum(amount) as amount
        from earning_day group by 1, 2, 3) d
        full join (select user_id, currency_id, reward_type, sum(amount) as amount
          from earning_total group by 1, 2, 3) t using (user_id, currency_id, reward_type)
          where d.amount is distinct from t.amount`,
    );
    expect(rows).toEqual([]);
  });
});
