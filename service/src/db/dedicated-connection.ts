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

export class DedicatedConnection {
  readonly #url: string;
  readonly #onError: (error: Error) => void;
  readonly #handlers = new Map<string, ((payload: string) => void)[]>();
  readonly #gapHandlers: (() => void)[] = [];
  /** Locks of this process. PostgreSQL would give the same connection the same lock again. */
  readonly #heldLocks = new Set<string>();
  #client: pg.Client | undefined;
  #last: Promise<unknown> | undefined;
  #isClosed = false;

  constructor(url: string, onError: (error: Error) => void) {
    this.#url = url;
    this.#onError = onError;
  }

  listen(channel: string, handler: (payload: string) => void): Promise<void> {
    const known = this.#handlers.get(channel);
    this.#handlers.set(channel, [...(known ?? []), handler]);
    return this.#inTurn(async () => {
      if (!known) await this.#client?.query(`listen ${pg.escapeIdentifier(channel)}`);
    });
  }

  /** The lock ends with the connection that took it. */
  tryLock(name: string): Promise<Unlock | undefined> {
    return this.#inTurn(async () => {
      const holder = this.#client;
      if (!holder || this.#heldLocks.has(name)) return undefined;
      const values = [name, ADVISORY_LOCKS.job.seed];
      const { rows } = await holder.query<{ locked: boolean }>(SESSION_LOCK.try, values);
      if (!rows[0]?.locked) return undefined;
      this.#heldLocks.add(name);
      return () =>
        this.#inTurn(async () => {
          this.#heldLocks.delete(name);
          if (this.#client === holder) await holder.query(SESSION_LOCK.release, values);
        });
    });
  }

  /** Ends the connection without waiting for the server; it is opened again. */
  drop(cause: Error): void {
    this.#client?.connection.stream.destroy(cause);
  }

  onListenGap(handler: () => void): void {
    this.#gapHandlers.push(handler);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end();
  }

  async #open(isFirst: boolean): Promise<void> {
    this.#client = await connect(this.#url, this.#handlers, {
      onError: this.#onError,
      onEnd: (ended) => this.#onEnd(ended),
    });
    if (!isFirst) for (const handler of this.#gapHandlers) handler();
  }

  #onEnd(ended: pg.Client): void {
    if (this.#client !== ended) return;
    this.#client = undefined;
    if (!this.#isClosed) this.#reopenLater();
  }

  #reopenLater(): void {
    setTimeout(() => {
      if (this.#isClosed) return;
      this.#inTurn(() => this.#open(false)).catch((error: Error) => {
        this.#onError(error);
        this.#reopenLater();
      });
    }, RECONNECT_MS).unref();
  }

  /**
   * One statement at a time: the driver does not queue them for us. The first to come opens the
   * connection.
   */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last === undefined ? this.#open(true) : this.#last.catch(() => {});
    const turn = before.then(work);
    this.#last = turn;
    return turn;
  }
}
