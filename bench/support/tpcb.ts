/**
 * The anchor of everything that posts: pgbench's TPC-B, prepared, 16 clients, on the server that
 * ours runs on.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Measured, withProcessorTime } from '../harness/processor-time.ts';
import { ROUND_S, sized } from '../harness/sizes.ts';

const run = promisify(execFile);
const CLIENTS = 16;
/** At least the number of clients, so that they do not wait for each other's branch. */
const SCALE = sized(16, 4);
const ACCOUNTS_PER_BRANCH = 100_000;
const TELLERS_PER_BRANCH = 10;
const DEBIAN = '/usr/lib/postgresql';

export interface TpcbAnchor {
  /** Which program makes the load, for the summary. */
  readonly program: string;
  /** Transactions per second of one round. */
  measure(): Promise<Measured>;
}

/**
 * `pgbench` on the path, or the newest one of Debian's packages; the npm package of PostgreSQL has
 * none.
 */
function findPgbench(): string | undefined {
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a))
    : [];
  for (const program of [
    'pgbench',
    ...versions.map((version) => join(DEBIAN, version, 'bin', 'pgbench')),
  ]) {
    try {
      execFileSync(program, ['--version'], { stdio: 'ignore' });
      return program;
    } catch {
      // Not here.
    }
  }
  return undefined;
}

interface TpcbNumbers {
  readonly aid: number;
  readonly tid: number;
  readonly bid: number;
  readonly delta: number;
}

/** The statements of pgbench's default script. */
const STATEMENTS: readonly [text: string, values: (numbers: TpcbNumbers) => number[]][] = [
  ['update pgbench_accounts set abalance = abalance + $1 where aid = $2', (n) => [n.delta, n.aid]],
  ['select abalance from pgbench_accounts where aid = $1', (n) => [n.aid]],
  ['update pgbench_tellers set tbalance = tbalance + $1 where tid = $2', (n) => [n.delta, n.tid]],
  ['update pgbench_branches set bbalance = bbalance + $1 where bid = $2', (n) => [n.delta, n.bid]],
  [
    `insert into pgbench_history (tid, bid, aid, delta, mtime)
      values ($1, $2, $3, $4, current_timestamp)`,
    (n) => [n.tid, n.bid, n.aid, n.delta],
  ],
];

const upTo = (n: number): number => 1 + Math.floor(Math.random() * n);

async function createTables(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const filler = (bytes: number): string => `filler char(${bytes})) with (fillfactor = 100)`;
  const of = (rows: number): string => `from generate_series(1, ${rows}) n`;
  await client.query(`create table pgbench_branches (bid int primary key, bbalance int,
    ${filler(88)};
    create table pgbench_tellers (tid int primary key, bid int, tbalance int, ${filler(84)};
    create table pgbench_accounts (aid int primary key, bid int, abalance int, ${filler(84)};
    create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp,
      filler char(22));
    insert into pgbench_branches select n, 0, '' ${of(SCALE)};
    insert into pgbench_tellers
      select n, (n - 1) / ${TELLERS_PER_BRANCH} + 1, 0, '' ${of(SCALE * TELLERS_PER_BRANCH)};
    insert into pgbench_accounts
      select n, (n - 1) / ${ACCOUNTS_PER_BRANCH} + 1, 0, '' ${of(SCALE * ACCOUNTS_PER_BRANCH)}`);
  await client.query('vacuum analyze pgbench_accounts');
  await client.end();
}

/** One client: transactions until the time is up. */
async function runClient(url: string, end_ms: number): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let count = 0;
  for (; performance.now() < end_ms; count++) {
    const numbers = {
      aid: upTo(SCALE * ACCOUNTS_PER_BRANCH),
      tid: upTo(SCALE * TELLERS_PER_BRANCH),
      bid: upTo(SCALE),
      delta: upTo(10_001) - 5001,
    };
    await client.query('begin');
    for (const [i, [text, values]] of STATEMENTS.entries())
      await client.query({ name: `tpcb${i}`, text, values: values(numbers) });
    await client.query('commit');
  }
  await client.end();
  return count;
}

async function byDriver(url: string): Promise<number> {
  const end_ms = performance.now() + ROUND_S * 1000;
  const counts = await Promise.all(Array.from({ length: CLIENTS }, () => runClient(url, end_ms)));
  return counts.reduce((sum, count) => sum + count, 0) / ROUND_S;
}

async function byPgbench(program: string, url: string): Promise<number> {
  const { stdout } = await run(program, [
    '-n',
    '-M',
    'prepared',
    '-c',
    `${CLIENTS}`,
    '-j',
    '2',
    '-T',
    `${ROUND_S}`,
    url,
  ]);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

/**
 * Fills the tables of TPC-B in the database at `url`. Without `pgbench` the driver of ours sends
 * its statements.
 */
export async function openTpcb(url: string, postmaster: number | undefined): Promise<TpcbAnchor> {
  const pgbench = findPgbench();
  if (pgbench === undefined) await createTables(url);
  else await run(pgbench, ['-i', '-q', '-s', `${SCALE}`, url]);
  return {
    program: pgbench ?? 'the driver of ours, because pgbench is not installed',
    measure: () =>
      withProcessorTime({ postmaster }, async () => {
        const figure = await (pgbench === undefined ? byDriver(url) : byPgbench(pgbench, url));
        return { figure, operations: figure * ROUND_S };
      }),
  };
}
