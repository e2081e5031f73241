/**
 * What a database takes on disk: each table with its indexes and its TOAST, system catalogues left
 * out.
 */
import type { Database } from '../../service/src/db/index.ts';

const SIZES = `select c.relname as name, pg_total_relation_size(c.oid) as bytes from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema')`;

export interface DiskUse {
  readonly tables: ReadonlyMap<string, number>;
  /** Position in the write-ahead log, in bytes. */
  readonly wal: number;
}

async function readWal(database: Database): Promise<number> {
  const { rows } = await database.query<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as bytes`,
  );
  return Number(rows[0]?.bytes);
}

/**
 * Reads the log's position, then removes what is dead, writes what is dirty, and reads the sizes.
 */
export async function readDiskUse(database: Database): Promise<DiskUse> {
  const wal = await readWal(database);
  await database.query('vacuum');
  await database.query('checkpoint');
  const { rows } = await database.query<{ name: string; bytes: number }>(SIZES);
  return { tables: new Map(rows.map(({ name, bytes }) => [name, Number(bytes)])), wal };
}

/** Growth of each table between two readings, largest first. */
export function growthOf(before: DiskUse, after: DiskUse): [table: string, bytes: number][] {
  return [...after.tables]
    .map(([name, bytes]): [string, number] => [name, bytes - (before.tables.get(name) ?? 0)])
    .filter(([, bytes]) => bytes !== 0)
    .sort(([, a], [, b]) => b - a);
}
