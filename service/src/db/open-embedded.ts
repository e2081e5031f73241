/**
 * PostgreSQL inside the process (PGlite), in a data directory or in memory. One connection: work
 * queues on it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { unaccent } from '@electric-sql/pglite/contrib/unaccent';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { copyTemplate } from './embedded-template.ts';
import { APPLICATION_NAME } from './server-pool.ts';
import { runAlone } from './transaction.ts';
import { typeParsers } from './type-parsers.ts';
import type { Database, Row } from './types.ts';

/** Another process holds the data directory. */
export class DataDirectoryInUse extends Error {
  constructor(directory: string) {
    super(`another process is using the data directory ${directory}: stop it, or set DATA_DIR`);
    this.name = 'DataDirectoryInUse';
  }
}

/**
 * Locks the directory with a SQLite file: the operating system frees it whenever the process ends,
 * SIGKILL included.
 */
function lockDirectory(directory: string): DatabaseSync {
  const lock = new DatabaseSync(join(directory, 'lock.sqlite'));
  try {
    lock.exec('pragma busy_timeout = 0; begin exclusive');
    return lock;
  } catch {
    lock.close();
    throw new DataDirectoryInUse(directory);
  }
}

export interface EmbeddedOptions {
  /** Absent: in memory. */
  readonly directory?: string;
  /** A dump of a data directory to start from. */
  readonly template?: Blob;
}

/** Opens the embedded database. @throws DataDirectoryInUse */
export async function openEmbedded({ directory, template }: EmbeddedOptions): Promise<Database> {
  if (directory !== undefined) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = directory === undefined ? undefined : lockDirectory(directory);
  if (directory !== undefined) copyTemplate(join(directory, 'pg'));
  const options: PGliteOptions = { extensions: { pg_trgm, unaccent } };
  if (template) options.loadDataDir = template;
  const engine = await PGlite.create({
    ...options,
    ...(directory !== undefined && { dataDir: join(directory, 'pg') }),
  });
  const pool = createPool(engine);
  const database: Database = {
    kind: 'embedded',
    isTransaction: false,
    // One connection and no network: a named statement gains nothing and would not survive
    // `deallocate all`.
    keepsPrepared: false,
    pool,
    query: <R = Row>(text: string, values: readonly unknown[] = []) =>
      runAlone<R>(database, { text, values: [...values] }),
    prepared: <R = Row>(_name: string, text: string, values: readonly unknown[] = []) =>
      runAlone<R>(database, { text, values: [...values] }),
    // One process has it, and a job never overlaps itself there.
    tryLock: async () => async () => {},
    listen: async (channel, handler) => {
      await engine.listen(channel, handler);
    },
    onListenGap: () => {},
    async close() {
      await pool.end();
      await engine.close();
      lock?.close();
    },
  };
  return database;
}

/**
 * A pool of one client on the engine. Each client has its own adapter: sharing one breaks the pool
 * after an error.
 */
function createPool(engine: PGlite): pg.Pool {
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...createPgConfig(engine) } as pg.ClientConfig);
    }
  }
  const pool = new pg.Pool({
    Client,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 30_000,
    types: typeParsers,
    // Only the service is connected: it says its name, as on a server.
    onConnect: (client: pg.ClientBase) =>
      client.query(
        `rollback; deallocate all; reset all; set application_name = '${APPLICATION_NAME}'`,
      ),
  } as pg.PoolConfig);
  pool.on('error', () => {});
  return pool;
}
