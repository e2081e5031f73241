/** Proofs of lines in every tree of a settlement whose buckets have several chunks of lines. */
import { PROOF_CHECKS, verifyRewardProof } from '@edge-account/sdk/reward-proof';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/databases.ts';
import { addOnline, insertDevice } from '../../../test/support/network.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import { asPerson, createTestServer } from '../../../test/support/test-server.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import type { Database } from '../../db/index.ts';
import type { HttpServer } from '../../http/index.ts';
import { installLedger } from '../../ledger/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { activateRules, createProofKey, draftRules, registerRewards, settleDue } from '../index.ts';
import { CHUNK } from '../reward-lines.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');
const DUE = new Date(START.getTime() + HOUR_MS + 600_000);
const DEVICES = CHUNK + 3;

const clock = createManualClock(new Date(START.getTime() - 1));
const proofKey = createProofKey(testMasterKey);
const deps = { clock, rewardCurrency: 'EDGE', grace_s: 600, period: 'hour' as const };
let database: Database;
let app: HttpServer;

beforeAll(async () => {
  database = await openTestDatabase('server');
  installLedger(database, { clock, masterKey: testMasterKey });
  const top = await insertUser(database);
  const users = [top, await insertUser(database, { referrerId: top })];
  const times: { deviceId: number; online_ms: number }[] = [];
  for (const userId of users)
    for (let n = 0; n < DEVICES; n++) {
      const { id } = await insertDevice(database, userId);
      times.push({ deviceId: id, online_ms: HOUR_MS - times.length });
    }
  const rules = {
    uptime: { amount: '0.5' },
    referral: [{ percent: '10', uptime_hours: 0, distinct_addresses: 0 }],
  };
  const { version } = await draftRules(database, deps, rules, 'test');
  await activateRules(database, deps, { version, from: START, by: 'test' });
  await addOnline(database, START, times);
  clock.set(DUE);
  await settleDue({ ...deps, database, usersPerBucket: 1 });
  app = createTestServer();
  registerRewards(app, { ...deps, db: database, proofKey });
});
afterAll(async () => {
  await app.close();
  await database.close();
});

test('lines at the ends of every chunk and bucket have valid proofs', async () => {
  const { rows } = await database.query<{ leaf: number; user_id: number; bill: number }>(
    `select l.leaf, l.user_id, t.id * 2 as bill from reward_line l
      join transfer t on t.idempotency_key = 'reward:' || l.batch_id || ':' || l.leaf
      order by l.leaf`,
  );
  const isEnd = (at: number): boolean => {
    const [before, leaf, after] = [rows[at - 1]?.leaf, rows[at]?.leaf ?? 0, rows[at + 1]?.leaf];
    return before !== leaf - 1 || after !== leaf + 1 || [0, CHUNK - 1].includes(leaf % CHUNK);
  };
  const ends = rows.filter((_, at) => isEnd(at));
  const buckets = new Map<number, number>();
  for (const { leaf, user_id, bill } of ends) {
    const headers = asPerson(user_id, 'account:read');
    const { body } = await app.inject({ url: `/me/rewards/${bill}/proof`, headers });
    const outcome = await verifyRewardProof(body, [proofKey.published]);
    expect(PROOF_CHECKS.filter((check) => !outcome[check])).toEqual([]);
    const { line, tree } = JSON.parse(body);
    expect(line.leaf).toBe(leaf);
    buckets.set(tree.bucket.number, tree.bucket.size);
  }
  // Two of devices, with two chunks each, and one of referral rewards.
  expect([...buckets.values()]).toEqual([DEVICES, DEVICES, 1]);
  expect(ends).toHaveLength(9);
});
