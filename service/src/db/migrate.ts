/**
 * Applies the forward-only migrations of `service/migrations/` once, by their numbers, while
 * instances of the version before serve requests.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { grantApplicationRoles } from './application-roles.ts';
import { runAsService } from './audit-context.ts';
import { isLockTimeout } from './errors.ts';
import { type Migration, type MigrationFile, migrationMode, readMigrations } from './migrations.ts';
import { prepareForPlanning } from './planning.ts';
import { queryNamed } from './statement.ts';
import { transaction } from './transaction.ts';
import type { Database, Db, Transaction, Unlock } from './types.ts';

/** Name of the lock of a process that migrates. */
const MIGRATION_LOCK = 'migrations';
const LOCK_POLL_MS = 200;

/**
 * A statement that waits for the lock of a table makes all later statements on the table wait, so
 * it gives up soon, lets them pass, and tries again.
 */
const TABLE_LOCK = { wait_ms: 500, pause_ms: 1000, tries: 400 } as const;

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

type Applied = ReadonlyMap<string, string>;

/**
 * Checksums of the applied migrations by name, in their order; none of an empty database.
 * @throws UnsupportedDatabase
 */
async function readApplied(db: Db, baseline = readMigrations()[0]?.name): Promise<Applied> {
  const { rows: tables } = await db.query<{ is_there: boolean }>(
    "select to_regclass('schema_migration') is not null as is_there",
  );
  if (!tables[0]?.is_there) return new Map();
  const { rows } = await db.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration order by name',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const [first] = applied.keys();
  if (first !== undefined && baseline !== undefined && !applied.has(baseline))
    throw new UnsupportedDatabase(first);
  return applied;
}

/** @returns the number of changed rows */
async function runFile(
  client: { query(sql: string): Promise<{ rowCount: number | null }> },
  { path, sql }: MigrationFile,
): Promise<number> {
  try {
    return (await client.query(sql)).rowCount ?? 0;
  } catch (error) {
    // The same error, because its code decides whether the transaction is tried again.
    if (error instanceof Error) error.message = `migration ${path}: ${error.message}`;
    throw error;
  }
}

async function noteApplied(db: Db, { name, checksum }: Migration): Promise<void> {
  await queryNamed(db, 'insert into schema_migration (name, checksum) values (:name, :checksum)', {
    name,
    checksum,
  });
}

/** Runs `work` again after each lock that it waited for too long. */
async function withTableLocks<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TABLE_LOCK.tries; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error) || left <= 1) throw error;
      await wait(TABLE_LOCK.pause_ms);
    }
  }
}

/** One transaction without a limit of time, and with a limit for each lock. */
function inTransaction<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return withTableLocks(() =>
    transaction(
      database,
      async (tx) => {
        await tx.query('set local statement_timeout = 0');
        return work(tx);
      },
      { lockTimeout_ms: TABLE_LOCK.wait_ms },
    ),
  );
}

async function applyInTransaction(database: Database, migration: Migration): Promise<void> {
  await inTransaction(database, async (tx) => {
    for (const file of migration.files) await runFile(tx, file);
    await noteApplied(tx, migration);
  });
}

async function applyBackfill(database: Database, migration: Migration): Promise<void> {
  for (const file of migration.files)
    while ((await inTransaction(database, (tx) => runFile(tx, file))) > 0);
  await noteApplied(database, migration);
}

/** `create index concurrently` waits for transactions, and nothing waits behind it. */
async function applyOutsideTransaction(database: Database, migration: Migration): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    for (const file of migration.files) await runFile(client, file);
  } finally {
    await client.query('reset statement_timeout').catch(() => {});
    client.release();
  }
  await noteApplied(database, migration);
}

const APPLY = {
  transaction: applyInTransaction,
  backfill: applyBackfill,
  concurrent: applyOutsideTransaction,
} as const;

/** Waits until no other process migrates. */
async function lock(database: Database): Promise<Unlock> {
  for (;;) {
    const unlock = await database.tryLock(MIGRATION_LOCK);
    if (unlock) return unlock;
    await wait(LOCK_POLL_MS);
  }
}

/** Creates the table of an empty database. */
const CREATE_TABLE = `create table if not exists schema_migration (
  name text constraint schema_migration_pkey primary key,
  checksum text not null,
  applied_at timestamptz not null default now()
)`;

async function applyMissing(
  database: Database,
  migrations: readonly Migration[],
): Promise<string[]> {
  const applied = await readApplied(database, migrations[0]?.name);
  for (const { name, checksum } of migrations)
    if (applied.has(name) && applied.get(name) !== checksum)
      throw new Error(`migration ${name} was changed after it had been applied`);
  if (applied.size === 0) await database.query(CREATE_TABLE);
  const missing = migrations.filter(({ name }) => !applied.has(name));
  for (const migration of missing) await APPLY[migrationMode(migration.name)](database, migration);
  return missing.map(({ name }) => name);
}

/**
 * Applies the missing migrations, and grants the application roles what they need of the schema.
 * Several processes may call it at once. A killed one is continued by the next call.
 * @returns names of the migrations applied now
 * @throws when an applied migration has been edited since
 * @throws UnsupportedDatabase
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  const unlock = await lock(database);
  const run = async (): Promise<string[]> => {
    const applied = await applyMissing(database, migrations);
    await inTransaction(database, async (tx) => {
      await prepareForPlanning(tx);
      if (database.kind === 'server') await grantApplicationRoles(tx);
    });
    return applied;
  };
  try {
    return await runAsService('migrate', run);
  } finally {
    await unlock();
  }
}

/**
 * Names of the migrations that a database lacks. It writes nothing.
 * @throws UnsupportedDatabase
 */
export async function listMissingMigrations(db: Db): Promise<string[]> {
  const applied = await readApplied(db);
  return readMigrations()
    .map(({ name }) => name)
    .filter((name) => !applied.has(name));
}
