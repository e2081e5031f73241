import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../test/support/databases.ts';
import { sized } from '../test/support/scale.ts';
import { testConfig } from '../test/support/test-config.ts';
import {
  type Database,
  deleteDueRows,
  measureOverdue,
  type RetentionRule,
  transaction,
} from './db/index.ts';
import { deleteOldEvents, measureOldEvents } from './events/index.ts';
import { createMetrics } from './http/index.ts';
import { refuseClockAhead } from './jobs/index.ts';
import { createManualClock } from './lib/clock.ts';
import { createRetentionJobs, measureRetention, RETENTION, retentionOf } from './retention.ts';
import { SETTING_OF } from './retention-settings.ts';
import { removeLines, usageRules } from './rewards/index.ts';

/** Events that are not postings: these have one row for each batch. */
const EVENTS_PER_DAY = 4_000_000;
/** Lines of rewards, and each kind of usage. */
const USAGE_PER_DAY = 24_000_000;
/** More than two batches. */
const ROWS_MIN = 10_001;

/** Rows that a test adds at once: ten days of a million users, or what the run has time for. */
function rowsOf(perDay: number): number {
  const tenDays = 10 * perDay;
  const part = sized({
    quick: perDay / 1000,
    full: tenDays <= 1_000_000 ? tenDays : Math.max(perDay / 20, 250_000),
    soak: tenDays,
  });
  return Math.max(ROWS_MIN, part);
}

const DAY_S = 86_400;
const USAGE = usageRules(90 * DAY_S);

/** Values of columns that accept only some. */
const VALUES: Readonly<Record<string, string>> = {
  'ticket.purpose': "'login'",
  'token_revocation.kind': "'jti'",
  'known_network.network_hash': 'int4send(n)',
  'late_uptime.device_id': 'n',
  'notification.kind': "'deposit'",
  'notification.cause': "'cause ' || n",
  'webhook_delivery.state': "'delivered'",
  'device_hour.device_id': 'n',
  'traffic_hour.device_id': 'n',
  'reward_line.batch_id': '(select max(id) from reward_batch)',
  'reward_line.leaf': 'n - 1',
  'reward_line.status': "'paid'",
};

const BY_TYPE: Readonly<Record<string, string>> = {
  text: "'row ' || n",
  boolean: 'false',
  bigint: '1',
  integer: '1',
  smallint: '1',
  numeric: '1',
  json: "'{}'::json",
  jsonb: "'{}'::jsonb",
  ARRAY: "'{}'",
};

interface Column {
  readonly column_name: string;
  readonly data_type: string;
}

describe.each(RUN_ENGINES)('retention on %s', (engine) => {
  const clock = createManualClock('2026-11-24T00:00:00Z');
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
  });
  afterAll(() => database.close());

  /** Adds rows of a table that were last needed at a given time; references need not exist. */
  async function fill(table: string, since: string, at: Date, count: number): Promise<void> {
    const { rows } = await database.query<Column>(
      `select column_name, data_type from information_schema.columns
       where table_name = $1 and is_nullable = 'NO' and is_identity = 'NO'
         and (column_default is null or column_name = $2)`,
      [table, since],
    );
    const values = rows.map(({ column_name: name, data_type: type }) =>
      type === 'timestamp with time zone' ? '$1' : (VALUES[`${table}.${name}`] ?? BY_TYPE[type]),
    );
    await transaction(database, async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query('set local statement_timeout = 0');
      await tx.query(
        `insert into ${table} (${rows.map(({ column_name }) => column_name).join(', ')})
         select ${values.join(', ')} from generate_series(1, ${count}) n`,
        [at],
      );
    });
    // As autovacuum does in production; it is off in tests.
    await database.query(`analyze ${table}`);
  }

  /** All of the time before now has been corrected. */
  async function settleCorrection(): Promise<void> {
    await database.query(
      `insert into reward_batch (kind, hour, rule_version, state, until, salt_key, created_at,
         settled_at)
       values ('correction', $1, 0, 'settled', $1, '', $1, $1)`,
      [clock.now()],
    );
  }

  async function countRows(table: string): Promise<number> {
    const { rows } = await database.query<{ n: number }>(`select count(*)::int as n from ${table}`);
    return rows[0]?.n ?? 0;
  }

  test.each(
    [...RETENTION, ...USAGE].map(
      (rule) => [`${rule.table} ${rule.where ?? ''}`.trim(), rule] as const,
    ),
  )('all rows past their time are deleted, however many: %s', async (_, rule) => {
    const { table, since, kept_s, rowsPerDay } = rule;
    const rows = rowsOf(rowsPerDay);
    const due = new Date(clock.now().getTime() - kept_s * 1000);
    if (table === 'late_uptime') await settleCorrection();
    await fill(table, since, due, 1);
    expect(await deleteDueRows(database, clock, [rule])).toBe(0);
    await database.query(`delete from ${table}`);
    await fill(table, since, new Date(due.getTime() - 5000), rows);
    expect(await measureOverdue(database, clock, [rule])).toEqual({ [table]: 5 });
    expect(await deleteDueRows(database, clock, [rule])).toBe(rows);
    expect(await countRows(table)).toBe(0);
    expect(await measureOverdue(database, clock, [rule])).toEqual({ [table]: 0 });
  });

  test('all events past their time are deleted, however many', async () => {
    const due = new Date(clock.now().getTime() - 7 * 86_400_000);
    const rows = rowsOf(EVENTS_PER_DAY);
    const add = (at: Date, count: number) =>
      database.query(
        `insert into event (type, data, position, created_at)
         select 'session.started', '{}', n, $1 from generate_series(1, ${count}) n`,
        [at],
      );
    await add(new Date(due.getTime() - 5000), rows);
    expect(await measureOldEvents(database, clock)).toBe(5);
    expect(await deleteOldEvents(database, clock)).toBe(rows);
    expect(await countRows('event')).toBe(0);
    expect(await measureOldEvents(database, clock)).toBe(0);
    await add(due, 1);
    expect(await deleteOldEvents(database, clock)).toBe(0);
  });

  test('all lines of an archived settlement are removed, however many', async () => {
    const hour = new Date('2020-01-01T00:00:00Z');
    const { rows: settled } = await database.query<{ id: number }>(
      `insert into reward_batch (kind, hour, rule_version, state, until, salt_key, created_at,
         settled_at, archived_at, moved_at)
       values ('correction', $1, 0, 'settled', $1, '', $1, $1, $1, $1) returning id`,
      [hour],
    );
    const id = settled[0]?.id ?? 0;
    await fill('reward_line', 'hour', hour, rowsOf(USAGE_PER_DAY));
    expect(await removeLines({ database }, id)).toBe(true);
    expect(await countRows('reward_line')).toBe(0);
  });

  test('a clock ahead of the database deletes nothing, and the job fails', async () => {
    const old = new Date(clock.now().getTime() - 40 * DAY_S * 1000);
    await fill('late_uptime', 'changed_at', old, 1);
    let ahead_ms = 301_000;
    const jobs = refuseClockAhead(
      createRetentionJobs({ database, clock, metrics: createMetrics(), settings: testConfig() }),
      () => Promise.resolve(ahead_ms),
    );
    expect(jobs.map(({ name }) => name)).toEqual(['delete-due-rows', 'delete-old-events']);
    const signal = new AbortController().signal;
    const left = () => countRows('late_uptime');
    for (const job of jobs)
      await expect(job.run(signal)).rejects.toThrow('this process is 301 s ahead');
    expect(await left()).toBe(1);
    ahead_ms = -86_400_000;
    for (const job of jobs) await job.run(signal);
    // No rules were ever activated, so that no settlement will read it.
    expect(await left()).toBe(0);
  });

  test('a young event in front holds up none behind it, and hides none of them', async () => {
    await database.query('delete from event');
    await database.query('update event_counter set deleted_position = 0');
    const due = new Date(clock.now().getTime() - 7 * 86_400_000);
    const add = (at: Date, first: number, last: number) =>
      database.query(
        `insert into event (type, data, position, created_at)
         select 'session.started', '{}', n, $1 from generate_series(${first}, ${last}) n`,
        [at],
      );
    await add(new Date('2099-01-01T00:00:00Z'), 1, 1);
    await add(new Date(due.getTime() - 5000), 2, 2 * ROWS_MIN);
    await add(due, 2 * ROWS_MIN + 1, 3 * ROWS_MIN);
    expect(await measureOldEvents(database, clock)).toBe(5);
    expect(await deleteOldEvents(database, clock)).toBe(2 * ROWS_MIN - 1);
    expect(await countRows('event')).toBe(ROWS_MIN + 1);
    expect(await measureOldEvents(database, clock)).toBe(0);
    const { rows } = await database.query('select deleted_position from event_counter');
    expect(rows).toEqual([{ deleted_position: 2 * ROWS_MIN }]);
  });

  test('an infinite time stops no metric', async () => {
    await database.query('delete from event');
    const infinite = `insert into event (type, data, position, created_at)
      values ('session.started', '{}', 1, 'infinity')`;
    await expect(database.query(infinite)).rejects.toThrow('event_created_at_check');
    await database.query('alter table event drop constraint event_created_at_check');
    await database.query(infinite);
    await fill('mail', 'created_at', clock.now(), 1);
    await database.query("update mail set created_at = '-infinity'");
    const overdue = await measureRetention(database, clock, testConfig());
    expect(overdue).toMatchObject({ event: 0, mail: 0 });
    await deleteDueRows(database, clock, RETENTION);
    expect(await countRows('mail')).toBe(0);
    await database.query('delete from event');
  });

  test('one table that cannot be read in time hides no other from the metric', async () => {
    const metrics = createMetrics();
    const busy: Database = {
      ...database,
      query: (text, values) =>
        text.includes('late_uptime')
          ? Promise.reject(new Error('canceling statement due to statement timeout'))
          : database.query(text, values),
    };
    createRetentionJobs({ database: busy, clock, metrics, settings: testConfig() });
    const text = await metrics.registry.metrics();
    const name = 'edge_account_retention_overdue_seconds';
    const shown = RETENTION.filter(({ table }) => text.includes(`${name}{table="${table}"}`));
    expect(RETENTION.filter((rule) => !shown.includes(rule)).map(({ table }) => table)).toEqual([
      'late_uptime',
    ]);
    expect(text).toContain(`${name}{table="event"}`);
    // The counter is written before it counts.
    const unread = `edge_account_metrics_unread_total{metric="${name}"} 1`;
    expect(await metrics.registry.metrics()).toContain(unread);
  });

  test('a table that is far behind holds up no other, nor the end of the instance', async () => {
    const [tickets, mails] = ['ticket', 'mail'].map((table) =>
      RETENTION.filter((rule) => rule.table === table),
    );
    const rules = [...(tickets ?? []), ...(mails ?? [])];
    for (const { table, since } of rules)
      await fill(table, since, new Date('2020-01-01T00:00:00Z'), table === 'mail' ? 1 : ROWS_MIN);
    let batches = 0;
    const ending = new AbortController();
    const interrupted: Database = {
      ...database,
      query: async (text, values) => {
        const result = await database.query(text, values);
        if (++batches === 2) ending.abort();
        return result as never;
      },
    };
    await deleteDueRows(interrupted, clock, rules, ending.signal);
    expect(batches).toBe(2);
    expect(await countRows('mail')).toBe(0);
    expect(await countRows('ticket')).toBeGreaterThan(0);
    await deleteDueRows(database, clock, rules);
    expect(await countRows('ticket')).toBe(0);
  });

  test.each([
    ['security_event', 'SECURITY_EVENTS_KEPT_DAYS', 100],
    ['user_session', 'SESSIONS_KEPT_DAYS', 1],
    ['notification', 'NOTIFICATIONS_KEPT_DAYS', 400],
  ] as const)('rows of %s are kept for %s', async (table, setting, days) => {
    const settings = testConfig({ [setting]: String(days) });
    const rules = retentionOf(settings).filter((rule) => rule.table === table);
    const since = rules[0]?.since ?? '';
    await database.query(`delete from ${table}`);
    const due = new Date(clock.now().getTime() - days * 86_400_000);
    await fill(table, since, due, 1);
    expect(await deleteDueRows(database, clock, rules)).toBe(0);
    clock.advance(1000);
    expect(await measureOverdue(database, clock, rules)).toEqual({ [table]: 1 });
    expect(await deleteDueRows(database, clock, rules)).toBe(1);
  });

  test('the settings have the times of the rules by default', () => {
    expect(retentionOf(testConfig())).toEqual(RETENTION);
    const tables = RETENTION.map(({ table }) => table);
    expect(Object.keys(SETTING_OF).filter((table) => !tables.includes(table))).toEqual([]);
  });

  test('a table that cannot be cleaned holds up no other, and is reported', async () => {
    const rules = ['ticket', 'registration', 'mail', 'notification'].flatMap((table) =>
      RETENTION.filter((rule) => rule.table === table),
    );
    for (const { table, since } of rules)
      await fill(table, since, new Date('2020-01-01T00:00:00Z'), ROWS_MIN);
    await database.query(`create function refuse_delete() returns trigger language plpgsql as $$
      begin raise exception 'no row of % goes', tg_table_name; end $$`);
    for (const table of ['ticket', 'mail'])
      await database.query(`create trigger refuse_delete before delete on ${table}
        for each statement execute function refuse_delete()`);
    const run = deleteDueRows(database, clock, rules);
    await expect(run).rejects.toThrow('no row of ticket goes');
    const left = await Promise.all(rules.map(({ table }) => countRows(table)));
    expect(left).toEqual([ROWS_MIN, 0, ROWS_MIN, 0]);
    for (const table of ['ticket', 'mail'])
      await database.query(`drop trigger refuse_delete on ${table}`);
    expect(await deleteDueRows(database, clock, rules)).toBe(2 * ROWS_MIN);
  });

  test('operators find a rule for each table', () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const section = page.split('\n### Retention\n')[1]?.split('\n## ')[0] ?? '';
    const lines = section.split('\n');
    const isListed = ({
      table,
      rowsPerDay,
    }: Pick<RetentionRule, 'table' | 'rowsPerDay'>): boolean =>
      lines.some(
        (line) =>
          line.startsWith(`| \`${table}\` |`) &&
          line.includes(SETTING_OF[table] ?? '') &&
          line.endsWith(`| ${rowsPerDay.toLocaleString('en')} |`),
      );
    expect(RETENTION.filter((rule) => !isListed(rule))).toEqual([]);
    expect(isListed({ table: 'event', rowsPerDay: EVENTS_PER_DAY })).toBe(true);
  });

  test('operators find each table of the schema in one of two lists', async () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const section = page.split('\n### Retention\n')[1]?.split('\n## ')[0] ?? '';
    const tablesOf = (part: string | undefined): string[] =>
      (part ?? '')
        .split('\n')
        .filter((line) => line.startsWith('| `'))
        .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)])
        .map(([, name = '']) => name);
    const [deleted, kept] = section.split('\n#### Kept for ever\n').map(tablesOf);
    const { rows } = await database.query<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = current_schema::regnamespace and relkind in ('r', 'p')`,
    );
    const listed = [...(deleted ?? []), ...(kept ?? [])].sort();
    expect(listed).toEqual(rows.map(({ name }) => name).sort());
    expect(new Set(deleted)).toEqual(new Set([...RETENTION.map(({ table }) => table), 'event']));
  });

  test('autovacuum comes early to tables that lose a million rows a day', async () => {
    const { rows } = await database.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        cross join lateral pg_options_to_table(c.reloptions) o
        where n.nspname = current_schema and o.option_name = 'autovacuum_vacuum_scale_factor'
          and o.option_value::numeric <= 0.05`,
    );
    const named = new Set(rows.map(({ name }) => name));
    const usage = ['device_hour', 'traffic_hour', 'traffic_report', 'reward_line', 'event'];
    const large = RETENTION.filter(({ rowsPerDay }) => rowsPerDay >= 1_000_000);
    const tables = [...large.map(({ table }) => table), ...usage, 'device_presence'];
    expect(tables.filter((table) => !named.has(table))).toEqual([]);
  });

  test('the job finds the rows of each table by an index', async () => {
    const { rows } = await database.query<{ place: string }>(
      `select t.relname || '.' || a.attname as place
       from pg_index i join pg_class t on t.oid = i.indrelid
         join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]`,
    );
    const indexed = new Set(rows.map(({ place }) => place));
    expect(RETENTION.filter(({ table, since }) => !indexed.has(`${table}.${since}`))).toEqual([]);
  });
});
