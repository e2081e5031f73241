/**
 * A network of many people, one device each, on a PostgreSQL that syncs; and hours for it to
 * settle.
 */
import { type Database, migrate, openServer } from '../../service/src/db/index.ts';
import { installLedger } from '../../service/src/ledger/index.ts';
import { type Clock, createManualClock } from '../../service/src/lib/clock.ts';
import {
  activateRules,
  draftRules,
  type RewardPeriod,
  type RulesBody,
  settleDue,
} from '../../service/src/rewards/index.ts';
import { startPostgres } from '../../service/test/support/postgres-server.ts';
import { TEST_RULES } from '../../service/test/support/settled-network.ts';
import { testMasterKey } from '../../service/test/support/test-config.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');

const PEOPLE = `insert into app_user (email, email_key, nickname, referral_code, created_at)
  select 'u' || n || '@example.test', 'u' || n || '@example.test', 'u' || n, 'R' || n, $2
    from generate_series(1, $1::int) n`;
// Every tenth user has a referrer.
const REFERRERS = 'update app_user set referrer_id = id / 20 + 1 where id % 10 = 0 and id > 20';
const DEVICES = `insert into device (node_id, user_id, device_type, browser, extension_version, os,
  timezone, capabilities, requested_categories, registered_address,
    created_at, bound_at)
  select 'node-' || id, id, 'TERMINAL', '', '', '', 'UTC', '{}', '{}',
    '10.' || id % 200 || '.' || id / 200 % 200 || '.' || id / 40000, created_at, created_at
  from app_user`;
/** Each device is online for most of the hour. */
export const ONLINE = `insert into device_hour (device_id, hour, online_ms)
  select id, $1, 3000000 + id % 600000
    from device`;
const ACCOUNTS = `insert into account (wallet_id, currency_id, user_id, kind_id, guarded)
  select u.id * 32 + k, c.id, u.id, k, true from app_user u, currency c, generate_series(1, 2) k
    where c.code = 'EDGE'`;

/** Tables that settling writes, as it leaves them, without what follows from one another. */
const WRITTEN = [
  'transfer',
  'entry',
  'account',
  'earning_day',
  'earning_total',
  'reward_line',
] as const;

export interface RewardLab {
  readonly database: Database;
  readonly clock: ReturnType<typeof createManualClock>;
  /** Records one more hour online for all users; the clock is at its settlement. */
  prepareHour(): Promise<Date>;
  /** Settles it; seconds. */
  settle(): Promise<number>;
  /**
   * Writes the same rows again into empty tables of the same shape and indexes, one `INSERT …
   * SELECT` each; seconds.
   */
  copy(hour: Date): Promise<number>;
  close(): Promise<void>;
}

/** The rows that one hour wrote. */
function rowsOf(table: (typeof WRITTEN)[number]): string {
  if (table === 'transfer') return 'select * from transfer where event_at = $1';
  if (table === 'entry')
    return 'select e.* from entry e join transfer t on t.id = e.transfer_id where t.event_at = $1';
  if (table === 'account')
    return 'select * from account where $1::timestamptz is not null and seq > 0';
  if (table === 'earning_day')
    return 'select * from earning_day where day = ($1::timestamptz at time zone $$UTC$$)::date';
  if (table === 'earning_total')
    return 'select * from earning_total where $1::timestamptz is not null';
  return 'select * from reward_line where hour = $1';
}

/** People with a device each, and rules that are in force from `start` on. */
export async function fillNetwork(
  database: Database,
  clock: Clock,
  { users, rules, start }: { users: number; rules: RulesBody; start: Date },
): Promise<void> {
  const client = await database.pool.connect();
  await client.query('set statement_timeout = 0');
  // Before that, their traffic would not count.
  await client.query(PEOPLE, [users, start]);
  for (const statement of [REFERRERS, DEVICES, ACCOUNTS, 'vacuum analyze'])
    await client.query(statement);
  client.release(true);
  const deps = { clock, rewardCurrency: 'EDGE' };
  const draft = await draftRules(database, deps, rules, 'bench');
  await activateRules(database, deps, { version: draft.version, from: start, by: 'bench' });
}

/** @param settings by default each hour is paid, by rules with every kind of reward */
export async function openRewardLab(
  users: number,
  settings: { readonly period?: RewardPeriod; readonly rules?: RulesBody } = {},
): Promise<RewardLab> {
  const { period = 'hour', rules = TEST_RULES } = settings;
  const postgres = await startPostgres({ shared_buffers: '1GB', max_wal_size: '8GB' });
  const database = await openServer({ url: postgres.url, poolSize: 10, onError: () => {} });
  await migrate(database);
  const clock = createManualClock(new Date(START.getTime() - 1));
  installLedger(database, { clock, masterKey: testMasterKey });
  const deps = { database, clock, rewardCurrency: 'EDGE', grace_s: 600, period };
  await fillNetwork(database, clock, { users, rules, start: START });
  const client = await database.pool.connect();
  await client.query('set statement_timeout = 0');
  for (const table of WRITTEN)
    await client.query(
      `create table copy_${table} (like ${table} including defaults including constraints including
        indexes)`,
    );
  let hours = 0;
  return {
    database,
    clock,
    async prepareHour() {
      const hour = new Date(START.getTime() + hours++ * HOUR_MS);
      clock.set(new Date(hour.getTime() + HOUR_MS + 600_000));
      await client.query(ONLINE, [hour]);
      await client.query('analyze device_hour');
      await client.query('checkpoint');
      return hour;
    },
    async settle() {
      const started = performance.now();
      await settleDue(deps);
      return (performance.now() - started) / 1000;
    },
    async copy(hour) {
      for (const table of WRITTEN) await client.query(`truncate copy_${table}`);
      await client.query('checkpoint');
      const started = performance.now();
      for (const table of WRITTEN)
        await client.query(`insert into copy_${table} ${rowsOf(table)}`, [hour]);
      return (performance.now() - started) / 1000;
    },
    async close() {
      client.release();
      await database.close();
      await postgres.stop();
    },
  };
}
