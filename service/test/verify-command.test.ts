/** `edge-account verify`: what it continues from, also on a database without changes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAuditPlace, readLastVerification, sealEntries } from '../src/audit/index.ts';
import { type Database, openServer } from '../src/db/index.ts';
import { installLedger, type Posting, postTransfers, signDailyHead } from '../src/ledger/index.ts';
import { createManualClock } from '../src/lib/clock.ts';
import {
  createCommandEnvironment,
  createEmptyServerDatabase,
  queryAsOwner,
} from './support/databases.ts';
import { runCommandHere } from './support/run-command.ts';
import { testMasterKey } from './support/test-config.ts';
import { insertUser } from './support/test-users.ts';

/** The user of this test, which only a recomputation of the referral tree finds. */
const OUTSIDE_OF_TREE = 'user 1: is neither in the tree nor in the queue';

const clock = createManualClock('2026-11-10T00:00:00Z');
let env: Record<string, string>;
let database: Database;

/** The same database, as a replica is: it takes no changes. */
function readOnly(settings: Record<string, string>): Record<string, string> {
  const url = new URL(settings.DATABASE_URL ?? '');
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  return { ...settings, DATABASE_URL: url.href };
}

beforeAll(async () => {
  env = await createCommandEnvironment();
  database = await openServer({ url: env.DATABASE_URL ?? '', poolSize: 2, onError: () => {} });
  installLedger(database, { clock, masterKey: testMasterKey });
  const userId = await insertUser(database);
  const reward = (n: number): Posting => ({
    idempotencyKey: `r${n}`,
    debit: { house: 'reward_pool' },
    credit: { userId, wallet: 'asset' },
    currency: 'EDGE',
    amount: 5n,
    businessId: 'reward',
    eventAt: clock.now(),
  });
  await postTransfers(database, [reward(1), reward(2), reward(3)]);
  clock.advance(86_400_000);
  await signDailyHead(database);
  clock.advance(1000);
  await postTransfers(database, [reward(4), reward(5)]);
});
afterAll(() => database.close());

test('it continues from the last signed head, and says what it read', async () => {
  const run = await runCommandHere(['verify', '--from-head'], env);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/^2 transfers, \d+ seals, 1 heads, from the head signed at /);
  expect(run.stdout).toMatch(
    /2026-11-11T00:00:00.000Z until \S+Z \(--from-genesis reads the rest\): everything agrees\n/,
  );

  const whole = await runCommandHere(['verify', '--from-genesis'], env);
  expect(whole).toMatchObject({ code: 1, stderr: '' });
  expect(whole.stdout).toMatch(
    /^5 transfers, .*, from the first posting until \S+Z: everything agrees\n/,
  );
  expect(whole.stdout).toContain(OUTSIDE_OF_TREE);
});

test('it reads a database that takes no changes', async () => {
  const run = await runCommandHere(['verify', '--from-head'], readOnly(env));
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const whole = await runCommandHere(['verify', '--from-genesis', '--json'], readOnly(env));
  expect(whole).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(whole.stdout)).toMatchObject({
    ...{ findings: [], since: null, transfers: 5 },
    community: { problems: [OUTSIDE_OF_TREE] },
  });
});

test('it does not change the schema of a server', async () => {
  const empty = { ...env, DATABASE_URL: await createEmptyServerDatabase() };
  expect(await runCommandHere(['verify'], empty)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the database lacks migration 0001_baseline'),
  });
  const other = { ...env, MASTER_KEY: 'ab'.repeat(32) };
  expect(await runCommandHere(['verify'], other)).toMatchObject({ code: 1 });
});

test('its result is recorded when that is asked for', async () => {
  const { rows } = await database.query(`select from audit_entry where operation = 'verify'`);
  expect(rows).toEqual([]);
  expect(await runCommandHere(['verify', '--from-head', '--record'], env)).toMatchObject({
    ...{ code: 0, stderr: '' },
  });
  expect(await readLastVerification(database)).toMatchObject({
    since: '2026-11-11T00:00:00.000Z',
    parts: ['ledger', 'rewards', 'sales', 'conversions', 'payouts', 'audit'],
    findings: 0,
  });
  // It read nothing between the first posting and the head.
  const { rows: placed } = await database.query(`select from audit_entry where after ? 'place'`);
  expect(placed).toEqual([]);
  // What this one found is not in what the next one continues with.
  await runCommandHere(['verify', '--from-genesis', '--record'], env);
  expect(await readLastVerification(database)).toMatchObject({ since: null, findings: 1 });
});

test('it continues from the last recorded one, and names a record that none wrote', async () => {
  const recorded = await database.query<{ until: string }>(
    `select after->>'verified_until' as until from audit_entry
      where operation = 'verify' order by id desc limit 1`,
  );
  const run = await runCommandHere(['verify', '--record'], env);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/^0 transfers, /);
  expect(run.stdout).toContain(`from the verification of ${recorded.rows[0]?.until} until `);
  await database.query(
    `insert into audit_entry (actor_kind, actor_id, operation, subject_kind, subject_id, after)
      select actor_kind, actor_id, operation, subject_kind, subject_id,
        jsonb_set(after, '{place,body}', to_jsonb(
          replace(after->'place'->>'body', '"shard":0', '"shard":0 ')))
      from audit_entry where operation = 'verify' order by id desc limit 1`,
  );
  const forged = await runCommandHere(['verify', '--json'], env);
  expect(forged).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(forged.stdout)).toMatchObject({
    ...{ continued_from: 'verification', verified_until: expect.any(String) },
    findings: [{ check: 'verifications', detail: expect.stringContaining('not written by one') }],
  });
  expect(JSON.parse(forged.stdout)).not.toHaveProperty('place');
  await queryAsOwner(
    database,
    'delete from audit_entry where id = (select max(id) from audit_entry)',
  );
});

test('its record has the last seal of the audit log that it has read', async () => {
  await sealEntries(database);
  const sealed = await readAuditPlace(database);
  expect(sealed).toBeDefined();
  expect(await runCommandHere(['verify', '--record'], env)).toMatchObject({ code: 0 });
  const { rows } = await database.query<{ body: string }>(
    `select after->'place'->>'body' as body from audit_entry
      where after ? 'place' order by id desc limit 1`,
  );
  expect(JSON.parse(rows[0]?.body ?? '{}')).toMatchObject({ audit: sealed });
});

test('only one place to begin with is given', async () => {
  const both = await runCommandHere(['verify', '--from-head', '--from-genesis'], env);
  expect(both).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--from-genesis | --from-head'),
  });
});

test('on a replica its result cannot be recorded', async () => {
  const replica = await runCommandHere(['verify', '--from-head', '--record'], readOnly(env));
  expect(replica).toMatchObject({ code: 2, stderr: expect.stringMatching(/read-only/) });
});
