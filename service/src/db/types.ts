/** What the rest of the service knows of the database. */
import type pg from 'pg';
import type { Replica } from './replica/replica-types.ts';

/**
 * A row as it comes from the driver: int8 as number (ids are below 2^53), numeric as text,
 * timestamptz as Date, date as text.
 */
export type Row = Record<string, unknown>;

export interface Result<R> {
  readonly rows: R[];
  readonly rowCount: number;
}

/**
 * A place to run SQL: the pool, or one open transaction. Every function that changes state takes it
 * first.
 */
export interface Db {
  query<R = Row>(text: string, values?: readonly unknown[]): Promise<Result<R>>;
  /** A prepared statement: parsed once per connection. For the hot paths. */
  prepared<R = Row>(name: string, text: string, values?: readonly unknown[]): Promise<Result<R>>;
  readonly isTransaction: boolean;
}

/** An open transaction. */
export interface Transaction extends Db {
  readonly isTransaction: true;
  /** The database that it runs in. */
  readonly database: Database;
  /** What earlier tries of the same work failed with; empty in the first one. */
  readonly earlierErrors: readonly unknown[];
  /** How long a statement waits for a lock; undefined: without limit. */
  readonly lockTimeout_ms: number | undefined;
  /** Runs `action` after the commit; never when the transaction rolls back. It must not throw. */
  afterCommit(action: () => void): void;
}

/** Gives a lock back. */
export type Unlock = () => Promise<void>;

export interface Database extends Db {
  readonly isTransaction: false;
  readonly kind: 'embedded' | 'server';
  /** False: a connection keeps no prepared statements, and they are sent without names. */
  readonly keepsPrepared: boolean;
  /** For `transaction()`; nothing else takes connections by hand. */
  readonly pool: pg.Pool;
  /** The standby that answers reads of requests; absent: this database answers all. */
  readonly replica?: Replica;
  /** Calls `handler` with the payload of each notification; resolves once the database listens. */
  listen(channel: string, handler: (payload: string) => void): Promise<void>;
  /**
   * Takes a lock that one process of all holds at a time, without holding a connection of the pool;
   * undefined when another process has it, or when that is not known. It ends with its process and
   * with the connection: a lock saves work, but the work itself must be safe to do twice.
   */
  tryLock(name: string): Promise<Unlock | undefined>;
  /**
   * Calls `handler` whenever notifications may have been lost: the listening connection was made
   * anew.
   */
  onListenGap(handler: () => void): void;
  close(): Promise<void>;
}
