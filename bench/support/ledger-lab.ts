/** A PostgreSQL that syncs, with the ledger's door and pgbench's TPC-B beside each other. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Database, migrate, openEmbedded, openServer } from '../../service/src/db/index.ts';
import { installLedger, type Posting, postTransfers } from '../../service/src/ledger/index.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { startPostgres } from '../../service/test/support/postgres-server.ts';
import { testMasterKey } from '../../service/test/support/test-config.ts';

const run = promisify(execFile);
const CLIENTS = 16;
const SCALE = 16;
export const ROUND_S = 4;

export interface LedgerLab {
  readonly database: Database;
  readonly userIds: readonly number[];
  /** Transactions per second of TPC-B: prepared, 16 clients. */
  tpcb(): Promise<number>;
  close(): Promise<void>;
}

/** Adds people without the cost of registering them. */
export async function insertUsers(database: Database, count: number): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    `insert into app_user (email, email_key, nickname, referral_code, created_at)
     select 'u' || n, 'u' || n, 'u', 'U' || n, now() from generate_series(1, $1::int) n returning id`,
    [count],
  );
  return rows.map((row) => row.id);
}

function hasPgbench(): boolean {
  try {
    execFileSync('pgbench', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The statements of pgbench's default script. */
const TPCB: readonly [text: string, values: (numbers: TpcbNumbers) => number[]][] = [
  ['update pgbench_accounts set abalance = abalance + $1 where aid = $2', (n) => [n.delta, n.aid]],
  ['select abalance from pgbench_accounts where aid = $1', (n) => [n.aid]],
  ['update pgbench_tellers set tbalance = tbalance + $1 where tid = $2', (n) => [n.delta, n.tid]],
  ['update pgbench_branches set bbalance = bbalance + $1 where bid = $2', (n) => [n.delta, n.bid]],
  ['insert into pgbench_history (tid, bid, aid, delta, mtime) values ($1, $2, $3, $4, current_timestamp)', (n) => [n.tid, n.bid, n.aid, n.delta]],
];

interface TpcbNumbers {
  readonly aid: number;
  readonly tid: number;
  readonly bid: number;
  readonly delta: number;
}

const upTo = (n: number): number => 1 + Math.floor(Math.random() * n);

async function createTpcbTables(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create table pgbench_branches (bid int primary key, bbalance int, filler char(88)) with (fillfactor = 100);
    create table pgbench_tellers (tid int primary key, bid int, tbalance int, filler char(84)) with (fillfactor = 100);
    create table pgbench_accounts (aid int primary key, bid int, abalance int, filler char(84)) with (fillfactor = 100);
    create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
    insert into pgbench_branches select n, 0, '' from generate_series(1, ${SCALE}) n;
    insert into pgbench_tellers select n, (n - 1) / 10 + 1, 0, '' from generate_series(1, ${SCALE * 10}) n;
    insert into pgbench_accounts select n, (n - 1) / 100000 + 1, 0, '' from generate_series(1, ${SCALE * 100_000}) n`);
  await client.query('vacuum analyze pgbench_accounts');
  await client.end();
}

async function tpcbByDriver(url: string): Promise<number> {
  const end = performance.now() + ROUND_S * 1000;
  const counts = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      let count = 0;
      for (; performance.now() < end; count++) {
        const numbers = { aid: upTo(SCALE * 100_000), tid: upTo(SCALE * 10), bid: upTo(SCALE), delta: upTo(10_001) - 5001 };
        await client.query('begin');
        for (const [i, [text, values]] of TPCB.entries()) await client.query({ name: `tpcb${i}`, text, values: values(numbers) });
        await client.query('commit');
      }
      await client.end();
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) / ROUND_S;
}

async function tpcbByPgbench(url: string): Promise<number> {
  const { stdout } = await run('pgbench', ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(ROUND_S), url]);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

/** Starts it all; everything is synced to the disk at each commit. */
export async function openLedgerLab(users: number): Promise<LedgerLab> {
  const postgres = await startPostgres({});
  const isPgbench = hasPgbench();
  if (isPgbench) execFileSync('pgbench', ['-i', '-q', '-s', String(SCALE), postgres.url], { stdio: 'ignore' });
  else await createTpcbTables(postgres.url);
  const database = await openServer({ url: postgres.url, poolSize: 10, onError: () => {} });
  await migrate(database);
  installLedger(database, { clock: systemClock, masterKey: testMasterKey });
  const userIds = await insertUsers(database, users);
  return {
    database,
    userIds,
    tpcb: () => (isPgbench ? tpcbByPgbench(postgres.url) : tpcbByDriver(postgres.url)),
    async close() {
      await database.close();
      await postgres.stop();
    },
  };
}

let made = 0;
const DAY_MS = 86_400_000;

/** A reward from one house account to a person picked at random: what a settlement posts. */
export function someReward(userIds: readonly number[]): Posting {
  made += 1;
  return {
    idem: `bench:${process.pid}:${made}`,
    debit: { house: 'reward_pool' },
    credit: { userId: userIds[Math.floor(Math.random() * userIds.length)] ?? 0, wallet: 'bonus' },
    currency: 'EDGE',
    amount: 1_234_567_890_123_456_789n,
    businessId: 'reward',
    rewardType: 'UPTIME',
    nodeId: 'node-1',
    eventAt: new Date(Date.now() - Math.floor(Math.random() * 30) * DAY_MS),
  };
}

/** Rewards to people one after the other, as a settlement posts them: two batches seldom meet at the same person. */
export function rewardRun(userIds: readonly number[], count: number): Posting[] {
  const start = Math.floor(Math.random() * userIds.length);
  return Array.from({ length: count }, (_, i) => someReward([userIds[(start + i) % userIds.length] ?? 0]));
}

/** Posts per second of `callers` that each post `make()` again and again for one round. */
export async function measurePosts(database: Database, callers: number, make: () => Posting[], round_s = ROUND_S): Promise<number> {
  const start = performance.now();
  const end = start + round_s * 1000;
  let posted = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) {
        const results = await postTransfers(database, make());
        if (results.some((result) => result.status !== 'posted')) throw new Error('a posting was refused');
        posted += results.length;
      }
    }),
  );
  return (posted / (performance.now() - start)) * 1000;
}

/** Bytes on disk per transfer: the rows, their entries, seals and roll-ups, with all indexes. */
export async function bytesPerTransfer(database: Database): Promise<string> {
  const { rows } = await database.query<{ bytes: number; transfers: number }>(
    `select sum(pg_total_relation_size(name::regclass))::bigint as bytes, (select count(*) from transfer) as transfers
     from unnest(array['transfer', 'entry', 'seal', 'earning_day', 'earning_total', 'entry_block']) as name`,
  );
  const { bytes = 0, transfers = 1 } = rows[0] ?? {};
  return `${Math.round(bytes / Math.max(1, transfers))}`;
}

/** The same door on the embedded database, in a folder. It does not sync. */
export async function measureEmbedded(callers: number, batch: number): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'edge-account-bench-'));
  const database = await openEmbedded({ directory });
  await migrate(database);
  installLedger(database, { clock: systemClock, masterKey: testMasterKey });
  const userIds = await insertUsers(database, 1000);
  const make = (): Posting[] => Array.from({ length: batch }, () => someReward(userIds));
  await measurePosts(database, callers, make, 1);
  const figure = await measurePosts(database, callers, make, 3);
  await database.close();
  rmSync(directory, { recursive: true, force: true });
  return `${Math.round(figure)} transfers/s`;
}
