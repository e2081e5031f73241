/**
 * The whole service: rules, usage, settlement, stream, dashboard and proof over HTTP, with real
 * tokens, on two instances.
 */
import { PROOF_CHECKS, type RewardKey, verifyRewardProof } from '@edge-account/sdk/reward-proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import type { Database } from '../../src/db/index.ts';
import { assignPositions } from '../../src/events/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { settleDue } from '../../src/rewards/index.ts';
import { checkEarningsIdentity } from '../support/check-earnings.ts';
import { ENGINES, openTestDatabase } from '../support/databases.ts';
import { type EventReader, type ReceivedEvent, readEvents } from '../support/event-stream.ts';
import { addOnline, insertDevice } from '../support/network.ts';
import { testConfig, testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';
import { createTestTokens, type TestTokens } from '../support/tokens.ts';

const HOUR_MS = 3_600_000;

describe.each(ENGINES)('rewards through the whole service on %s', (engine) => {
  const clock = createManualClock(new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 1000));
  const config = testConfig({ REWARD_PERIOD: 'hour' });
  const apps: App[] = [];
  const urls: string[] = [];
  let database: Database;
  let tokens: TestTokens;
  let userId: number;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    for (const _ of [1, 2]) {
      const app = await createApp({ config, database, masterKey: testMasterKey, clock });
      await app.start();
      apps.push(app);
      urls.push(await app.http.listen({ host: '127.0.0.1', port: 0 }));
    }
    tokens = createTestTokens(database, { config, clock });
    userId = await insertUser(database);
  });
  afterAll(async () => {
    for (const app of apps) await app.stop();
    await database.close();
  });

  async function call(node: number, request: string, token: string, body?: object) {
    const [method = '', path = ''] = request.split(' ');
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': path,
      prefer: 'amounts=string',
    };
    const response = await fetch(`${urls[node]}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return { text, body: JSON.parse(text) };
  }

  async function waitFor(reader: EventReader, type: string): Promise<ReceivedEvent> {
    for (;;) {
      const event = await reader.next();
      if (!event) throw new Error(`the stream ended before ${type}`);
      if (event.event === type) return event;
    }
  }

  test('a reward of the operator reaches each instance; settled hours have proofs', async () => {
    const operator = await tokens.operator('operator:rewards', 'operator:rules');
    const { accessToken } = await tokens.login(userId, { lifetime_s: 12 * 3600 });
    const readers = await Promise.all(
      urls.map((url) => readEvents(`${url}/me/events`, { authorization: `Bearer ${accessToken}` })),
    );
    const reward = {
      user_id: userId,
      currency: 'EDGE',
      amount: '1.000000000000000001',
      reward_type: 'TASK',
    };
    await call(0, 'POST /operator/rewards', operator, reward);
    await assignPositions(database, clock);
    for (const reader of readers)
      expect((await waitFor(reader, 'reward.posted')).data).toMatchObject({
        data: { reward_type: 'TASK' },
      });

    const readSchedule = async () => (await call(1, 'GET /me/rewards/schedule', accessToken)).body;
    const kinds = { has_uptime: false, has_traffic: false, has_referral: false };
    expect(await readSchedule()).toEqual({ is_paying: false, ...kinds, period: 'hour' });
    const { body: rules } = await call(0, 'POST /operator/rules', operator, {
      rules: { uptime: { amount: '2' } },
    });
    const activate = `POST /operator/rules/${rules.version}/activate`;
    const { body: active } = await call(1, activate, operator, {});
    expect((await call(0, `GET /operator/rules/${rules.version}`, operator)).body).toEqual(active);
    const hour = new Date(active.active_from[0]);
    const dueAt = (of: Date) => new Date(of.getTime() + HOUR_MS + config.REWARD_GRACE * 1000);
    expect(await readSchedule()).toEqual({
      is_paying: hour <= clock.now(),
      ...{ ...kinds, has_uptime: hour <= clock.now() },
      period: 'hour',
      next_payment_at: dueAt(hour).toISOString(),
    });
    const device = await insertDevice(database, userId);
    await addOnline(database, hour, [{ deviceId: device.id, online_ms: HOUR_MS / 2 }]);
    clock.set(new Date(hour.getTime() + HOUR_MS + config.REWARD_GRACE * 1000));
    await settleDue({
      database,
      clock,
      rewardCurrency: 'EDGE',
      grace_s: config.REWARD_GRACE,
      period: config.REWARD_PERIOD,
    });
    await assignPositions(database, clock);
    for (const reader of readers) {
      const { data } = (await waitFor(reader, 'rewards.settled')).data as { data: object };
      expect(data).toEqual({
        batch: expect.any(Number),
        kind: 'hour',
        hour: hour.toISOString(),
        root: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    }

    expect(await readSchedule()).toEqual({
      is_paying: true,
      ...{ ...kinds, has_uptime: true },
      period: 'hour',
      next_payment_at: dueAt(new Date(hour.getTime() + HOUR_MS)).toISOString(),
      settled_until: new Date(hour.getTime() + HOUR_MS).toISOString(),
    });
    const { body: overview } = await call(1, 'GET /dashboard/overview', accessToken);
    expect(overview).toMatchObject({
      network_rewards: '2.000000000000000001',
      devices: 1,
      total_earnings: [{ currency: 'EDGE', amount: '2.000000000000000001' }],
    });
    const earned = `GET /dashboard/earnings?currency=EDGE&nodeId=${device.nodeId}`;
    const { body: earnings } = await call(0, earned, accessToken);
    expect(
      earnings.reduce((sum: number, point: { amount: string }) => sum + Number(point.amount), 0),
    ).toBe(1);
    const page = 'GET /bonus-account/bills?current=1&size=20';
    const { body: bills } = await call(0, page, accessToken);
    const uptime = bills.records.find(
      (bill: { reward_type: string }) => bill.reward_type === 'UPTIME',
    );
    expect(uptime).toMatchObject({ amount: '1', event_at: hour.toISOString() });
    const { text } = await call(1, `GET /me/rewards/${uptime.id}/proof`, accessToken);
    const keys = (await (await fetch(`${urls[0]}/.well-known/reward-keys.json`)).json()) as {
      keys: RewardKey[];
    };
    expect(Object.values(await verifyRewardProof(text, keys.keys))).toEqual(
      PROOF_CHECKS.map(() => true),
    );
    await checkEarningsIdentity(database, userId);

    await call(1, 'POST /user/logout', accessToken, { id: userId }).catch((error: Error) => {
      // Nothing to say: an empty body is no JSON.
      if (!(error instanceof SyntaxError)) throw error;
    });
    for (const reader of readers)
      expect((await waitFor(reader, 'closed')).data).toMatchObject({ reason: expect.any(String) });
  });
});
