/** Single statements on a pool or a connection of the driver. */
import type pg from 'pg';
import { inSpan } from '../lib/tracing.ts';
import type { Database, Db, Result, Row } from './types.ts';

/** What is sent for a prepared statement. */
export function preparedConfig(
  { keepsPrepared }: Pick<Database, 'keepsPrepared'>,
  name: string,
  query: { readonly text: string; readonly values: readonly unknown[] },
): pg.QueryConfig {
  const config = { text: query.text, values: [...query.values] };
  return keepsPrepared ? { name, ...config } : config;
}

/** Runs one statement on a driver client. Its values are not in its span. */
export function run<R>(
  client: pg.Pool | pg.ClientBase,
  config: pg.QueryConfig,
): Promise<Result<R>> {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': config.text };
  return inSpan(config.name ?? 'statement', { kind: 'client', attributes }, async () => {
    const result = await client.query(config);
    return { rows: result.rows as R[], rowCount: result.rowCount ?? 0 };
  });
}

/** Statements outside of a transaction, on a pool or on one connection. */
export function toDb(client: pg.Pool | pg.ClientBase, keepsPrepared: boolean): Db {
  return {
    isTransaction: false,
    query: <R = Row>(text: string, values: readonly unknown[] = []) =>
      run<R>(client, { text, values: [...values] }),
    prepared: <R = Row>(name: string, text: string, values: readonly unknown[] = []) =>
      run<R>(client, preparedConfig({ keepsPrepared }, name, { text, values })),
  };
}
