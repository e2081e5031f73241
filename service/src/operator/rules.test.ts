import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkEarningsIdentity } from '../../test/support/check-earnings.ts';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { addOnline, insertDevice } from '../../test/support/network.ts';
import {
  createNetwork,
  type SettledNetwork,
  TEST_RULES,
} from '../../test/support/settled-network.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { asOperator, asPerson, createTestServer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { createProofKey, REFERRAL_LEVELS, registerRewards, settleDue } from '../rewards/index.ts';
import { registerOperatorRules } from './index.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');
const referralOf = (levels: number) =>
  Array.from({ length: levels }, () => ({
    percent: '1',
    uptime_hours: 0,
    distinct_addresses: 0,
  }));
const at = (hours: number): Date => new Date(START.getTime() + hours * HOUR_MS);

describe.each(RUN_ENGINES)('operator rules on %s', (engine) => {
  const clock = createManualClock(START);
  let database: Database;
  let network: SettledNetwork;
  let app: HttpServer;

  async function call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) {
    const headers = { ...asOperator('operator:rules'), prefer: 'amounts=string' };
    const response = await app.inject({
      method,
      url: `/operator/${path}`,
      headers,
      ...(body && { payload: body }),
    });
    return { status: response.statusCode, body: response.json() };
  }
  const settle = () =>
    settleDue({ database, clock, rewardCurrency: 'EDGE', grace_s: 600, period: 'hour' as const });

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    network = await createNetwork(database, clock, START);
    app = createTestServer();
    registerOperatorRules(app, { database, clock, rewardCurrency: 'EDGE' });
    registerRewards(app, {
      db: database,
      clock,
      grace_s: 600,
      period: 'hour' as const,
      rewardCurrency: 'EDGE',
      proofKey: createProofKey(testMasterKey),
    });
    await network.use(START);
    await settle();
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  test('drafts, replaces a draft, activates from an hour that has not begun', async () => {
    const { body: draft } = await call('POST', 'rules', { rules: { uptime: { amount: 1 } } });
    expect(draft).toMatchObject({
      version: 2,
      draft: true,
      active_from: [],
      rules: { uptime: { amount: '1' } },
      created_by: 'test-operator',
    });
    const { body: replaced } = await call('PUT', 'rules/2', {
      rules: { uptime: { amount: '2.50' }, traffic: [{ category: '*', amount: '1' }] },
    });
    expect(replaced.rules).toEqual({
      uptime: { amount: '2.50' },
      traffic: [{ category: '*', amount: '1' }],
    });
    expect(replaced.hash).not.toBe(draft.hash);
    clock.set(new Date(at(5).getTime() + HOUR_MS / 2));
    for (const from of [at(4), at(5), new Date(at(6).getTime() + 1)]) {
      expect(
        (await call('POST', 'rules/2/activate', { from: from.toISOString() })).body,
      ).toMatchObject({ status: 400, errors: [{ field: 'from' }] });
    }
    expect((await call('POST', 'rules/2/activate', {})).body).toMatchObject({
      draft: false,
      active_from: [at(6).toISOString()],
    });
    expect((await call('PUT', 'rules/2', { rules: {} })).body).toMatchObject({
      status: 409,
      code: 'rules_not_draft',
    });
    expect(
      (await call('GET', 'rules')).body.map(({ version }: { version: number }) => version),
    ).toEqual([2, 1]);
  });

  test('hours keep the version that applied when they began', async () => {
    for (let n = 1; n <= 7; n++)
      await addOnline(database, at(n), [
        { deviceId: network.devices[0]?.id ?? 0, online_ms: HOUR_MS },
      ]);
    clock.set(at(9));
    await settle();
    const { rows } = await database.query<{ hour: Date; amount: string }>(
      `select hour, amount from reward_line where reward_type = 'UPTIME' and hour between $1 and $2
        order by hour`,
      [at(5), at(6)],
    );
    expect(rows.map(({ amount }) => amount)).toEqual(['500000000000000000', '2500000000000000000']);
  });

  test('the dry run shows who would be paid what', async () => {
    await call('POST', 'rules', { rules: { ...TEST_RULES, uptime: { amount: '1' } } });
    const { body } = await call('POST', 'rules/3/dry-run', {
      from: START.toISOString(),
      before: at(1).toISOString(),
    });
    const { rows: settled } = await database.query<{ reward_type: string; amount: string }>(
      `select reward_type, sum(amount)::text as amount from reward_line where hour = $1
        and status = 'paid' group by 1 order by 1`,
      [START],
    );
    const active = (
      body.by_reward_type as {
        reward_type: string;
        active: string;
        draft: string;
        difference: string;
      }[]
    ).toSorted((a, b) => (a.reward_type < b.reward_type ? -1 : 1));
    // The dry run of the active rules equals what they paid.
    expect(
      active.map((row) => [row.reward_type, BigInt(Math.round(Number(row.active) * 1e9))]),
    ).toEqual(
      settled.map((row) => [row.reward_type, BigInt(Math.round(Number(row.amount) / 1e9))]),
    );
    const uptime = active.find((row) => row.reward_type === 'UPTIME');
    expect(Number(uptime?.draft)).toBeCloseTo(Number(uptime?.active) * 2, 12);
    expect(body.users_total).toBe(3);
    expect(body.users.map(({ difference }: { difference: string }) => Number(difference))).toEqual(
      body.users
        .map(({ difference }: { difference: string }) => Number(difference))
        .toSorted((a: number, b: number) => b - a),
    );
    for (const range of [
      { from: at(1), before: at(1) },
      { from: at(0), before: at(49) },
      { from: new Date(1), before: at(1) },
    ])
      expect(
        (
          await call('POST', 'rules/3/dry-run', {
            from: range.from.toISOString(),
            before: range.before.toISOString(),
          })
        ).status,
      ).toBe(400);
  });

  test('holds a cluster with its reason, and pays what was held when it is released', async () => {
    const [top] = network.users;
    const friend = await insertUser(database, { referrerId: top });
    // The device of the referee is at the address of the referrer.
    const device = await insertDevice(database, friend, {
      address: network.devices[0]?.address ?? '',
    });
    const { body: draft } = await call('POST', 'rules', { rules: TEST_RULES });
    await call('POST', `rules/${draft.version}/activate`, {});
    for (const n of [10, 11])
      await addOnline(database, at(n), [{ deviceId: device.id, online_ms: HOUR_MS }]);
    clock.set(at(13));
    await settle();
    const { body: held } = await call('GET', 'held-rewards?current=1&size=20');
    // 20 % of 0.5 with a campaign of 12.5 %, for two hours.
    expect(held).toMatchObject({
      total: 1,
      records: [{ user_id: friend, reason: 'shared_address', amount: '0.225' }],
    });
    const before = await totalOf(top);
    expect((await linesOf(top, 'held')).map(({ amount }) => amount)).toEqual(['0.1125', '0.1125']);
    const release = { user_id: friend, reason: 'one household' };
    expect((await call('POST', 'held-rewards/release', release)).status).toBe(202);
    expect((await call('POST', 'held-rewards/release', { user_id: 999_999 })).body).toMatchObject({
      status: 404,
      code: 'unknown_user',
    });
    expect((await call('POST', 'held-rewards/release', { user_id: friend })).body).toMatchObject({
      status: 409,
      code: 'not_held',
    });
    await settle();
    await settle();
    expect((await totalOf(top)) - before).toBe(225n * 10n ** 15n);
    expect((await call('GET', 'held-rewards?current=1&size=20')).body).toMatchObject({ total: 0 });
    // Nothing is held any more: the held lines name the bill that paid them.
    expect(await linesOf(top, 'held')).toEqual([]);
    const paid = await linesOf(top, 'paid');
    const released = await linesOf(top, 'released');
    expect(released.map(({ amount }) => amount)).toEqual(['0.1125', '0.1125']);
    for (const line of released)
      expect(paid).toContainEqual(
        expect.objectContaining({ part: 'released', hour: line.hour, bill_id: line.bill_id }),
      );
    await addOnline(database, at(13), [{ deviceId: device.id, online_ms: HOUR_MS }]);
    clock.set(at(15));
    await settle();
    expect((await totalOf(top)) - before).toBe(3375n * 10n ** 14n);
    await checkEarningsIdentity(database, top);
  });

  async function linesOf(
    userId: number,
    status: string,
  ): Promise<{ amount: string; hour: string; bill_id?: number }[]> {
    const headers = { ...asPerson(userId, 'dashboard:read'), prefer: 'amounts=string' };
    return (
      await app.inject({ url: `/me/rewards?current=1&size=20&status=${status}`, headers })
    ).json().records;
  }

  async function totalOf(userId: number): Promise<bigint> {
    const { rows } = await database.query<{ amount: string }>(
      `select sum(amount) as amount from earning_total where user_id = $1
        and reward_type = 'REFERRAL'`,
      [userId],
    );
    return BigInt(rows[0]?.amount ?? 0);
  }

  test('lists the runs', async () => {
    const { body } = await call('GET', 'settlements?current=1&size=20');
    expect(body.records.at(-1)).toMatchObject({
      kind: 'hour',
      hour: START.toISOString(),
      state: 'settled',
      refused: 0,
      root: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    for (const record of body.records) expect(record.posted).toBe(record.lines);
  });

  test.each([
    [{ uptime: { amount: '-1' } }],
    [{ uptime: { amount: '0.0000000000000000001' } }],
    [{ uptime: { amount: '1', more: 1 } }],
    [{ referral: [{ percent: '1001', uptime_hours: 0, distinct_addresses: 0 }] }],
    [{ referral: [{ percent: '10.00001', uptime_hours: 0, distinct_addresses: 0 }] }],
    [{ referral: referralOf(REFERRAL_LEVELS + 1) }],
    [
      {
        traffic: [
          { category: 'a', amount: '1' },
          { category: 'a', amount: '2' },
        ],
      },
    ],
    [
      {
        campaigns: [
          { name: 'x', percent: '1', from: '2026-01-01T00:00:01Z', before: '2026-02-01T00:00:00Z' },
        ],
      },
    ],
    [
      {
        campaigns: [
          { name: 'x', percent: '1', from: '2026-02-01T00:00:00Z', before: '2026-01-01T00:00:00Z' },
        ],
      },
    ],
    [{ limits: { devices_per_user: 0 } }],
    [{ unknown: 1 }],
  ])('refuses %j', async (rules) => {
    expect((await call('POST', 'rules', { rules })).body).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      errors: [{ field: expect.stringContaining('rules') }],
    });
  });

  test('accepts as many referral levels as settlement pays', async () => {
    const rules = { referral: referralOf(REFERRAL_LEVELS) };
    const { status, body } = await call('POST', 'rules', { rules });
    expect({ status, rules: body.rules }).toEqual({ status: 200, rules });
  });

  test('is for operators', async () => {
    for (const path of [
      'rules',
      'rules/1',
      'settlements?current=1&size=1',
      'held-rewards?current=1&size=1',
    ]) {
      expect((await app.inject(`/operator/${path}`)).statusCode).toBe(401);
      expect(
        (await app.inject({ url: `/operator/${path}`, headers: asPerson(1, 'account:read') }))
          .statusCode,
      ).toBe(403);
    }
    for (const path of ['rules/0', 'rules/abc', 'rules/99'])
      expect((await call('GET', path)).status).toBe(404);
  });
});
