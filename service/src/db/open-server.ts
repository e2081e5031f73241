/** PostgreSQL over the network. */
import pg from 'pg';
import { run } from './transaction.ts';
import type { Database, Row } from './types.ts';
import { typeParsers } from './values.ts';

const RECONNECT_MS = 250;
const STATEMENT_TIMEOUT_MS = 60_000;

export interface ServerOptions {
  readonly url: string;
  /** For LISTEN, when `url` goes through a pooler. */
  readonly directUrl?: string;
  readonly poolSize: number;
  readonly onError: (error: Error) => void;
}

/** The one connection that listens; it comes back by itself. */
function createListener(url: string, onError: (error: Error) => void) {
  const handlers = new Map<string, ((payload: string) => void)[]>();
  const gapHandlers: (() => void)[] = [];
  let client: pg.Client | undefined;
  let opening: Promise<void> | undefined;
  let closed = false;

  async function open(isFirst: boolean): Promise<void> {
    const next = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'edge-account listen' });
    next.on('error', onError);
    next.on('notification', ({ channel, payload = '' }) => {
      for (const handler of handlers.get(channel) ?? []) handler(payload);
    });
    next.once('end', () => {
      if (!closed && client === next) reopenLater();
    });
    await next.connect();
    client = next;
    for (const channel of handlers.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    if (!isFirst) for (const handler of gapHandlers) handler();
  }

  function reopenLater(): void {
    setTimeout(() => {
      if (closed) return;
      open(false).catch((error: Error) => {
        onError(error);
        reopenLater();
      });
    }, RECONNECT_MS).unref();
  }

  return {
    async listen(channel: string, handler: (payload: string) => void): Promise<void> {
      const known = handlers.get(channel);
      handlers.set(channel, [...(known ?? []), handler]);
      // One statement at a time: the driver does not queue them for us.
      opening = (opening ?? open(true)).then(async () => {
        if (!known) await client?.query(`listen ${pg.escapeIdentifier(channel)}`);
      });
      await opening;
    },
    onListenGap: (handler: () => void): void => {
      gapHandlers.push(handler);
    },
    async close(): Promise<void> {
      closed = true;
      await client?.end();
    },
  };
}

/** Opens a pool on a PostgreSQL server; the connection is tried at once. */
export async function openServer(options: ServerOptions): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    types: typeParsers,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: 10_000,
    application_name: 'edge-account',
    // Statements that do not wait for each other share a round trip: `begin` and the first one, the last one and `commit`.
    pipeline: true,
  });
  pool.on('error', options.onError);
  await pool.query('select 1');
  const listener = createListener(options.directUrl ?? options.url, options.onError);
  return {
    kind: 'server',
    isTransaction: false,
    pool,
    query: <R = Row>(text: string, values: readonly unknown[] = []) => run<R>(pool, { text, values: [...values] }),
    prepared: <R = Row>(name: string, text: string, values: readonly unknown[] = []) => run<R>(pool, { name, text, values: [...values] }),
    listen: listener.listen,
    onListenGap: listener.onListenGap,
    async close() {
      await listener.close();
      await pool.end();
    },
  };
}
