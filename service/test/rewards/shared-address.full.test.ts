/**
 * An hour of some thousand users who referred each other, settled before PostgreSQL has statistics
 * about them.
 */
import { PROOF_CHECKS, verifyRewardProof } from '@edge-account/sdk/reward-proof';
import { expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import { installLedger } from '../../src/ledger/index.ts';
import { createManualClock, systemClock } from '../../src/lib/clock.ts';
import {
  activateRules,
  createProofKey,
  draftRules,
  registerRewards,
  settleDue,
  verifySettlements,
} from '../../src/rewards/index.ts';
import { openTestDatabase } from '../support/databases.ts';
import { LEVELS } from '../support/referral-levels.ts';
import { testMasterKey } from '../support/test-config.ts';
import { asPerson, createTestServer } from '../support/test-server.ts';

const PEOPLE = 6000;
const HOUR = new Date('2026-05-01T00:00:00Z');
const UNIT = 10n ** 18n;
const RULES = {
  uptime: { amount: '1' },
  referral: LEVELS.map((level) => ({
    percent: String(5 * level),
    uptime_hours: 0,
    distinct_addresses: 1,
  })),
};

const FILL = [
  // A table that was analyzed while empty is planned as one or two rows until the next vacuum.
  'analyze',
  `insert into app_user (email, email_key, nickname, referral_code, created_at)
     select 'u' || n || '@example.test', 'u' || n || '@example.test', 'u' || n, 'R' || n,
       '2026-01-01' from generate_series(1, ${PEOPLE}) n`,
  'update app_user u set referrer_id = r.id from app_user r where r.id = u.id / 3',
  `insert into device (node_id, user_id, device_type, browser, extension_version, os, timezone,
    capabilities, requested_categories, registered_address,
     created_at, bound_at) select 'node-' || id, id, 'TERMINAL', '', '', '', 'UTC', '{}', '{}',
       '10.0.' || id / 250 || '.' || id % 250, '2026-01-01', '2026-01-01' from app_user`,
  `insert into device_hour (device_id, hour, online_ms) select id, '${HOUR.toISOString()}', 3600000
    from device`,
];

/** Users of a bucket: of two buckets, one has leaves beyond the first step of posting. */
const USERS_PER_BUCKET = 5000;
const BUCKET_LEAVES = 2 ** 32;

/**
 * Leaves on either side of the borders of subtrees (512) and of steps of posting (4,096), and the
 * last one, of each bucket.
 */
async function checkProofs(database: Database): Promise<void> {
  const { rows } = await database.query<{
    leaf: number;
    user_id: number;
    bill: number;
  }>(
    `select l.leaf, l.user_id, t.id * 2 as bill from reward_line l
       join reward_batch b on b.id = l.batch_id
       join reward_bucket k on k.batch_id = l.batch_id and k.bucket = l.leaf / ${BUCKET_LEAVES}
       join transfer t on t.idempotency_key = 'reward:' || l.batch_id || ':' || l.leaf
     where b.kind = 'hour'
       and l.leaf % ${BUCKET_LEAVES} in (0, 511, 512, 4095, 4096, k.lines - 1)
     order by l.leaf`,
  );
  const buckets = Map.groupBy(rows, ({ leaf }) => Math.floor(leaf / BUCKET_LEAVES));
  const leaves = [...buckets.values()].map((some) => some.map(({ leaf }) => leaf % BUCKET_LEAVES));
  // Devices of the first and the second bucket, and their referrers, who are all in the first.
  expect(leaves).toEqual([
    [0, 511, 512, 4095, 4096, 4999],
    [0, 511, 512, 999],
    [0, 511, 512, expect.any(Number)],
  ]);
  const app = createTestServer();
  const proofKey = createProofKey(testMasterKey);
  registerRewards(app, {
    db: database,
    clock: systemClock,
    grace_s: 600,
    period: 'hour' as const,
    rewardCurrency: 'EDGE',
    proofKey,
  });
  for (const { leaf, user_id, bill } of rows) {
    const { body } = await app.inject({
      url: `/me/rewards/${bill}/proof`,
      headers: asPerson(user_id, 'account:read'),
    });
    expect(
      Object.values(await verifyRewardProof(body, [proofKey.published])),
      `leaf ${leaf}`,
    ).toEqual(PROOF_CHECKS.map(() => true));
  }
  await app.close();
}

test('is joined as a whole, not one by one', async () => {
  const database = await openTestDatabase('server');
  const clock = createManualClock(new Date(HOUR.getTime() - 1));
  installLedger(database, { clock, masterKey: testMasterKey });
  const deps = {
    ...{ database, clock, rewardCurrency: 'EDGE', grace_s: 600, period: 'hour' as const },
    usersPerBucket: USERS_PER_BUCKET,
  };
  const draft = await draftRules(database, deps, RULES, 'test');
  await activateRules(database, deps, { version: draft.version, from: HOUR, by: 'test' });
  for (const statement of FILL) await database.query(statement);
  clock.set(new Date(HOUR.getTime() + 3_600_000 + 600_000));
  await settleDue(deps);
  const { rows } = await database.query<{ level: number; amount: string; lines: number }>(
    `select level, sum(amount)::text as amount, count(*) as lines from reward_line
      where status = 'paid' group by level order by level`,
  );
  const parentOf = (id: number): number => Math.floor(id / 3);
  const below = [0, ...LEVELS].map((level) =>
    Array.from({ length: PEOPLE }, (_, i) => i + 1).filter((id) => Math.floor(id / 3 ** level) > 0),
  );
  const referrers = (level: number): number =>
    new Set(below[level]?.map((id) => Array.from({ length: level }).reduce<number>(parentOf, id)))
      .size;
  expect(rows).toEqual([
    { level: 0, amount: String(BigInt(PEOPLE) * UNIT), lines: PEOPLE },
    ...LEVELS.map((level) => ({
      level,
      amount: String((BigInt(below[level]?.length ?? 0) * BigInt(5 * level) * UNIT) / 100n),
      lines: referrers(level),
    })),
  ]);
  expect((await verifySettlements(database)).problems).toEqual([]);
  await checkProofs(database);
  await database.close();
});
