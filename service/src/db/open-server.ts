/** PostgreSQL over the network. */
import pg from 'pg';
import { DedicatedConnection } from './dedicated-connection.ts';
import { preparedConfig, runAlone } from './transaction.ts';
import { typeParsers } from './type-parsers.ts';
import type { Database, Row } from './types.ts';
import { DatabaseWatchdog, SILENT_AFTER_MS } from './watchdog.ts';

const STATEMENT_TIMEOUT_MS = 60_000;

export interface ServerOptions {
  readonly url: string;
  /** For LISTEN and locks, when `url` goes through a pooler. */
  readonly directUrl?: string;
  readonly poolSize: number;
  /** False: statements have no names, for a pooler that keeps none. Default: true. */
  readonly keepsPrepared?: boolean;
  /** For commands that only read: a database that takes no changes is usable, too. */
  readonly isReplica?: boolean;
  readonly onError: (error: Error) => void;
}

/** Opens a pool on a PostgreSQL server; the connection is tried at once. */
export async function openServer(options: ServerOptions): Promise<Database> {
  const { keepsPrepared = true } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    types: typeParsers,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    // Also the longest wait for a free connection.
    connectionTimeoutMillis: SILENT_AFTER_MS,
    keepAlive: true,
    application_name: 'edge-account',
    // Statements that do not wait for each other share a round trip: `begin` and the first one, the
    // rows of a batch. `commit` goes alone.
    pipeline: true,
    // Compiling a statement takes longer than running it, where answers have a few rows. Behind a
    // pooler the setting of the database counts (see migrate.ts): a startup parameter would be
    // refused there, and this reaches one connection of many.
    onConnect: (client) => client.query('set jit = off'),
  });
  pool.on('error', options.onError);
  // The pool hears idle clients only. A connection that is lost in a transaction fails its
  // statements; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  await pool.query('select 1');
  const side = new DedicatedConnection(options.directUrl ?? options.url, options.onError);
  const watchdog = new DatabaseWatchdog({
    url: options.url,
    isReplica: options.isReplica ?? false,
    onUnusable: (reason) => {
      options.onError(new Error(`the database is unusable: ${reason}; connections are dropped`));
      const cause = new Error(`Connection terminated: ${reason}`);
      for (const client of clients) client.connection.stream.destroy(cause);
      side.drop(cause);
    },
  });
  const database: Database = {
    kind: 'server',
    isTransaction: false,
    keepsPrepared,
    pool,
    query: <R = Row>(text: string, values: readonly unknown[] = []) =>
      runAlone<R>(database, { text, values: [...values] }),
    prepared: <R = Row>(name: string, text: string, values: readonly unknown[] = []) =>
      runAlone<R>(database, preparedConfig({ keepsPrepared }, name, { text, values })),
    listen: (channel, handler) => side.listen(channel, handler),
    tryLock: (name) => side.tryLock(name),
    onListenGap: (handler) => side.onListenGap(handler),
    async close() {
      watchdog.stop();
      await side.close();
      await pool.end();
    },
  };
  return database;
}
