/**
 * The one connection beside the pool: it listens, holds the locks of this process, and comes back
 * by itself.
 */
import pg from 'pg';
import { ADVISORY_LOCKS, SESSION_LOCK } from './advisory-locks.ts';
import type { Unlock } from './types.ts';
import { SILENT_AFTER_MS } from './watchdog.ts';

const RECONNECT_MS = 250;

type Handlers = ReadonlyMap<string, readonly ((payload: string) => void)[]>;

interface ConnectionEvents {
  onError(error: Error): void;
  onEnd(ended: pg.Client): void;
}

/** Opens a client that listens to the channels of the handlers. */
async function connect(
  url: string,
  handlers: Handlers,
  { onError, onEnd }: ConnectionEvents,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: SILENT_AFTER_MS,
    query_timeout: SILENT_AFTER_MS,
    application_name: 'edge-account listen',
  });
  client.on('error', onError);
  client.on('notification', ({ channel, payload = '' }) => {
    for (const handler of handlers.get(channel) ?? []) handler(payload);
  });
  client.once('end', () => onEnd(client));
  try {
    await client.connect();
    for (const channel of handlers.keys())
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  } catch (error) {
    // The next try opens another one: this one must not stay open.
    client.connection.stream.destroy();
    throw error;
  }
  return client;
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Locks of this process; they end with the connection that took them. */
function createTryLock(inTurn: InTurn, currentClient: () => pg.Client | undefined) {
  /** PostgreSQL would give the same connection the same lock again. */
  const held = new Set<string>();
  return (name: string): Promise<Unlock | undefined> =>
    inTurn(async () => {
      const holder = currentClient();
      if (!holder || held.has(name)) return undefined;
      const values = [name, ADVISORY_LOCKS.job.seed];
      const { rows } = await holder.query<{ locked: boolean }>(SESSION_LOCK.try, values);
      if (!rows[0]?.locked) return undefined;
      held.add(name);
      return () =>
        inTurn(async () => {
          held.delete(name);
          if (currentClient() === holder) await holder.query(SESSION_LOCK.release, values);
        });
    });
}

export function createSideConnection(url: string, onError: (error: Error) => void) {
  const handlers = new Map<string, ((payload: string) => void)[]>();
  const gapHandlers: (() => void)[] = [];
  let client: pg.Client | undefined;
  let last: Promise<unknown> | undefined;
  let closed = false;

  function onEnd(ended: pg.Client): void {
    if (client !== ended) return;
    client = undefined;
    if (!closed) reopenLater();
  }

  async function open(isFirst: boolean): Promise<void> {
    client = await connect(url, handlers, { onError, onEnd });
    if (!isFirst) for (const handler of gapHandlers) handler();
  }

  function reopenLater(): void {
    setTimeout(() => {
      if (closed) return;
      inTurn(() => open(false)).catch((error: Error) => {
        onError(error);
        reopenLater();
      });
    }, RECONNECT_MS).unref();
  }

  /**
   * One statement at a time: the driver does not queue them for us. The first to come opens the
   * connection.
   */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = last === undefined ? open(true) : last.catch(() => {});
    const turn = before.then(work);
    last = turn;
    return turn;
  }

  return {
    listen(channel: string, handler: (payload: string) => void): Promise<void> {
      const known = handlers.get(channel);
      handlers.set(channel, [...(known ?? []), handler]);
      return inTurn(async () => {
        if (!known) await client?.query(`listen ${pg.escapeIdentifier(channel)}`);
      });
    },
    tryLock: createTryLock(inTurn, () => client),
    /** Ends the connection without waiting for the server; it is opened again. */
    drop(cause: Error): void {
      client?.connection.stream.destroy(cause);
    },
    onListenGap: (handler: () => void): unknown => gapHandlers.push(handler),
    async close(): Promise<void> {
      closed = true;
      await client?.end();
    },
  };
}
