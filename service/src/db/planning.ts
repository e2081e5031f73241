/** Settings and statistics on which plans depend: none depends on autovacuum. */
import type { Db, Transaction } from './types.ts';

/**
 * JIT off for every connection to this database, also for those that come through a pooler in
 * transaction mode, where neither a startup parameter nor a `set` reaches the server reliably.
 * Only the owner of a database may change this.
 */
const JIT_OFF = `do $$ begin
  if exists (
    select from pg_database where datname = current_database() and pg_has_role(datdba, 'USAGE')
  ) and not exists (
    select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
    where d.datname = current_database() and s.setrole = 0 and 'jit=off' = any (s.setconfig)
  ) then execute format('alter database %I set jit = off', current_database()); end if;
end $$`;

/**
 * Small tables that have rows and were never analyzed. Autovacuum does not analyze a table of three
 * rows, and the planner assumes ten pages for it, a thousand rows, which multiplies the cost of
 * every join with it.
 */
const UNKNOWN_SMALL_TABLES = `select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema and c.relkind = 'r' and c.reltuples < 0
    and pg_relation_size(c.oid) between 1 and 65536
  order by 1`;

/** Sets what plans depend on. For the owner of the schema. */
export async function prepareForPlanning(tx: Transaction): Promise<void> {
  if (tx.database.kind === 'server') await tx.query(JIT_OFF);
  const { rows } = await tx.query<{ name: string }>(UNKNOWN_SMALL_TABLES);
  if (rows.length > 0) await tx.query(`analyze ${rows.map(({ name }) => name).join(', ')}`);
}

/**
 * Rows come in the order of an index, in this transaction, also where the planner knows nothing of
 * the table or would rather sort it.
 */
export async function planAlongIndexes(tx: Transaction): Promise<void> {
  await tx.query(`select set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true)`);
}

/** Collects the statistics of a table, also for a role that does not own it. */
export async function refreshStatistics(db: Db, table: string): Promise<void> {
  await db.query('select refresh_statistics($1)', [table]);
}
