/**
 * A network that lives for months as in production: hours settle, days are paid, heads are signed,
 * and the jobs of the service archive, pack and delete what is past its time.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import type { Config } from '../../service/src/config.ts';
import { type Database, migrate, openServer } from '../../service/src/db/index.ts';
import { createMetrics, createOutgoing } from '../../service/src/http/index.ts';
import { createLedgerJobs, installLedger } from '../../service/src/ledger/index.ts';
import { createManualClock } from '../../service/src/lib/clock.ts';
import { createRetentionJobs } from '../../service/src/retention.ts';
import {
  createProofKey,
  createRewardArchiveJobs,
  findFirstLine,
  settleDue,
} from '../../service/src/rewards/index.ts';
import { startPostgres } from '../../service/test/support/postgres-server.ts';
import {
  testConfig,
  testMasterKey,
  testMasterKeyBytes,
} from '../../service/test/support/test-config.ts';
import { createTestTokens } from '../../service/test/support/tokens.ts';
import { type DiskUse, readDiskUse } from './disk-use.ts';
import { LIVE_RULES, reportTraffic } from './live-hour.ts';
import { fillNetwork, ONLINE } from './reward-lab.ts';

const HOUR_MS = 3_600_000;
const GRACE_MS = 600_000;
const DAY_HOURS = 24;
/** The jobs run each ten minutes; here in the first hours of a day, which have work for them. */
const JOB_HOURS = 5;
const WEEK_DAYS = 7;
const FIRST_MONTH = { year: 2025, month: 4 };

export interface YearLab {
  readonly config: Config;
  readonly clock: ReturnType<typeof createManualClock>;
  /** The database of the present. */
  readonly database: () => Database;
  /** Lives through the next calendar month. */
  liveMonth(): Promise<void>;
  /** What the database takes on disk now. */
  measure(): Promise<DiskUse>;
  /** A copy of the database as it is now, under another name. */
  copy(name: string): Promise<Database>;
  close(): Promise<void>;
}

function settingsOf(home: string, databaseUrl: string): Record<string, string> {
  const makeFolder = (name: string): string => {
    const folder = join(home, name);
    mkdirSync(folder);
    return pathToFileURL(folder).href;
  };
  return {
    LEDGER_ARCHIVE_TO: makeFolder('ledger'),
    LEDGER_KEPT_MONTHS: '2',
    REWARD_ARCHIVE_TO: makeFolder('rewards'),
    REWARD_KEPT_DAYS: '31',
    // What is measured are reads.
    DATABASE_URL: databaseUrl,
    MASTER_KEY: testMasterKeyBytes.toString('hex'),
    ROLES: 'http',
  };
}

/** The work of one process on one database. */
function createWork(database: Database, config: Config, clock: YearLab['clock']) {
  const outgoing = createOutgoing({ allowsLoopback: false });
  const jobs = [
    ...createLedgerJobs(database, outgoing, config, findFirstLine),
    ...createRewardArchiveJobs(database, clock, createProofKey(testMasterKey), config),
    ...createRetentionJobs({ database, clock, metrics: createMetrics(), settings: config }),
  ];
  const tokens = createTestTokens(database, { config, clock });
  return {
    async runJobs() {
      for (const job of jobs) await job.run(new AbortController().signal);
    },
    signIn: (userId: number) => tokens.login(userId),
  };
}

/** @param devices one of each person */
export async function openYearLab(devices: number): Promise<YearLab> {
  const home = mkdtempSync(join(tmpdir(), 'edge-account-years-'));
  const postgres = await startPostgres();
  const config = testConfig(settingsOf(home, postgres.url));
  const start = new Date(Date.UTC(FIRST_MONTH.year, FIRST_MONTH.month, 1));
  const clock = createManualClock(new Date(start.getTime() - 1));
  const open = async (url: string): Promise<Database> => {
    const opened = await openServer({ url, poolSize: 10, onError: () => {} });
    installLedger(opened, { clock, masterKey: testMasterKey });
    return opened;
  };
  let database = await open(postgres.url);
  await migrate(database);
  await fillNetwork(database, clock, { users: devices, rules: LIVE_RULES, start });
  let work = createWork(database, config, clock);
  const copies: Database[] = [];
  let day = start;

  async function liveHour(hour: Date): Promise<void> {
    clock.set(new Date(hour.getTime() + HOUR_MS + GRACE_MS));
    await database.query(ONLINE, [hour]);
    await reportTraffic({ database, clock }, devices, hour);
    await settleDue({
      ...{ database, clock, rewardCurrency: config.REWARD_CURRENCY, period: 'day' },
      grace_s: GRACE_MS / 1000,
    });
  }

  async function liveDay(): Promise<void> {
    for (let hour = 0; hour < DAY_HOURS; hour++) {
      await liveHour(new Date(day.getTime() + hour * HOUR_MS));
      if (hour < JOB_HOURS) await work.runJobs();
    }
    for (let id = 1 + (day.getUTCDate() % WEEK_DAYS); id <= devices; id += WEEK_DAYS)
      await work.signIn(id);
    // As autovacuum does, which is off here: the same rows lie in the same pages each time.
    await database.query('vacuum analyze');
    day = new Date(day.getTime() + DAY_HOURS * HOUR_MS);
  }

  return {
    config,
    clock,
    database: () => database,
    async liveMonth() {
      const month = day.getUTCMonth();
      while (day.getUTCMonth() === month) await liveDay();
    },
    measure: () => readDiskUse(database),
    async copy(name) {
      await database.close();
      const admin = new pg.Client(postgres.url.replace(/postgres$/, 'template1'));
      await admin.connect();
      await admin.query(`create database ${name} template postgres strategy file_copy`);
      await admin.end();
      database = await open(postgres.url);
      work = createWork(database, config, clock);
      const copy = await open(postgres.url.replace(/postgres$/, name));
      copies.push(copy);
      return copy;
    },
    async close() {
      for (const opened of [database, ...copies]) await opened.close();
      await postgres.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
