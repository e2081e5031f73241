/**
 * Counts the writing statements of all clients: the database itself counts
 * (`pg_stat_statements`).
 */
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
