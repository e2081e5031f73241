/** A source, and a server whose databases receive it: each round a new one. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, migrate, openServer } from '../../service/src/db/index.ts';
import { startPostgres } from '../../service/test/support/postgres-server.ts';
import { SINCE, writeSource } from './import-source.ts';
import { readPostmaster } from './lab-database.ts';

const MAIN = new URL('../../service/src/main.ts', import.meta.url).pathname;
const LOOK_EVERY_MS = 100;

export interface Imported {
  readonly seconds: number;
  /** The most memory that the process of the import ever had, in MB. */
  readonly memory_mb: number;
}

export interface ImportLab {
  readonly postmaster: number | undefined;
  /** Makes a new database and imports the source into it by the command. */
  importSource(): Promise<Imported>;
  /**
   * Changes one user of `changedOf` in the source, with balances and device, and imports the
   * changes by `--since` into the database of the last import.
   */
  importChanges(changedOf: number): Promise<Imported>;
  /** Copies the rows of the last import into empty tables of the same shape; seconds. */
  copyRows(): Promise<number>;
  close(): Promise<void>;
}

/** Peak of the resident memory of a process so far; 0 once it has ended. */
function readPeak(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    // A process that has just ended has none.
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function runImport(url: string, ...args: string[]): Promise<Imported> {
  const [folder = ''] = args;
  const started = performance.now();
  let memory_mb = 0;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, 'import', ...args],
    {
      env: {
        PATH: process.env.PATH ?? '',
        NODE_OPTIONS: process.env.SERVICE_NODE_OPTIONS ?? '',
        DATABASE_URL: url,
        MASTER_KEY: Buffer.alloc(32, 7).toString('hex'),
        DATA_DIR: folder,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const timer = setInterval(() => {
    memory_mb = Math.max(memory_mb, readPeak(child.pid ?? 0));
  }, LOOK_EVERY_MS);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      clearInterval(timer);
      if (code !== 0) reject(new Error(`the import ended with ${code}`));
      else resolve({ seconds: (performance.now() - started) / 1000, memory_mb });
    });
  });
}

/** Tables with about a row for each user, or more. */
const WRITTEN = `select relname as name from pg_class
  where relkind = 'r' and reltuples >= $1 and oid >= 16384
    and relname not like 'copy\\_%'
  order by relname`;

async function copyAll(database: Database, people: number): Promise<number> {
  const client = await database.pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('analyze');
    const { rows } = await client.query<{ name: string }>(WRITTEN, [people / 2]);
    const { rows: folder } = await client.query<{ path: string }>(
      `select current_setting('data_directory') as path`,
    );
    const fileOf = (name: string): string => `'${folder[0]?.path}/copy-${name}'`;
    for (const { name } of rows) {
      await client.query(`drop table if exists copy_${name}`);
      await client.query(
        `create table copy_${name} (like ${name} including all excluding identity)`,
      );
      await client.query(`copy ${name} to ${fileOf(name)} (format binary)`);
    }
    await client.query('checkpoint');
    const started = performance.now();
    for (const { name } of rows) {
      await client.query(`copy copy_${name} from ${fileOf(name)} (format binary)`);
      if (process.env.BENCH_STEPS)
        console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
    }
    return (performance.now() - started) / 1000;
  } finally {
    client.release();
  }
}

/** Writes the source and starts the server. */
export async function openImportLab(people: number): Promise<ImportLab> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-bench-'));
  await writeSource(folder, { count: people });
  const postgres = await startPostgres({ shared_buffers: '1GB', max_wal_size: '8GB' });
  const admin = await openServer({ url: postgres.url, poolSize: 1, onError: () => {} });
  let database: Database | undefined;
  let number = 0;

  let url = '';

  async function renew(): Promise<string> {
    await database?.close();
    if (number > 0) await admin.query(`drop database import_${number}`);
    await admin.query(`create database import_${++number}`);
    url = postgres.url.replace(/\/postgres(\?|$)/, `/import_${number}$1`);
    database = await openServer({ url, poolSize: 2, onError: () => {} });
    await migrate(database);
    return url;
  }

  return {
    postmaster: await readPostmaster(admin),
    importSource: async () => runImport(await renew(), folder),
    async importChanges(changedOf) {
      await writeSource(folder, { count: people, changedOf });
      return runImport(url, folder, '--since', SINCE);
    },
    copyRows: async () => (database ? copyAll(database, people) : 0),
    async close() {
      await database?.close();
      await admin.close();
      await postgres.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
