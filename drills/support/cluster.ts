/**
 * A PostgreSQL that a drill kills, freezes, copies and restores. It syncs at each commit, as in
 * production.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import pg from 'pg';
import { markOwner } from '../../service/test/support/orphan-processes.ts';
import {
  findAccount,
  installPostgres,
  type PostgresInstall,
} from '../../service/test/support/postgres-binaries.ts';
import {
  createCluster,
  findFreePort,
  type RunningCluster,
  runCluster,
} from '../../service/test/support/postgres-server.ts';

type Settings = Readonly<Record<string, string>>;

/** Where a database is reached. */
export interface DatabaseAddress {
  readonly port: number;
  /** The address of a role: the superuser unless one is named. */
  url(database?: string, role?: string): string;
}

export interface Cluster extends DatabaseAddress {
  /** Folder of its files. */
  readonly data: string;
  /** Runs it, again after it has ended; with further settings. */
  start(settings?: Settings): Promise<void>;
  isRunning(): boolean;
  /** SIGKILL of all its processes. */
  kill(): Promise<void>;
  /** An end without delay, as by `pg_ctl stop -m immediate`. */
  stop(): Promise<void>;
  /** SIGSTOP of all its processes: connections stay open, and nothing is answered. */
  freeze(): void;
  thaw(): void;
}

export interface PostgresHome {
  readonly folder: string;
  /** An empty cluster that runs. @param parent where its files are, if on a disk of their own */
  create(name: string, settings?: Settings, parent?: string): Promise<Cluster>;
  /** A cluster whose files come later; `start` runs it. */
  reserve(name: string): Promise<Cluster>;
  /** A cluster that begins with a copy of another's files; `start` runs it. */
  copy(from: Cluster, name: string): Promise<Cluster>;
  /** Gives a folder to the account that PostgreSQL runs as. */
  own(folder: string): void;
  remove(): Promise<void>;
}

/** What a base backup leaves out (documentation of PostgreSQL, 25.3.4.2). */
const LEFT_EMPTY = [
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots'],
  ...['pg_stat_tmp', 'pg_subtrans'],
];
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts'];

/** Runs one statement. @returns its rows */
export async function query<R extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
  timeout_ms = 60_000,
): Promise<R[]> {
  const client = new pg.Client({
    ...{ connectionString: url, connectionTimeoutMillis: timeout_ms, query_timeout: timeout_ms },
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(text, [...values])).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The server's processes, itself included. */
export function listProcesses(pid: number): number[] {
  const children = spawnSync('pgrep', ['-P', String(pid)]).stdout.toString();
  return [pid, ...children.split('\n').filter(Boolean).map(Number)];
}

export function signalAll(processes: readonly number[], name: NodeJS.Signals): void {
  for (const one of processes)
    try {
      process.kill(one, name);
    } catch (error) {
      // It ended by itself a moment before.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
}

async function describe(install: PostgresInstall, data: string): Promise<Cluster> {
  const port = await findFreePort();
  let running: RunningCluster | undefined;
  function signal(name: NodeJS.Signals): void {
    const pid = running?.child.pid;
    if (pid !== undefined) signalAll(listProcesses(pid), name);
  }
  async function end(send: () => void): Promise<void> {
    send();
    await running?.exited;
    running = undefined;
  }
  return {
    port,
    data,
    url: (database = 'postgres', role = 'postgres') =>
      `postgres://${role}@127.0.0.1:${port}/${database}`,
    async start(settings = {}) {
      running = await runCluster(install, { data, port, settings });
    },
    isRunning: () => running !== undefined && running.child.exitCode === null,
    kill: () => end(() => signal('SIGKILL')),
    stop: () => end(() => running?.child.kill('SIGQUIT')),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
  };
}

/** Copies the files of a cluster while it serves, by the low-level interface of base backups. */
async function copyFiles(from: Cluster, data: string): Promise<void> {
  const client = new pg.Client({ connectionString: from.url() });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('drill', true)`);
    cpSync(from.data, data, {
      recursive: true,
      filter: (path) =>
        !LEFT_EMPTY.includes(basename(dirname(path))) &&
        !LEFT_OUT.includes(relative(from.data, path)),
    });
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    );
    writeFileSync(join(data, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

/** @param binaries folder of PostgreSQL's programs; default: those of the package from npm */
export function openPostgresHome(binaries?: string): PostgresHome {
  const home = mkdtempSync(join(tmpdir(), 'edge-account-drill-'));
  chmodSync(home, 0o755);
  markOwner(home);
  const install = binaries ? { account: findAccount(), binaries } : installPostgres(home);
  const clusters: Cluster[] = [];
  const own = (folder: string): void => {
    const { uid, gid } = install.account;
    if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, folder]);
  };
  async function add(data: string): Promise<Cluster> {
    const cluster = await describe(install, data);
    clusters.push(cluster);
    return cluster;
  }
  return {
    folder: home,
    own,
    async create(name, settings = {}, parent = home) {
      const data = join(parent, name);
      createCluster(install, data);
      const cluster = await add(data);
      await cluster.start(settings);
      return cluster;
    },
    async reserve(name) {
      const data = join(home, name);
      mkdirSync(data, { mode: 0o700 });
      own(data);
      return add(data);
    },
    async copy(from, name) {
      const copy = await this.reserve(name);
      await copyFiles(from, copy.data);
      own(copy.data);
      return copy;
    },
    async remove() {
      for (const cluster of clusters) await cluster.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
