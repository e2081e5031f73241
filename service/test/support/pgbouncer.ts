/** PgBouncer in transaction mode, with the example of deploy/. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from './postgres-server.ts';

const EXAMPLE = new URL('../../../deploy/pgbouncer/pgbouncer.ini', import.meta.url);
const LOOK_EVERY_MS = 20;

export interface Pooler {
  /** The database of `url`, through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Whether something listens there: PgBouncer does once it has read its configuration. */
async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Writes the example with the address of the database and a user of it. @returns its path */
function writeExample(folder: string, listen: number, database: URL, password: string): string {
  const { hostname, port, pathname, username } = database;
  const name = pathname.slice(1);
  const config = readFileSync(EXAMPLE, 'utf8')
    .replace(/^edge = .*$/m, `${name} = host=${hostname} port=${port} dbname=${name}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${listen}`)
    .replace(/^auth_file = .*$/m, `auth_file = ${folder}/users`);
  writeFileSync(join(folder, 'users'), `"${username}" "${password}"\n`);
  const path = join(folder, 'pgbouncer.ini');
  writeFileSync(path, config);
  return path;
}

/**
 * Starts it in front of a database, which need not be there yet. Of the example only addresses,
 * names and the file of users are changed.
 */
export async function startPooler(url: string): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-pooler-'));
  chmodSync(folder, 0o755);
  const [listen, password] = [await findFreePort(), randomUUID()];
  const database = new URL(url);
  const path = writeExample(folder, listen, database, password);
  // It refuses to be root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn('pgbouncer', ['-q', ...asUser, path], { stdio: 'ignore' });
  const ended = once(child, 'close');
  while (!(await isListening(listen))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
    await wait(LOOK_EVERY_MS);
  }
  return {
    url: `postgres://${database.username}:${password}@127.0.0.1:${listen}${database.pathname}`,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
