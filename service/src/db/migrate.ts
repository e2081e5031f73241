/** Forward-only migrations: plain SQL files of `service/migrations/`, each applied once, in the order of their names. */
import { readMigrations } from './migrations.ts';
import { transaction } from './transaction.ts';
import type { Database, Transaction } from './types.ts';

/** Any number, the same in every process: migrations of two nodes queue on it. */
const LOCK = 7_316_001;

/**
 * JIT off for every connection to this database, also those that come through a pooler in transaction mode, where neither
 * a startup parameter nor a `set` reaches the server reliably. Only the owner of a database may say so.
 */
const JIT_OFF = `do $$ begin
  if exists (select from pg_database where datname = current_database() and pg_has_role(datdba, 'USAGE')) and not exists (
    select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
    where d.datname = current_database() and s.setrole = 0 and 'jit=off' = any (s.setconfig)
  ) then execute format('alter database %I set jit = off', current_database()); end if;
end $$`;

/**
 * Small tables that have rows and were never analyzed. Autovacuum never reaches a table of three rows, and the planner takes
 * one that it knows nothing of for ten pages: a thousand rows, by which the cost of every join with it is multiplied.
 */
const UNKNOWN_SMALL_TABLES = `select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema and c.relkind = 'r' and c.reltuples < 0 and pg_relation_size(c.oid) between 1 and 65536
  order by 1`;

/** What the planner should know whatever else it is told: no plan depends on autovacuum. */
async function prepareForPlanning(tx: Transaction): Promise<void> {
  if (tx.database.kind === 'server') await tx.query(JIT_OFF);
  const { rows } = await tx.query<{ name: string }>(UNKNOWN_SMALL_TABLES);
  if (rows.length > 0) await tx.query(`analyze ${rows.map(({ name }) => name).join(', ')}`);
}

/**
 * Applies what is missing, all in one transaction; safe to run from several nodes at once.
 * @returns names of the migrations applied now
 * @throws when a migration that was applied has been edited since
 */
export async function migrate(database: Database): Promise<string[]> {
  return transaction(database, async (tx) => {
    // A large table takes longer to change than a request may.
    await tx.query('set local statement_timeout = 0');
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await tx.query(
      'create table if not exists schema_migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await tx.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migration',
    );
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    const done: string[] = [];
    for (const { name, sql, checksum } of readMigrations()) {
      const known = applied.get(name);
      if (known === checksum) continue;
      if (known !== undefined)
        throw new Error(`migration ${name} was changed after it had been applied`);
      await tx.query(sql);
      await tx.query('insert into schema_migration (name, checksum) values ($1, $2)', [
        name,
        checksum,
      ]);
      done.push(name);
    }
    await prepareForPlanning(tx);
    return done;
  });
}
