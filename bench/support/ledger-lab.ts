/** A PostgreSQL that syncs, with the ledger's door and pgbench's TPC-B beside each other. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, migrate, openEmbedded, openServer } from '../../service/src/db/index.ts';
import { installLedger, type Posting, postTransfers } from '../../service/src/ledger/index.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { startPostgres } from '../../service/test/support/postgres-server.ts';
import { testMasterKey } from '../../service/test/support/test-config.ts';
import { type Measured, withProcessorTime } from '../harness/processor-time.ts';
import { ROUND_S } from '../harness/sizes.ts';
import { insertUsers, readPostmaster } from './lab-database.ts';
import { openTpcb } from './tpcb.ts';

export interface LedgerLab {
  readonly database: Database;
  readonly userIds: readonly number[];
  /** For databases of anchors on the same server. */
  readonly url: string;
  readonly postmaster: number | undefined;
  /**
   * Postings per second of one round; this process calls and serves, so its processor time is both.
   */
  measure(callers: number, make: () => Posting[]): Promise<Measured>;
  /** Transactions per second of TPC-B. */
  tpcb(): Promise<Measured>;
  close(): Promise<void>;
}

/** Starts it all; everything is synced to the disk at each commit. */
export async function openLedgerLab(users: number): Promise<LedgerLab> {
  const postgres = await startPostgres({});
  const database = await openServer({ url: postgres.url, poolSize: 10, onError: () => {} });
  await migrate(database);
  installLedger(database, { clock: systemClock, masterKey: testMasterKey });
  const userIds = await insertUsers(database, users);
  const postmaster = await readPostmaster(database);
  const tpcb = await openTpcb(postgres.url, postmaster);
  return {
    database,
    userIds,
    url: postgres.url,
    postmaster,
    measure: (callers, make) =>
      withProcessorTime({ service: process.pid, postmaster }, async () => {
        const figure = await measurePosts(database, callers, make);
        return { figure, operations: figure * ROUND_S };
      }),
    tpcb: tpcb.measure,
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
    idempotencyKey: `bench:${process.pid}:${made}`,
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

/**
 * Rewards to people one after the other, as a settlement posts them: two batches seldom meet at the
 * same person.
 */
export function rewardRun(userIds: readonly number[], count: number): Posting[] {
  const start = Math.floor(Math.random() * userIds.length);
  return Array.from({ length: count }, (_, i) =>
    someReward([userIds[(start + i) % userIds.length] ?? 0]),
  );
}

/** Posts per second of `callers` that each post `make()` again and again for one round. */
export async function measurePosts(
  database: Database,
  callers: number,
  make: () => Posting[],
  round_s = ROUND_S,
): Promise<number> {
  const start = performance.now();
  const end = start + round_s * 1000;
  let posted = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) {
        const results = await postTransfers(database, make());
        if (results.some((result) => result.status !== 'posted'))
          throw new Error('a posting was refused');
        posted += results.length;
      }
    }),
  );
  return (posted / (performance.now() - start)) * 1000;
}

/** Bytes on disk per transfer: the rows, their entries, seals and roll-ups, with all indexes. */
export async function bytesPerTransfer(database: Database): Promise<string> {
  const { rows } = await database.query<{ bytes: number; transfers: number }>(
    `select sum(pg_total_relation_size(name::regclass))::bigint as bytes, (select count(*)
      from transfer) as transfers
     from unnest(array['transfer', 'entry', 'batch_seal', 'earning_day', 'earning_total',
       'entry_count_block']) as name`,
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
