/** PgBouncer in transaction mode in front of the run's PostgreSQL. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { findFreePort } from './postgres-server.ts';

const EXAMPLE = new URL('../../../deploy/pgbouncer/pgbouncer.ini', import.meta.url);

export interface Pooler {
  /** The database of `url`, through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Starts it with the example of deploy/, whose addresses and users are those of the test. */
export async function startPooler(url: string): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-pooler-'));
  const { hostname, port, pathname, username } = new URL(url);
  const listen = await findFreePort();
  const config = readFileSync(EXAMPLE, 'utf8')
    .replace(/^edge = .*$/m, `* = host=${hostname} port=${port}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${listen}`)
    .replace(/^auth_type = .*$/m, 'auth_type = trust')
    .replace(/^auth_file = .*$/m, `auth_file = ${folder}/users`);
  writeFileSync(join(folder, 'users'), `"${username}" ""\n`);
  writeFileSync(join(folder, 'pgbouncer.ini'), config);
  chmodSync(folder, 0o755);
  // It refuses to be root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child: ChildProcess = spawn('pgbouncer', ['-q', ...asUser, join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
  });
  const pooled = `postgres://${username}@127.0.0.1:${listen}${pathname}`;
  await expect.poll(() => answers(pooled), { timeout: 10_000 }).toBe(true);
  return {
    url: pooled,
    async stop() {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
