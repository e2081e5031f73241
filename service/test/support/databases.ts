/**
 * Databases for tests on both engines, one for each test. The server is one embedded PostgreSQL per
 * run, started by the global set-up; each database is a copy of a migrated template. PGlite starts
 * from a dump of a migrated one.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openEmbedded, openServer } from '../../src/db/index.ts';
import { installPersonKeys } from '../../src/identity/index.ts';
import { installLedger } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { APPLICATION_ROLE, NEW_DATABASE } from './postgres-server.ts';
import { testMasterKey, testMasterKeyBytes } from './test-config.ts';

export const ENGINES = ['embedded', 'server'] as const;
export type Engine = (typeof ENGINES)[number];

/**
 * The engines for tests that do not depend on the engine: PostgreSQL, and the embedded database in
 * `npm run test:embedded`. Tests of SQL whose results could differ use `ENGINES`.
 */
export const RUN_ENGINES: readonly Engine[] =
  process.env.TEST_ENGINE === 'embedded' ? ['embedded'] : ['server'];

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the run's PostgreSQL, database `postgres`. */
    postgresUrl: string;
    /** Name of the migrated template database. */
    templateName: string;
    /** File with the dump of a migrated PGlite. */
    pgliteTemplate: string;
  }
}

/** The environment of commands on a migrated database of the run's server. */
export async function createCommandEnvironment(): Promise<Record<string, string>> {
  const url = await createServerDatabase();
  return {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl(url),
    MASTER_KEY: testMasterKeyBytes.toString('hex'),
  };
}

async function createDatabase(options: string): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  // Copying files takes half the time of writing them to the log.
  await admin.query(`create database ${name} ${options} strategy file_copy`);
  await admin.end();
  url.pathname = `/${name}`;
  return url.href;
}

interface RoleOptions {
  /**
   * Connects as the owner of the schema, for tests that change it or tamper with its rows. Default:
   * as an application role, which is how the service runs.
   */
  readonly isOwner?: boolean;
}

/** Makes an empty, migrated database on the run's server and returns its URL. */
export async function createServerDatabase({ isOwner = false }: RoleOptions = {}): Promise<string> {
  const url = new URL(await createDatabase(`template ${inject('templateName')}`));
  if (!isOwner) url.username = APPLICATION_ROLE;
  return url.href;
}

/** The URL of the owner of a database that `createServerDatabase` made. */
export function ownerUrl(url: string): string {
  const owner = new URL(url);
  owner.username = new URL(inject('postgresUrl')).username;
  return owner.href;
}

/** Makes a database without migrations on the run's server and returns its URL. */
export function createEmptyServerDatabase(): Promise<string> {
  return createDatabase(NEW_DATABASE);
}

/** Runs a statement as the owner of the schema: what an instance may not do. */
export async function queryAsOwner<R extends pg.QueryResultRow>(
  database: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  if (database.kind === 'embedded') return (await database.query<R>(text, values)).rows;
  const { rows } = await database.query<{ name: string }>('select current_database() as name');
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${rows[0]?.name}`;
  const owner = new pg.Client({ connectionString: url.href });
  await owner.connect();
  try {
    return (await owner.query<R>(text, [...values])).rows;
  } finally {
    await owner.end();
  }
}

/** Opens an empty, migrated database of the given engine. Close it in `afterAll`. */
export async function openTestDatabase(
  engine: Engine,
  options: RoleOptions = {},
): Promise<Database> {
  const database = await open(engine, options);
  installLedger(database, { clock: systemClock, masterKey: testMasterKey });
  installPersonKeys(database, testMasterKey);
  return database;
}

async function open(engine: Engine, options: RoleOptions): Promise<Database> {
  if (engine === 'server')
    return openServer({
      url: await createServerDatabase(options),
      poolSize: 10,
      onError: () => {},
    });
  return openEmbedded({ template: new Blob([await readFile(inject('pgliteTemplate'))]) });
}
