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
import { NEW_DATABASE } from './postgres-server.ts';
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
  return {
    DATABASE_URL: await createServerDatabase(),
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

/** Makes an empty, migrated database on the run's server and returns its URL. */
export function createServerDatabase(): Promise<string> {
  return createDatabase(`template ${inject('templateName')}`);
}

/** Makes a database without migrations on the run's server and returns its URL. */
export function createEmptyServerDatabase(): Promise<string> {
  return createDatabase(NEW_DATABASE);
}

/** Opens an empty, migrated database of the given engine. Close it in `afterAll`. */
export async function openTestDatabase(engine: Engine): Promise<Database> {
  const database = await open(engine);
  installLedger(database, { clock: systemClock, masterKey: testMasterKey });
  installPersonKeys(database, testMasterKey);
  return database;
}

async function open(engine: Engine): Promise<Database> {
  if (engine === 'server')
    return openServer({ url: await createServerDatabase(), poolSize: 10, onError: () => {} });
  return openEmbedded({ template: new Blob([await readFile(inject('pgliteTemplate'))]) });
}
