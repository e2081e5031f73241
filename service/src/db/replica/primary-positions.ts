/**
 * The position of the primary in its log, as a standby must have reached it. A caller gets one
 * that is read after it asked: all that was acknowledged before, by every instance, is below it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { toDb } from '../run-statement.ts';
import { createServerPool } from '../server-pool.ts';
import { defineStatement, execute, queryNamed } from '../statement.ts';
import type { Db } from '../types.ts';
import { SILENT_AFTER_MS } from '../watchdog.ts';

export interface PrimaryPosition {
  /** In the log of the primary, as `16/B374D848`. */
  readonly lsn: string;
  /** What tells the history of the primary from others. */
  readonly mark: string;
}

/** Callers within this time share a query: at most 500 a second from one instance. */
const SHARED_MS = 2;

/**
 * Acknowledged commits are flushed, unless the role commits without waiting. What is inserted and
 * not flushed would reach a standby up to 0.2 seconds later.
 */
const READ_POSITION = defineStatement(
  'primary-position',
  `select
  case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn()
  end::text as lsn,
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline,
  m.timeline as "markedTimeline", m.mark
  from replication_mark m`,
);

/** Does nothing where another instance was first. */
const RENEW_MARK = `update replication_mark set timeline = :timeline, mark = gen_random_uuid()
  where timeline <> :timeline or :is_first`;

interface PositionRow extends PrimaryPosition {
  readonly timeline: string;
  readonly markedTimeline: string;
}

export interface PositionOptions {
  /** Of the primary. */
  readonly url: string;
  /** False: statements have no names. */
  readonly keepsPrepared: boolean;
  readonly onError: (error: Error) => void;
}

export class PrimaryPositions {
  readonly #connection: ReturnType<typeof createServerPool>['pool'];
  readonly #db: Db;
  #next: Promise<PrimaryPosition> | undefined;
  #pause: Promise<unknown> = Promise.resolve();
  /** A backup that runs again has the timeline of its past, and another future. */
  #hasRenewed = false;

  constructor({ url, keepsPrepared, onError }: PositionOptions) {
    // A connection of its own: reads continue while the pool of the primary is busy.
    const options = { url, poolSize: 1, name: 'edge-account positions', onError };
    this.#connection = createServerPool({ ...options, answerTimeout_ms: SILENT_AFTER_MS }).pool;
    this.#db = toDb(this.#connection, keepsPrepared);
  }

  /** A position that is read after this call. @throws when the primary does not say */
  next(): Promise<PrimaryPosition> {
    this.#next ??= this.#readSoon();
    return this.#next;
  }

  async close(): Promise<void> {
    await this.#connection.end();
  }

  async #readSoon(): Promise<PrimaryPosition> {
    await this.#pause;
    // Who comes from now on needs a later one.
    this.#next = undefined;
    this.#pause = wait(SHARED_MS);
    const row = await this.#read();
    if (this.#hasRenewed && row.timeline === row.markedTimeline) return row;
    const values = { timeline: row.timeline, is_first: !this.#hasRenewed };
    await queryNamed(this.#db, RENEW_MARK, values);
    this.#hasRenewed = true;
    return this.#read();
  }

  async #read(): Promise<PositionRow> {
    const { rows } = await execute<PositionRow>(this.#db, READ_POSITION, {});
    const [row] = rows;
    if (!row) throw new Error('replication_mark has no row');
    return row;
  }
}
