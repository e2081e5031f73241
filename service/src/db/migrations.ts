/**
 * The migrations in `service/migrations/`, in the order in which they are applied. `0002_name.sql`
 * is a migration of one file; `0001_baseline/` is a migration whose files are applied in order.
 * The end of the name says how it runs (see `MigrationMode`).
 */
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../migrations/', import.meta.url);
const NAME = /^\d{4}_[a-z0-9_]+$/;

/** One SQL file of a migration. */
export interface MigrationFile {
  /** Path in `service/migrations/`. */
  readonly path: string;
  readonly sql: string;
}

/**
 * How a migration runs.
 * - `transaction`: as a whole, in one transaction.
 * - `concurrent` (name ends with `_concurrently`): each file is one statement, outside a
 *   transaction, for `create index concurrently`. It may run again after a failure.
 * - `backfill` (name ends with `_backfill`): each file is one statement that changes some rows; it
 *   runs again, each time in a transaction of its own, until it changes none.
 */
export type MigrationMode = 'transaction' | 'concurrent' | 'backfill';

/** A change of the schema, applied once. */
export interface Migration {
  /** Four digits and words, without extension: `0001_baseline`. */
  readonly name: string;
  readonly files: readonly MigrationFile[];
  /** Hash of names and texts of the files: an applied migration must not change. */
  readonly checksum: string;
}

function readMigration(entry: Dirent, folder: URL): Migration {
  const paths = entry.isDirectory()
    ? readdirSync(new URL(`${entry.name}/`, folder))
        .sort()
        .map((file) => `${entry.name}/${file}`)
    : [entry.name];
  const name = entry.isDirectory() ? entry.name : entry.name.replace(/\.sql$/, '');
  if (!NAME.test(name) || paths.length === 0 || !paths.every((path) => path.endsWith('.sql')))
    throw new Error(`not a migration: ${entry.name}`);
  const files = paths.map((path) => ({ path, sql: readFileSync(new URL(path, folder), 'utf8') }));
  const hash = createHash('sha256');
  for (const { path, sql } of files) hash.update(`${path}\n${sql.length}\n${sql}`);
  return { name, files, checksum: hash.digest('hex') };
}

/**
 * Reads the migrations of a folder.
 * @throws when something in it is not a migration, or when the numbers are not 1, 2, 3 …
 */
export function readMigrations(folder = FOLDER): Migration[] {
  const migrations = readdirSync(folder, { withFileTypes: true })
    .map((entry) => readMigration(entry, folder))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  migrations.forEach(({ name }, index) => {
    if (Number(name.slice(0, 4)) !== index + 1)
      throw new Error(`migration ${name} must have the number ${index + 1}`);
  });
  return migrations;
}

/** How a migration of this name runs. */
export function migrationMode(name: string): MigrationMode {
  if (name.endsWith('_concurrently')) return 'concurrent';
  return name.endsWith('_backfill') ? 'backfill' : 'transaction';
}

/** One hash of all migrations. */
export function fingerprintMigrations(): string {
  const lines = readMigrations().map(({ name, checksum }) => `${name} ${checksum}`);
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
