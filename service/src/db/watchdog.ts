/**
 * Finds a database that no longer answers without closing its connections: a stopped host, a
 * dropped route. TCP would wait for minutes. A ping each second on a connection of its own must be
 * answered within two; otherwise the owner drops all connections, and requests open new ones.
 */
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

const PING_EVERY_MS = 1000;
/** Limit of an answer, and of opening a connection. */
export const SILENT_AFTER_MS = 2000;

export interface WatchdogOptions {
  readonly url: string;
  /** Called for each ping without an answer, and while the database takes no changes. */
  readonly onUnusable: (reason: string) => void;
  /** A database that takes no changes is usable, too: only silence counts. */
  readonly isReplica?: boolean;
}

/** Resolves with `late` unless the work ends first; also when this process was busy meanwhile. */
async function within<T>(work: Promise<T>): Promise<T | 'late'> {
  const ended = new AbortController();
  const late = wait(SILENT_AFTER_MS, undefined, { ref: false, signal: ended.signal }).then(
    async () => {
      // The answer may wait in the socket: it is read before this continues.
      await nextTurn();
      await nextTurn();
      return 'late' as const;
    },
  );
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}

export class DatabaseWatchdog {
  readonly #options: WatchdogOptions;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#drop();
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      void this.#check().finally(() => this.#schedule());
    }, PING_EVERY_MS).unref();
  }

  /** A refused or closed connection is no silence: the pool learns of it by itself. */
  async #check(): Promise<void> {
    const answer = await within(this.#ping()).catch(() => {
      this.#drop();
      return 'gone' as const;
    });
    if (answer === 'gone' || this.#isStopped) return;
    if (answer === 'writable' || (answer === 'read-only' && this.#options.isReplica)) return;
    this.#drop();
    this.#options.onUnusable(answer === 'late' ? 'it does not answer' : 'it is read-only');
  }

  async #ping(): Promise<'writable' | 'read-only'> {
    this.#client ??= await this.#open();
    const { rows } = await this.#client.query<{ is_read_only: boolean }>(
      "select current_setting('transaction_read_only') = 'on' as is_read_only",
    );
    return rows[0]?.is_read_only ? 'read-only' : 'writable';
  }

  async #open(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      application_name: 'edge-account watchdog',
    });
    client.on('error', () => {});
    this.#client = client;
    await client.connect();
    return client;
  }

  #drop(): void {
    this.#client?.connection.stream.destroy();
    this.#client = undefined;
  }
}
