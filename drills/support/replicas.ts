/** A primary with a standby that has every acknowledged commit, and the promotion of the latter. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Cluster, type PostgresHome, query } from './cluster.ts';

const LOOK_EVERY_MS = 20;

async function until(url: string, question: string): Promise<void> {
  for (;;) {
    const rows = await query<{ yes: boolean }>(url, `select (${question}) as yes`).catch(() => []);
    if (rows[0]?.yes) return;
    await wait(LOOK_EVERY_MS);
  }
}

/** Adds a standby; commits of the primary wait for it from then on. */
export async function addStandby(home: PostgresHome, primary: Cluster): Promise<Cluster> {
  const standby = await home.copy(primary, 'standby');
  writeFileSync(join(standby.data, 'standby.signal'), '');
  await standby.start({ primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres` });
  await query(primary.url(), `alter system set synchronous_standby_names = '*'`);
  await query(primary.url(), 'select pg_reload_conf()');
  await until(
    primary.url(),
    `exists (select from pg_stat_replication where sync_state in ('sync', 'quorum'))`,
  );
  return standby;
}

/** Makes a standby the primary. @returns when it took its first change, by `performance.now()` */
export async function promote(standby: Cluster): Promise<number> {
  await query(standby.url(), 'select pg_promote()');
  await until(standby.url(), 'not pg_is_in_recovery()');
  await query(standby.url(), 'create table drill_is_writable ()');
  return performance.now();
}
