/**
 * Every referral level that rules may pay, in a settlement, a dry run, a release and in proofs,
 * beside the naive computation.
 */
import { PROOF_CHECKS, verifyRewardProof } from '@edge-account/sdk/reward-proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import { installLedger } from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import {
  activateRules,
  createProofKey,
  draftRules,
  dryRun,
  type RulesBody,
  registerRewards,
  releaseHeld,
  settleDue,
} from '../../src/rewards/index.ts';
import { openTestDatabase, RUN_ENGINES } from '../support/databases.ts';
import { addOnline, insertDevice, type TestDevice } from '../support/network.ts';
import { LEVELS } from '../support/referral-levels.ts';
import { type NaiveResult, settleNaively } from '../support/rewards-reference-model.ts';
import { testMasterKey } from '../support/test-config.ts';
import { asPerson, createTestServer } from '../support/test-server.ts';
import { insertUser } from '../support/test-users.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');
const HOURS = LEVELS.length + 2;
const at = (hours: number): Date => new Date(START.getTime() + hours * HOUR_MS);

/** Each level needs an hour and an address more than the level before, and pays twice as much. */
const RULES: RulesBody = {
  uptime: { amount: '1' },
  referral: LEVELS.map((level) => ({
    percent: String(2 ** (level - 1)),
    uptime_hours: level,
    distinct_addresses: level + 1,
  })),
};

/**
 * Chains of users, each referred by the one before. The user at depth n is the referee of the first
 * one at level n: with as many addresses as that level needs, or one less, or one less and another
 * that it shares with a user outside.
 */
const CHAINS = ['enough', 'one less', 'shared'] as const;

describe.each(RUN_ENGINES)('all referral levels on %s', (engine) => {
  const clock = createManualClock(new Date(START.getTime() - 1));
  const devices: TestDevice[] = [];
  const online = new Set<number>();
  const referrers = new Map<number, number>();
  const sharing: number[] = [];
  let database: Database;
  let version: number;
  let naive: NaiveResult;

  const deps = () => ({
    database,
    clock,
    rewardCurrency: 'EDGE',
    grace_s: 600,
    period: 'hour' as const,
  });

  async function addDevice(userId: number, address: string): Promise<TestDevice> {
    const device = await insertDevice(database, userId, { address });
    devices.push(device);
    return device;
  }

  async function addUser(
    chain: (typeof CHAINS)[number],
    depth: number,
    referrerId: number | undefined,
  ): Promise<number> {
    const userId = await insertUser(database, referrerId === undefined ? {} : { referrerId });
    if (referrerId !== undefined) referrers.set(userId, referrerId);
    const own = Math.max(1, chain === 'enough' ? depth + 1 : depth);
    for (let n = 0; n < own; n++) {
      const device = await addDevice(userId, `10.${CHAINS.indexOf(chain)}.${depth}.${n}`);
      if (n === 0) online.add(device.id);
    }
    if (chain === 'shared' && depth > 0) {
      const address = `203.0.113.${depth}`;
      await addDevice(userId, address);
      await addDevice(await insertUser(database), address);
      sharing.push(userId);
    }
    return userId;
  }

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    installLedger(database, { clock, masterKey: testMasterKey });
    for (const chain of CHAINS) {
      let above: number | undefined;
      for (const depth of [0, ...LEVELS]) above = await addUser(chain, depth, above);
    }
    version = (await draftRules(database, deps(), RULES, 'test')).version;
    await activateRules(database, deps(), { version, from: START, by: 'test' });
    const times = [...online].map((deviceId) => ({ deviceId, online_ms: HOUR_MS }));
    for (let n = 0; n < HOURS; n++) await addOnline(database, at(n), times);
    clock.set(new Date(at(HOURS).getTime() + 600_000));
    await settleDue(deps());
    naive = settleNaively({
      devices,
      referrers,
      hours: Array.from({ length: HOURS }, (_, n) => ({ hour: at(n), rules: RULES })),
      onlineOf: (deviceId) => (online.has(deviceId) ? HOUR_MS : 0),
      trafficOf: () => new Map(),
      addressOf: (deviceId) => devices.find(({ id }) => id === deviceId)?.address ?? '',
      isActive: () => true,
      releasedFrom: () => undefined,
    });
  });
  afterAll(() => database.close());

  test('a settlement pays what the naive computation pays, at each level', async () => {
    const { rows } = await database.query<{ key: string; amount: string }>(
      `select user_id || ' ' || reward_type || ' ' || day as key, sum(amount)::text as amount
        from earning_day group by 1 having sum(amount) <> 0`,
    );
    expect(new Map(rows.map(({ key, amount }) => [key, BigInt(amount)] as const).sort())).toEqual(
      new Map([...naive.paid].sort()),
    );
    const { rows: levels } = await database.query<{ status: string; levels: number[] }>(
      `select status, array_agg(distinct level::int order by level::int) as levels
        from reward_line where level > 0 group by 1 order by 1`,
    );
    const all = ['held', 'paid', 'rejected'].map((status) => ({ status, levels: LEVELS }));
    expect(levels).toEqual(all);
  });

  test('a dry run of the same rules shows the same', async () => {
    const sums = new Map<number, bigint>();
    for (const [key, amount] of naive.paid) {
      const userId = Number(key.split(' ')[0]);
      sums.set(userId, (sums.get(userId) ?? 0n) + amount);
    }
    const range = { version, from: at(0), before: at(HOURS), limit: 1000 };
    const { users } = await dryRun(database, 'EDGE', range);
    expect(users.toSorted((a, b) => a.userId - b.userId)).toEqual(
      [...sums]
        .sort(([a], [b]) => a - b)
        .map(([userId, sum]) => ({ userId, active: sum, draft: sum })),
    );
  });

  test('a release pays what was held, at each level', async () => {
    for (const userId of sharing) await releaseHeld(database, clock, userId, 'test');
    await settleDue(deps());
    const { rows } = await database.query<{ key: string; amount: string }>(
      `select l.user_id || ' ' || l.referee_id as key, sum(l.amount)::text as amount
        from reward_line l join reward_batch b on b.id = l.batch_id
        where b.kind = 'release' and l.status = 'paid' group by 1`,
    );
    expect(new Map(rows.map(({ key, amount }) => [key, BigInt(amount)] as const).sort())).toEqual(
      new Map([...naive.held].sort()),
    );
  });

  test('a bill of each level has a proof that the SDK verifies', async () => {
    const { rows } = await database.query<{ level: number; user_id: number; bill: number }>(
      `select distinct on (level) level, user_id, t.id * 2 as bill
        from reward_line l join transfer t
          on t.idempotency_key = 'reward:' || l.batch_id || ':' || l.leaf
        where level > 0 and status = 'paid' order by level, l.batch_id, l.leaf`,
    );
    expect(rows.map(({ level }) => level)).toEqual(LEVELS);
    const app = createTestServer();
    const proofKey = createProofKey(testMasterKey);
    registerRewards(app, { db: database, ...deps(), proofKey });
    for (const { level, user_id, bill } of rows) {
      const { body } = await app.inject({
        url: `/me/rewards/${bill}/proof`,
        headers: asPerson(user_id, 'account:read'),
      });
      const checks = Object.values(await verifyRewardProof(body, [proofKey.published]));
      expect(checks, `level ${level}`).toEqual(PROOF_CHECKS.map(() => true));
    }
    await app.close();
  });
});
