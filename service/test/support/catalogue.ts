/** Reads the objects of a database in a comparable form: one line for each. */
import type { Db } from '../../src/db/index.ts';

/** Sorted lines by kind of object. The order of the columns of a table is left out. */
export type Catalogue = Readonly<Record<string, readonly string[]>>;

const IS_OWN = `n.nspname = current_schema and not exists (
  select from pg_depend e where e.objid = o.oid and e.deptype = 'e')`;
const RELATION = `pg_class o join pg_namespace n on n.oid = o.relnamespace
  and ${IS_OWN} and o.relname not like 'schema_migration%'`;

/** Each returns `line`. Objects of extensions and the runner's table are left out. */
const QUERIES = {
  extensions: 'select extname as line from pg_extension',
  relations: `select format('%s %s persistence=%s %s', o.relkind, o.relname, o.relpersistence,
      o.reloptions) as line
    from ${RELATION}`,
  columns: `select format('%s.%s %s%s%s%s%s storage=%s', o.relname, a.attname,
      format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then ' not null' end,
      ' default ' || pg_get_expr(d.adbin, d.adrelid),
      ' identity ' || nullif(a.attidentity::text, ''),
      ' collate ' || nullif(c.collname::text, 'default'), a.attstorage) as line
    from ${RELATION} join pg_attribute a on a.attrelid = o.oid and a.attnum > 0
      and not a.attisdropped
    left join pg_attrdef d on d.adrelid = o.oid and d.adnum = a.attnum
    left join pg_collation c on c.oid = a.attcollation
    where o.relkind in ('r', 'v', 'm')`,
  constraints: `select format('%s %s %s', o.relname, c.conname, pg_get_constraintdef(c.oid)) as line
    from ${RELATION} join pg_constraint c on c.conrelid = o.oid`,
  indexes: `select pg_get_indexdef(o.oid) as line from ${RELATION} where o.relkind = 'i'`,
  functions: `select pg_get_functiondef(o.oid) as line
    from pg_proc o join pg_namespace n on n.oid = o.pronamespace and ${IS_OWN}`,
  triggers: `select format('%s %s', t.tgenabled, pg_get_triggerdef(t.oid)) as line
    from ${RELATION} join pg_trigger t on t.tgrelid = o.oid and not t.tgisinternal`,
  types: `select format('%s %s', o.typtype, o.typname) as line
    from pg_type o join pg_namespace n on n.oid = o.typnamespace and ${IS_OWN}
    where o.typtype in ('e', 'd', 'r')`,
  sequences: `select format('%s %s from %s by %s next %s', s.sequencename, s.data_type,
      s.start_value, s.increment_by, coalesce(s.last_value, 0)) as line
    from pg_sequences s where s.schemaname = current_schema`,
} as const;

/** Columns that differ between databases. */
const VARYING = ['created_at', 'mark'];

/** Removes comments and white space from a function's body. */
function normalise(line: string): string {
  return line
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')
    .trim();
}

async function readRows(db: Db): Promise<string[]> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select o.relname as name from ${RELATION} where o.relkind = 'r' order by 1`,
  );
  const lines: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.query<{ line: string }>(
      `select (to_jsonb(t) - $1::text[])::text as line from ${name} t`,
      [VARYING],
    );
    lines.push(...rows.map(({ line }) => `${name} ${line}`));
  }
  return lines.sort();
}

/** Reads all objects of the current schema, and the rows of its tables. */
export async function readCatalogue(db: Db): Promise<Catalogue> {
  const catalogue: Record<string, readonly string[]> = {};
  for (const [kind, query] of Object.entries(QUERIES)) {
    const { rows } = await db.query<{ line: string }>(query);
    catalogue[kind] = rows.map(({ line }) => normalise(line)).sort();
  }
  return { ...catalogue, rows: await readRows(db) };
}
