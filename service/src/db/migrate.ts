/** Applies the forward-only migrations of `service/migrations/` once, by their numbers. */
import { ADVISORY_LOCKS, takeLock } from './advisory-locks.ts';
import { type Migration, readMigrations } from './migrations.ts';
import { queryNamed } from './statement.ts';
import { transaction } from './transaction.ts';
import type { Database, Db, Transaction } from './types.ts';

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

/** Settings and statistics on which plans depend: none depends on autovacuum. */
async function prepareForPlanning(tx: Transaction): Promise<void> {
  if (tx.database.kind === 'server') await tx.query(JIT_OFF);
  const { rows } = await tx.query<{ name: string }>(UNKNOWN_SMALL_TABLES);
  if (rows.length > 0) await tx.query(`analyze ${rows.map(({ name }) => name).join(', ')}`);
}

/** The database was made by a development version whose migrations no longer exist. */
export class UnsupportedDatabase extends Error {
  constructor(found: string) {
    super(
      `this database was made by a development version before 0.1.0 (migration ${found}) and ` +
        'cannot be upgraded: create an empty database for DATABASE_URL, or remove the directory ' +
        'pg in DATA_DIR, and start again',
    );
    this.name = 'UnsupportedDatabase';
  }
}

/** Checksums of the applied migrations by name. Creates the table of an empty database. */
async function readApplied(tx: Transaction): Promise<Map<string, string>> {
  await tx.query(
    `create table if not exists schema_migration (
      name text constraint schema_migration_pkey primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`,
  );
  const { rows } = await tx.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration order by name',
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function applyMigration(tx: Transaction, migration: Migration): Promise<void> {
  for (const { path, sql } of migration.files)
    await tx.query(sql).catch((error: unknown) => {
      // The same error, because its code decides whether the transaction is tried again.
      if (error instanceof Error) error.message = `migration ${path}: ${error.message}`;
      throw error;
    });
  await queryNamed(tx, 'insert into schema_migration (name, checksum) values (:name, :checksum)', {
    name: migration.name,
    checksum: migration.checksum,
  });
}

/**
 * Applies the missing migrations in one transaction. Several instances may call it at once.
 * @returns names of the migrations applied now
 * @throws when an applied migration has been edited since
 * @throws UnsupportedDatabase
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  return transaction(database, async (tx) => {
    // Changing a large table may take longer than a request.
    await tx.query('set local statement_timeout = 0');
    await takeLock(tx, ADVISORY_LOCKS.migrations);
    const applied = await readApplied(tx);
    const [first] = applied.keys();
    const baseline = migrations[0]?.name;
    if (first !== undefined && baseline !== undefined && !applied.has(baseline))
      throw new UnsupportedDatabase(first);
    const missing = migrations.filter(({ name }) => !applied.has(name));
    for (const { name, checksum } of migrations)
      if (applied.has(name) && applied.get(name) !== checksum)
        throw new Error(`migration ${name} was changed after it had been applied`);
    for (const migration of missing) await applyMigration(tx, migration);
    await prepareForPlanning(tx);
    return missing.map(({ name }) => name);
  });
}

/**
 * Names of the migrations that a database lacks. It writes nothing.
 * @throws UnsupportedDatabase
 */
export async function listMissingMigrations(db: Db): Promise<string[]> {
  const names = readMigrations().map(({ name }) => name);
  const { rows: tables } = await db.query<{ is_there: boolean }>(
    "select to_regclass('schema_migration') is not null as is_there",
  );
  if (tables[0]?.is_there !== true) return names;
  const { rows } = await db.query<{ name: string }>(
    'select name from schema_migration order by name',
  );
  const applied = new Set(rows.map(({ name }) => name));
  const [first] = applied;
  if (first !== undefined && names[0] !== undefined && !applied.has(names[0]))
    throw new UnsupportedDatabase(first);
  return names.filter((name) => !applied.has(name));
}
