/** Backups of a database with its archived log, and its recovery to a moment. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAccount } from '../../service/test/support/postgres-binaries.ts';
import type { DrillReport } from '../harness/drill.ts';
import { type Cluster, openPostgresHome, type PostgresHome, query } from './cluster.ts';
import { findDebianPostgres } from './debian-postgres.ts';
import { until } from './load.ts';

export interface Backups {
  /** An empty cluster whose log is archived. */
  readonly primary: Cluster;
  readonly home: PostgresHome;
  /** Makes a backup while the cluster serves. */
  back(): Promise<void>;
  /** Starts a cluster from the backup and the archive, up to a time. */
  recover(to: string): Promise<Cluster>;
}

const isPrimary = async (cluster: Cluster): Promise<boolean> =>
  (await query<{ yes: boolean }>(cluster.url(), 'select not pg_is_in_recovery() as yes'))[0]
    ?.yes === true;

/** By the low-level interface of base backups, and a folder as the archive. */
async function openFolderBackups(report: DrillReport): Promise<Backups> {
  const home = openPostgresHome();
  report.closing(() => home.remove());
  const folder = join(home.folder, 'archive');
  mkdirSync(folder);
  home.own(folder);
  const command = `test ! -f ${folder}/%f && cp %p ${folder}/%f`;
  const settings = { archive_mode: 'on', archive_command: command };
  const primary = await home.create('primary', settings);
  let copy: Cluster | undefined;
  return {
    ...{ primary, home },
    async back() {
      copy = await home.copy(primary, 'backup');
    },
    async recover(to) {
      if (!copy) throw new Error('there is no backup');
      const backup = copy;
      writeFileSync(join(backup.data, 'recovery.signal'), '');
      await backup.start({
        restore_command: `cp ${folder}/%f %p`,
        recovery_target_time: to,
        recovery_target_action: 'promote',
      });
      await until(() => isPrimary(backup));
      return backup;
    },
  };
}

/** By pgBackRest, on PostgreSQL of the system: Debian's pgBackRest does not know the newest one. */
async function openPgBackRest(report: DrillReport, binaries: string): Promise<Backups> {
  const home = openPostgresHome(binaries);
  report.closing(() => home.remove());
  const folders = Object.fromEntries(
    ['repository', 'log', 'lock', 'spool', 'socket'].map((name) => [name, join(home.folder, name)]),
  );
  for (const folder of Object.values(folders)) {
    mkdirSync(folder);
    home.own(folder);
  }
  const config = join(home.folder, 'pgbackrest.conf');
  function configure(data: string, port: number): void {
    const options = {
      'repo1-path': folders.repository,
      'log-path': folders.log,
      'lock-path': folders.lock,
      'spool-path': folders.spool,
      'log-level-console': 'warn',
      'start-fast': 'y',
      'repo1-retention-full': '2',
    };
    const lines = Object.entries(options).map(([name, value]) => `${name}=${value}`);
    const stanza = `[edge]\npg1-path=${data}\npg1-port=${port}\npg1-user=postgres`;
    const socket = `pg1-socket-path=${folders.socket}`;
    writeFileSync(config, `[global]\n${lines.join('\n')}\n${stanza}\n${socket}\n`);
  }
  const run = (...args: string[]): void => {
    const account = findAccount();
    execFileSync('pgbackrest', ['--stanza=edge', `--config=${config}`, ...args], {
      ...account,
      cwd: home.folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  const settings = {
    archive_mode: 'on',
    archive_command: `pgbackrest --stanza=edge --config=${config} archive-push %p`,
    unix_socket_directories: folders.socket ?? '',
  };
  const primary = await home.create('primary', settings);
  configure(primary.data, primary.port);
  run('stanza-create');
  return {
    ...{ primary, home },
    async back() {
      run('backup', '--type=full');
    },
    async recover(to) {
      const backup = await home.reserve('backup');
      configure(backup.data, backup.port);
      run('restore', '--type=time', `--target=${to}`, '--target-action=promote');
      await backup.start({ unix_socket_directories: settings.unix_socket_directories });
      await until(() => isPrimary(backup));
      return backup;
    },
  };
}

/** Whether pgBackRest is installed. */
function hasPgBackRest(): boolean {
  try {
    execFileSync('which', ['pgbackrest']);
    return true;
  } catch {
    return false;
  }
}

/** With pgBackRest where it is installed, otherwise with what PostgreSQL itself has. */
export async function openBackups(report: DrillReport): Promise<Backups> {
  const binaries = hasPgBackRest() ? findDebianPostgres() : undefined;
  report.note(binaries === undefined ? 'pgBackRest is not installed' : 'backups by pgBackRest');
  return binaries === undefined ? openFolderBackups(report) : openPgBackRest(report, binaries);
}

/** Waits until everything so far is in the archive. */
export async function archiveAll(primary: Cluster): Promise<void> {
  const [last] = await query<{ file: string }>(
    primary.url(),
    'select pg_walfile_name(pg_switch_wal()) as file',
  );
  await until(async () => {
    const [archiver] = await query<{ file: string }>(
      primary.url(),
      `select coalesce(last_archived_wal, '') as file from pg_stat_archiver`,
    );
    return (archiver?.file ?? '') >= (last?.file ?? '');
  });
}
