/** PostgreSQL over the network. */
import { DedicatedConnection } from './dedicated-connection.ts';
import { preparedConfig } from './run-statement.ts';
import { APPLICATION_NAME, createServerPool } from './server-pool.ts';
import { runAlone } from './transaction.ts';
import type { Database, Row } from './types.ts';
import { DatabaseWatchdog } from './watchdog.ts';

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
  const { pool, drop } = createServerPool({ ...options, name: APPLICATION_NAME });
  await pool.query('select 1');
  const side = new DedicatedConnection(options.directUrl ?? options.url, options.onError);
  const watchdog = new DatabaseWatchdog({
    url: options.url,
    isReplica: options.isReplica ?? false,
    onUnusable: (reason) => {
      options.onError(new Error(`the database is unusable: ${reason}; connections are dropped`));
      const cause = new Error(`Connection terminated: ${reason}`);
      drop(cause);
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
