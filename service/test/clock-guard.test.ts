/** Jobs that delete by time do not run while the clock of their instance is ahead. */
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../src/db/index.ts';
import { createMetrics, createOutgoing } from '../src/http/index.ts';
import { type Job, refuseClockAhead } from '../src/jobs/index.ts';
import { createLedgerJobs } from '../src/ledger/index.ts';
import { createManualClock } from '../src/lib/clock.ts';
import { createErasureJob } from '../src/person-data/erase-users.ts';
import { createRetentionJobs } from '../src/retention.ts';
import { createProofKey, createRewardArchiveJobs } from '../src/rewards/index.ts';
import { openTestDatabase } from './support/databases.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';

const clock = createManualClock('2026-12-01T00:00:00Z');
const signal = new AbortController().signal;
let database: Database;
let jobs: Job[];

beforeAll(async () => {
  database = await openTestDatabase('embedded');
  const place = pathToFileURL(tmpdir()).href;
  const outgoing = createOutgoing({ allowsLoopback: false });
  jobs = [
    ...createRetentionJobs({ database, clock, metrics: createMetrics(), settings: testConfig() }),
    ...createLedgerJobs(
      ...([database, outgoing] as const),
      { LEDGER_ARCHIVE_TO: place, LEDGER_KEPT_MONTHS: 2 },
      () => Promise.resolve(undefined),
    ),
    ...createRewardArchiveJobs(database, clock, createProofKey(testMasterKey), {
      ...{ REWARD_ARCHIVE_TO: place, REWARD_KEPT_DAYS: 90, TRAFFIC_REPORT_WINDOW: 86_400 },
    }),
    createErasureJob(database, clock),
  ];
});
afterAll(() => database.close());

test('what deletes rows, months, lines and accounts is refused, and nothing else', async () => {
  const ahead = refuseClockAhead(
    jobs.map((job) => ({ ...job, run: async () => job.name })),
    () => Promise.resolve(301_000),
  );
  const runs = await Promise.allSettled(ahead.map((job) => job.run(signal)));
  const refused = runs.flatMap((run, n) => (run.status === 'rejected' ? [ahead[n]?.name] : []));
  expect(refused.sort()).toEqual([
    'delete-due-rows',
    'delete-old-events',
    'erase-closed-accounts',
    'remove-archived-bills',
    'remove-archived-rewards',
  ]);
});

test('a clock that agrees, or is behind, refuses none', async () => {
  for (const ahead_ms of [-86_400_000, 0, 300_000]) {
    const probe: Job = { name: 'probe', every_ms: 1, deletesByTime: true, run: async () => 'ran' };
    const [guarded] = refuseClockAhead([probe], () => Promise.resolve(ahead_ms));
    expect(await guarded?.run(signal)).toBe('ran');
  }
});

test('one that cannot be compared with the database deletes nothing', async () => {
  const fails = () => Promise.reject(new Error('no answer'));
  for (const job of refuseClockAhead(jobs, fails).filter(({ deletesByTime }) => deletesByTime))
    await expect(job.run(signal)).rejects.toThrow('no answer');
});
