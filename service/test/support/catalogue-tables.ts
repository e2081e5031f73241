/** Reads the tables of a database with their columns and foreign keys, for documentation. */
import type { Db } from '../../src/db/index.ts';

export interface Column {
  readonly name: string;
  /** As printed by SQL: `numeric(78,0)`. */
  readonly type: string;
  readonly isNullable: boolean;
  readonly isPrimary: boolean;
  /** A primary key or unique constraint on this column alone. */
  readonly isUnique: boolean;
}

export interface ForeignKey {
  readonly columns: readonly string[];
  readonly target: string;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly foreignKeys: readonly ForeignKey[];
}

const TABLES = `select o.relname as name,
    (select json_agg(json_build_object(
      'name', a.attname,
      'type', format_type(a.atttypid, a.atttypmod),
      'isNullable', not a.attnotnull,
      'isPrimary', exists (
        select from pg_constraint c
        where c.conrelid = o.oid and c.contype = 'p' and a.attnum = any (c.conkey)),
      'isUnique', exists (
        select from pg_constraint c
        where c.conrelid = o.oid and c.contype in ('p', 'u') and c.conkey = array[a.attnum])
      ) order by a.attnum)
    from pg_attribute a
    where a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select coalesce(json_agg(json_build_object(
      'target', c.confrelid::regclass::text,
      'columns', (
        select json_agg(a.attname order by array_position(c.conkey, a.attnum))
        from pg_attribute a where a.attrelid = o.oid and a.attnum = any (c.conkey))
      ) order by c.conname), '[]')
    from pg_constraint c where c.conrelid = o.oid and c.contype = 'f') as "foreignKeys"
  from pg_class o join pg_namespace n on n.oid = o.relnamespace
  where o.relkind = 'r' and n.nspname = current_schema and o.relname <> 'schema_migration'
  order by o.relname`;

/** All tables of the current schema by name, with columns in the order of the table. */
export async function readTables(db: Db): Promise<readonly Table[]> {
  return (await db.query<Table>(TABLES)).rows;
}
