/** Pools of connections to PostgreSQL over the network. */
import pg from 'pg';
import { typeParsers } from './type-parsers.ts';
import { SILENT_AFTER_MS } from './watchdog.ts';

const STATEMENT_TIMEOUT_MS = 60_000;

/** What connections that write say of themselves; the audit log shows it with unnamed writes. */
export const APPLICATION_NAME = 'edge-account';

export interface PoolOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly name: string;
  /** Of a standby: a connection that outlives a promotion takes no changes either. */
  readonly isReadOnly?: boolean;
  /** Milliseconds after which an answer is not waited for any more. Default: without limit. */
  readonly answerTimeout_ms?: number;
  readonly onError: (error: Error) => void;
}

export interface ServerPool {
  readonly pool: pg.Pool;
  /** Ends all connections without waiting for the server: what waits for an answer fails. */
  drop(cause: Error): void;
}

/** Makes a pool; it connects when it is first used. */
export function createServerPool(options: PoolOptions): ServerPool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    types: typeParsers,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    ...(options.answerTimeout_ms !== undefined && { query_timeout: options.answerTimeout_ms }),
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    // Also the longest wait for a free connection.
    connectionTimeoutMillis: SILENT_AFTER_MS,
    keepAlive: true,
    application_name: options.name,
    // Statements that do not wait for each other share a round trip: `begin` and the first one, the
    // rows of a batch. `commit` goes alone.
    pipeline: true,
    // Compiling a statement takes longer than running it, where answers have a few rows. Behind a
    // pooler the setting of the database counts (see migrate.ts): a startup parameter would be
    // refused there, and this reaches one connection of many.
    onConnect: (client) =>
      client.query(
        options.isReadOnly
          ? 'set jit = off; set default_transaction_read_only = on'
          : 'set jit = off',
      ),
  });
  pool.on('error', options.onError);
  // The pool hears idle clients only. A connection that is lost in a transaction fails its
  // statements; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  return {
    pool,
    drop(cause) {
      for (const client of clients) client.connection.stream.destroy(cause);
    },
  };
}
