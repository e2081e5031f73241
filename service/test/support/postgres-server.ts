/**
 * A temporary PostgreSQL from the npm package's binaries, for tests and benchmarks.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, markOwner, readPid, removeStrays } from './orphan-processes.ts';
import { installPostgres, type PostgresInstall } from './postgres-binaries.ts';

const PREFIX = 'edge-account-pg-';

export interface PostgresServer {
  /** Superuser's URL, database `postgres`. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Ends and removes the servers in this folder whose run was killed.
 */
export function endStrayServers(parent: string): void {
  removeStrays(parent, PREFIX, (home) => {
    const postmaster = readPid(join(home, 'data', 'postmaster.pid'));
    if (postmaster !== undefined && isAlive(postmaster)) process.kill(postmaster, 'SIGKILL');
  });
}

/** Options of `create database`, as in docs/operations.md. */
export const NEW_DATABASE =
  "template template0 encoding 'UTF8' " +
  "locale_provider 'builtin' builtin_locale 'C.UTF-8' locale 'C'";

/** The role that the service has in tests: it does not own the schema (docs/operations.md). */
export const APPLICATION_ROLE = 'edge_application';

/**
 * Below the port range of outgoing connections, which tests use by the thousand.
 */
const PORTS = { from: 10_240, before: 32_768 } as const;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** A TCP port that is free now, and most likely will be when it is used. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.before);
    if (await isFree(port)) return port;
  }
}

/** Makes an empty cluster in `data`. */
export function createCluster({ account, binaries }: PostgresInstall, data: string): void {
  mkdirSync(data, { mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined)
    chownSync(data, account.uid, account.gid);
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C'],
    { ...account, stdio: 'ignore', cwd: join(data, '..') },
  );
}

export interface RunningCluster {
  readonly child: ChildProcess;
  /** Resolves when the server has ended. */
  readonly exited: Promise<void>;
}

/** Runs a server on a cluster; resolves when it accepts connections, which a standby does, too. */
export async function runCluster(
  { account, binaries }: PostgresInstall,
  { data, port, settings }: { data: string; port: number; settings: Record<string, string> },
): Promise<RunningCluster> {
  const flags = Object.entries({
    max_connections: '200',
    shared_buffers: '256MB',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(binaries, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
    ...account,
    cwd: join(data, '..'),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
  return { child, exited };
}

/**
 * Starts a server with an empty cluster.
 * @param settings further `-c` settings, for example `{ fsync: 'on' }`; by default sync
 * and autovacuum are off for speed: it would visit each of the hundreds of databases of a run
 */
export async function startPostgres(
  settings: Record<string, string> = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
  },
): Promise<PostgresServer> {
  endStrayServers(tmpdir());
  const home = mkdtempSync(join(tmpdir(), PREFIX));
  chmodSync(home, 0o755);
  markOwner(home);
  const install = installPostgres(home);
  const data = join(home, 'data');
  createCluster(install, data);
  const port = await findFreePort();
  const { child, exited } = await runCluster(install, { data, port, settings });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      child.kill('SIGQUIT');
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
