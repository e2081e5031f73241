/** Two members of Patroni with etcd, behind HAProxy, by the examples of deploy/patroni. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Account, findAccount } from '../../service/test/support/postgres-binaries.ts';
import { findFreePort } from '../../service/test/support/postgres-server.ts';
import type { DrillReport } from '../harness/drill.ts';
import { type DatabaseAddress, listProcesses, query, signalAll } from './cluster.ts';
import { findDebianPostgres } from './debian-postgres.ts';

const DEPLOY = new URL('../../deploy/patroni/', import.meta.url).pathname;
const LOOK_EVERY_MS = 20;
const LIMIT_MS = 120_000;
/** A server that is stopped or starts may leave a question without an answer. */
const ANSWER_MS = 2000;
const PROGRAMS = ['patroni', 'etcd', 'haproxy'];

/** A machine with Patroni and PostgreSQL. */
export interface Member extends DatabaseAddress {
  readonly name: string;
  isPrimary(): Promise<boolean>;
  /** Sends a signal to Patroni and PostgreSQL, as when the machine fails. */
  signal(name: NodeJS.Signals): void;
}

export interface PatroniCluster extends DatabaseAddress {
  readonly members: readonly [Member, Member];
  /** Asks again until the answer is yes. @throws when it is not in time, with the logs */
  until(ask: () => Promise<boolean>, what: string): Promise<number>;
}

/** Why Patroni cannot run here, if so. */
export function missingPatroni(): string | undefined {
  try {
    for (const name of PROGRAMS) execFileSync('which', [name]);
  } catch {
    return `${PROGRAMS.join(', ')} are not all installed`;
  }
  return findDebianPostgres() === undefined
    ? 'PostgreSQL is not installed on the system'
    : undefined;
}

interface Place {
  readonly folder: string;
  readonly account: Account;
  readonly report: DrillReport;
}

/** Starts a program that ends with the drill; its output goes to a file. */
function run(
  { folder, account, report }: Place,
  name: string,
  [program = '', ...args]: readonly string[],
  env: Record<string, string> = {},
): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'a');
  const child = spawn(program, args, {
    ...account,
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
    stdio: ['ignore', log, log],
  });
  report.closing(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  });
  return child;
}

async function startEtcd(place: Place): Promise<string> {
  const [client, peer] = [await findFreePort(), await findFreePort()];
  const urls = (port: number): string => `http://127.0.0.1:${port}`;
  run(place, 'etcd', [
    ...['etcd', '--data-dir', join(place.folder, 'etcd')],
    ...['--listen-client-urls', urls(client), '--advertise-client-urls', urls(client)],
    ...['--listen-peer-urls', urls(peer), '--initial-advertise-peer-urls', urls(peer)],
    ...['--initial-cluster', `default=${urls(peer)}`],
  ]);
  return `127.0.0.1:${client}`;
}

interface Started extends Member {
  readonly restPort: number;
}

/** Members of a drill trust each other: all is on loopback. */
function writeConfiguration(folder: string): string {
  const path = join(folder, 'patroni.yml');
  const text = readFileSync(join(DEPLOY, 'patroni.yml'), 'utf8');
  const trusting = text.replace(/scram-sha-256|peer$/gm, 'trust');
  writeFileSync(path, trusting.replaceAll('samenet', '127.0.0.1/32'));
  return path;
}

async function startMember(place: Place, name: string, etcd: string): Promise<Started> {
  const [port, restPort] = [await findFreePort(), await findFreePort()];
  const data = join(place.folder, name);
  const child = run(place, `patroni-${name}`, ['patroni', writeConfiguration(place.folder)], {
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOSTS: `'${etcd}'`,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: data,
    PATRONI_POSTGRESQL_BIN_DIR: findDebianPostgres() ?? '',
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: 'drill',
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: 'drill',
  });
  function signal(how: NodeJS.Signals): void {
    const file = join(data, 'postmaster.pid');
    const postmaster = existsSync(file) ? parseInt(readFileSync(file, 'utf8'), 10) : undefined;
    const processes = postmaster === undefined ? [] : listProcesses(postmaster);
    signalAll([child.pid ?? 0, ...processes], how);
  }
  place.report.closing(() => signal('SIGKILL'));
  const url = (database = 'postgres', role = 'postgres'): string =>
    `postgres://${role}@127.0.0.1:${port}/${database}`;
  return {
    ...{ name, port, restPort, url, signal },
    isPrimary: () => isTrue(url(), 'not pg_is_in_recovery()'),
  };
}

/** False while it cannot be reached, too. */
const isTrue = (url: string, question: string): Promise<boolean> =>
  query<{ yes: boolean }>(url, `select (${question}) as yes`, [], ANSWER_MS).then(
    ([row]) => row?.yes === true,
    () => false,
  );

/** The last lines that Patroni wrote, for the error of a drill. */
function readLogs(folder: string): string {
  const logs = readdirSync(folder).filter((name) => /^patroni.*\.log$/.test(name));
  const LINES = 12;
  return logs
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n').slice(-LINES))
    .join('\n');
}

/** Asks again until the answer is yes. @throws when it is not in time, with the logs of Patroni */
async function until(ask: () => Promise<boolean>, what: string, folder: string): Promise<number> {
  const begun = performance.now();
  while (!(await ask())) {
    if (performance.now() - begun > LIMIT_MS)
      throw new Error(`${what}: not in time\n${readLogs(folder)}`);
    await wait(LOOK_EVERY_MS);
  }
  return performance.now();
}

/** @returns once the primary serves through HAProxy and the standby is synchronous */
export async function startPatroni(report: DrillReport): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-patroni-'));
  report.closing(() => rmSync(folder, { recursive: true, force: true }));
  const account = findAccount();
  const { uid, gid } = account;
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'etcd'), { mode: 0o700 });
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, folder]);
  const place = { folder, account, report };
  const etcd = await startEtcd(place);
  const first = await startMember(place, 'db1', etcd);
  await until(() => first.isPrimary(), 'the first member becomes the primary', folder);
  const second = await startMember(place, 'db2', etcd);
  const isInStep = () =>
    isTrue(first.url(), `exists (select from pg_stat_replication where sync_state = 'sync')`);
  await until(isInStep, 'the second member is in step', folder);
  const port = await findFreePort();
  run(place, 'haproxy', ['haproxy', '-db', '-f', join(DEPLOY, 'haproxy.cfg')], {
    LISTEN: `127.0.0.1:${port}`,
    READ_LISTEN: `127.0.0.1:${await findFreePort()}`,
    DATABASE_A: `127.0.0.1:${first.port}`,
    DATABASE_B: `127.0.0.1:${second.port}`,
    PATRONI_A: String(first.restPort),
    PATRONI_B: String(second.restPort),
  });
  const url = (database = 'postgres', role = 'postgres'): string =>
    `postgres://${role}@127.0.0.1:${port}/${database}`;
  // Before its first checks HAProxy takes both members for the primary.
  const leadsToPrimary = async (): Promise<boolean> =>
    (await Promise.all([0, 1, 2, 3].map(() => isTrue(url(), 'not pg_is_in_recovery()')))).every(
      Boolean,
    );
  await until(leadsToPrimary, 'HAProxy leads to the primary', folder);
  return {
    ...{ members: [first, second], port, url },
    until: (ask, what) => until(ask, what, folder),
  };
}
