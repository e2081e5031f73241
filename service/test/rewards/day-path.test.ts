/** The whole service with its default period: accrued over HTTP, then paid with the day, proven. */
import { PROOF_CHECKS, type RewardKey, verifyRewardProof } from '@edge-account/sdk/reward-proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import type { Database } from '../../src/db/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { settleDue } from '../../src/rewards/index.ts';
import { openTestDatabase, RUN_ENGINES } from '../support/databases.ts';
import { addOnline, insertDevice } from '../support/network.ts';
import { testConfig, testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';
import { createTestTokens, type TestTokens } from '../support/tokens.ts';

const HOUR_MS = 3_600_000;
const DAY = new Date('2026-07-01T00:00:00Z');
const HOURS_ONLINE = [1, 2, 20];

describe.each(RUN_ENGINES)('rewards paid by the day through the whole service on %s', (engine) => {
  const clock = createManualClock(new Date(DAY.getTime() - 1000));
  const config = testConfig();
  let database: Database;
  let app: App;
  let tokens: TestTokens;
  let userId: number;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    app = await createApp({ config, database, masterKey: testMasterKey, clock });
    await app.start();
    tokens = createTestTokens(database, { config, clock });
    userId = await insertUser(database);
  });
  afterAll(async () => {
    await app.stop();
    await database.close();
  });

  async function send(method: 'GET' | 'POST', url: string, token: string, payload?: object) {
    const response = await app.http.inject({
      ...{ method, url, ...(payload && { payload }) },
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': url,
        prefer: 'amounts=string',
      },
    });
    expect(response.statusCode, response.body).toBe(200);
    return { text: response.body, body: JSON.parse(response.body) };
  }

  const settle = (): Promise<void> =>
    settleDue({
      ...{ database, clock, rewardCurrency: 'EDGE' },
      ...{ grace_s: config.REWARD_GRACE, period: config.REWARD_PERIOD },
    });

  const goToHour = (hour: number): void =>
    clock.set(new Date(DAY.getTime() + hour * HOUR_MS + config.REWARD_GRACE * 1000));

  async function readHome() {
    const token = await tokens.person(userId);
    const get = async (url: string) => (await send('GET', url, token)).body;
    const lines = await get('/me/rewards?current=1&size=20');
    return {
      overview: await get('/dashboard/overview'),
      rewards: await get('/dashboard/network-rewards'),
      schedule: await get('/me/rewards/schedule'),
      bills: (await get('/bonus-account/bills?current=1&size=20')).records,
      statuses: lines.records.map(({ status }: { status: string }) => status),
    };
  }

  /** As the browser extension reads it. */
  async function readAsDevice(nodeId: string) {
    const token = await tokens.person(userId, { tokenUse: 'device', scopes: ['openid'], nodeId });
    return (await send('GET', '/me/rewards/schedule', token)).body;
  }

  /** Yesterday and today of a device. */
  const earningsOf = async (nodeId: string) =>
    (await send('GET', `/me/devices/${nodeId}/earnings`, await tokens.person(userId))).body;

  async function activateRules(): Promise<void> {
    const operator = await tokens.operator('operator:rules');
    const rules = { uptime: { amount: '2' } };
    const { body } = await send('POST', '/operator/rules', operator, { rules });
    await send('POST', `/operator/rules/${body.version}/activate`, operator, {});
  }

  test('hours accrue, and one bill pays them once the day is over', async () => {
    await activateRules();
    const device = await insertDevice(database, userId);
    for (const hour of HOURS_ONLINE)
      await addOnline(database, new Date(DAY.getTime() + hour * HOUR_MS), [
        { deviceId: device.id, online_ms: HOUR_MS / 2 },
      ]);

    const idle = await insertDevice(database, userId);

    goToHour(21);
    await settle();
    const payment = { next_payment_at: '2026-07-02T00:10:00.000Z' };
    expect(await readHome()).toMatchObject({
      overview: {
        today_earnings: [{ currency: 'EDGE', amount: '0' }],
        accrued: [{ currency: 'EDGE', amount: '3' }],
      },
      rewards: [{ reward_type: 'UPTIME', accrued: '3' }],
      schedule: { is_paying: true, period: 'day', ...payment },
      bills: [],
      statuses: ['accrued', 'accrued', 'accrued'],
    });
    expect(await readAsDevice(device.nodeId)).toMatchObject({ is_paying: true, ...payment });
    const uptime = { reward_type: 'UPTIME', amount: '0', accrued: '3' };
    const today = { date: '2026-07-01', currency: 'EDGE', amount: '0' };
    const before = { ...today, date: '2026-06-30', by_reward_type: [] };
    expect(await earningsOf(device.nodeId)).toEqual([
      before,
      { ...today, accrued: '3', by_reward_type: [uptime] },
    ]);
    expect(await earningsOf(idle.nodeId)).toEqual([before, { ...today, by_reward_type: [] }]);

    goToHour(24);
    await settle();
    const paid = await readHome();
    expect(paid).toMatchObject({
      overview: {
        yesterday_earnings: [{ currency: 'EDGE', amount: '3' }],
        accrued: [{ currency: 'EDGE', amount: '0' }],
      },
      bills: [
        {
          ...{ reward_type: 'UPTIME', amount: '3', event_at: DAY.toISOString() },
          node_id: device.nodeId,
        },
      ],
      statuses: ['paid', 'paid', 'paid'],
    });
    expect(paid.bills).toHaveLength(1);
    expect(paid.rewards[0]).not.toHaveProperty('accrued');
    expect(await earningsOf(device.nodeId)).toEqual([
      { ...today, amount: '3', by_reward_type: [{ reward_type: 'UPTIME', amount: '3' }] },
      { ...before, date: '2026-07-02' },
    ]);

    const token = await tokens.person(userId);
    const { text } = await send('GET', `/me/rewards/${paid.bills[0].id}/proof`, token);
    expect(JSON.parse(text).lines).toHaveLength(HOURS_ONLINE.length);
    const published = await app.http.inject('/.well-known/reward-keys.json');
    const { keys } = JSON.parse(published.body) as { keys: RewardKey[] };
    expect(Object.values(await verifyRewardProof(text, keys))).toEqual(
      PROOF_CHECKS.map(() => true),
    );
  });
});
