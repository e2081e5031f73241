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

/**
 * Adds a standby of that name, which replays at once what the primary commits, and some time after.
 * @param settings further settings of the standby
 */
export async function followPrimary(
  home: PostgresHome,
  primary: Cluster,
  { name = 'standby', settings = {} }: { name?: string; settings?: Record<string, string> } = {},
): Promise<Cluster> {
  const standby = await home.copy(primary, name);
  writeFileSync(join(standby.data, 'standby.signal'), '');
  const address = `host=127.0.0.1 port=${primary.port} user=postgres`;
  const primary_conninfo = `${address} application_name=${name}`;
  await standby.start({ ...settings, primary_conninfo });
  await until(
    primary.url(),
    `exists (select from pg_stat_replication
      where application_name = '${name}' and state = 'streaming')`,
  );
  return standby;
}

/** Adds a standby; commits of the primary wait for it from then on. */
export async function addStandby(home: PostgresHome, primary: Cluster): Promise<Cluster> {
  const standby = await followPrimary(home, primary);
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
