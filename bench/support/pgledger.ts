/**
 * pgledger (https://github.com/pgr0ss/pgledger, MIT): a double-entry ledger of PL/pgSQL functions,
 * as an anchor. Its SQL is no part of this repository: clone it and set `PGLEDGER_DIR` to the
 * clone.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Measured, withProcessorTime } from '../harness/processor-time.ts';
import { ROUND_S } from '../harness/sizes.ts';

const DIRECTORY = process.env.PGLEDGER_DIR;
/** In the order of loading: its identifiers are ULIDs. */
const FILES = ['vendor/scoville-pgsql-ulid/uuid-to-ulid.sql', 'pgledger.sql'] as const;
const DATABASE = 'pgledger';
const AMOUNT = '1.234567890123456789';

const CREATE_ACCOUNTS = `select a.id from generate_series(1, $1::int) n,
  lateral pgledger_create_account('account ' || n, 'EDGE') a`;
const CREATE_TRANSFERS = `select id from pgledger_create_transfers(array(
  select row($1, person, $2)::transfer_request from unnest($3::text[]) as person))`;

export interface Pgledger {
  /**
   * Transfers per second of one round of its array function, to people in a row.
   * @param isShared all callers debit one account; otherwise each its own, so that they do not wait
   *   for each other
   */
  measure(callers: number, batch: number, isShared: boolean): Promise<Measured>;
  close(): Promise<void>;
}

/** Why it cannot be measured here, if so. */
export function findMissingPgledger(): string | undefined {
  if (DIRECTORY === undefined)
    return 'set PGLEDGER_DIR to a clone of https://github.com/pgr0ss/pgledger (MIT)';
  const missing = FILES.find((file) => !existsSync(join(DIRECTORY, file)));
  return missing === undefined ? undefined : `PGLEDGER_DIR has no ${missing}`;
}

async function createDatabase(serverUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${DATABASE}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${DATABASE}`;
  return url.href;
}

/** Loads it into a database of its own on a server, with accounts of people and of callers. */
export async function openPgledger(
  serverUrl: string,
  postmaster: number | undefined,
  people: number,
  callers: number,
): Promise<Pgledger> {
  const pool = new pg.Pool({ connectionString: await createDatabase(serverUrl), max: callers });
  for (const file of FILES) await pool.query(readFileSync(join(DIRECTORY ?? '', file), 'utf8'));
  const create = async (count: number) =>
    (await pool.query<{ id: string }>(CREATE_ACCOUNTS, [count])).rows.map(({ id }) => id);
  const [sources, targets] = [await create(callers), await create(people)];
  await pool.query('vacuum analyze pgledger_accounts');

  async function post(source: string, batch: number): Promise<number> {
    const start = Math.floor(Math.random() * targets.length);
    const chosen = Array.from({ length: batch }, (_, i) => targets[(start + i) % targets.length]);
    return (
      await pool.query({
        name: 'transfers',
        text: CREATE_TRANSFERS,
        values: [source, AMOUNT, chosen],
      })
    ).rows.length;
  }

  return {
    measure: (count, batch, isShared) =>
      withProcessorTime({ service: process.pid, postmaster }, async () => {
        const started = performance.now();
        let posted = 0;
        const call = async (_: unknown, i: number): Promise<void> => {
          const source = sources[isShared ? 0 : i % sources.length] ?? '';
          while (performance.now() < started + ROUND_S * 1000) posted += await post(source, batch);
        };
        await Promise.all(Array.from({ length: count }, call));
        return { figure: posted / ((performance.now() - started) / 1000), operations: posted };
      }),
    close: () => pool.end(),
  };
}
