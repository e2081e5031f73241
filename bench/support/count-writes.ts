/**
 * Counts the writing statements of all clients: the database itself counts
 * (`pg_stat_statements`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Settings of a server on which writes can be counted. */
export const COUNTING_SETTINGS = { shared_preload_libraries: 'pg_stat_statements' } as const;

const WRITES = `select substring(query from '(?i)(?:insert into|update|delete from) ([a-z_]+)')
  as target, sum(calls)::int as calls
  from pg_stat_statements where toplevel and query
    ~* '(insert into|(?<!for )update [a-z_]+|delete from)' group by 1`;

async function readCalls(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ target: string; calls: number }>(WRITES);
  return new Map(rows.map((row) => [row.target, row.calls]));
}

/**
 * Writing statements a second while something runs, all of them and by the table that each names
 * first.
 */
export async function countWrites(
  databaseUrl: string,
  work: () => Promise<unknown>,
): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('create extension if not exists pg_stat_statements');
    const before = await readCalls(client);
    const startedAt_ms = performance.now();
    await work();
    const seconds = (performance.now() - startedAt_ms) / 1000;
    const after = await readCalls(client);
    const rates = [...after]
      .map(([target, calls]) => ({ target, rate: (calls - (before.get(target) ?? 0)) / seconds }))
      .filter(({ rate }) => rate > 0);
    const total = rates.reduce((sum, { rate }) => sum + rate, 0);
    const parts = rates
      .sort((a, b) => b.rate - a.rate)
      .map(({ target, rate }) => `${target} ${rate.toFixed(2)}`);
    return (
      `${total.toFixed(2)} statements/s (goal ≤ 2) over ${seconds.toFixed(0)} s: ` +
      `${parts.join(', ') || 'none'}`
    );
  } finally {
    await client.end();
  }
}

/** Counters of a session reach the statistics a second after its statement at the latest. */
const STATISTICS_DELAY_MS = 2000;

async function readRows(client: pg.Client): Promise<Map<string, number>> {
  await sleep(STATISTICS_DELAY_MS);
  const { rows } = await client.query<{ table: string; rows: number }>(
    `select relname as table, (n_tup_ins + n_tup_upd + n_tup_del)::int as rows
     from pg_stat_user_tables`,
  );
  return new Map(rows.map(({ table, rows: count }) => [table, count]));
}

export interface RowRate {
  readonly perSecond: number;
  /** The tables with most of them. */
  readonly tables: string;
}

/** Rows inserted, updated and deleted a second in all tables while something runs. */
export async function countRows(
  databaseUrl: string,
  work: () => Promise<unknown>,
): Promise<RowRate> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const before = await readRows(client);
    const startedAt_ms = performance.now();
    await work();
    const after = await readRows(client);
    const seconds = (performance.now() - startedAt_ms) / 1000;
    const rates = [...after]
      .map(([table, rows]) => ({ table, rate: (rows - (before.get(table) ?? 0)) / seconds }))
      .filter(({ rate }) => rate > 0)
      .sort((a, b) => b.rate - a.rate);
    return {
      perSecond: rates.reduce((sum, { rate }) => sum + rate, 0),
      tables: rates.map(({ table, rate }) => `${table} ${rate.toFixed(2)}`).join(', '),
    };
  } finally {
    await client.end();
  }
}
