/**
 * Reads the feed of revocations by transaction id: on demand, when it is notified, and before long
 * for lost notifications and late commits.
 */
import { type Database, defineStatement, execute } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { RevocationRow } from './revoke.ts';

const POLL_MS = 300;
/** The embedded database runs in this process: no notification is lost while it lives. */
const EMBEDDED_POLL_MS = 5000;

const READ_REVOCATIONS = defineStatement(
  'token-revocations',
  `with latest as (select pg_snapshot_xmin(pg_current_snapshot())::text as horizon)
  select horizon, kind, value, reason, spared_sid,
    (extract(epoch from effective_at) * 1000)::float8 as effective_ms,
    (extract(epoch from until) * 1000)::float8 as until_ms
  from latest left join token_revocation on xid >= :horizon::xid8 and until > :now order by id`,
);

type ReadRow = { horizon: string } & (RevocationRow | { kind: null });

/** `isNews`: not of the first read. */
export type OnRow = (row: RevocationRow, isNews: boolean) => void;

/**
 * Revocations of transactions from a number on. In another cluster, whose transactions have lower
 * numbers (a restored one, or a new primary that had not received everything), all revocations.
 */
async function readSince(
  database: Database,
  clock: Clock,
  horizon: string,
): Promise<{ rows: RevocationRow[]; latest: string }> {
  const { rows } = await execute<ReadRow>(database, READ_REVOCATIONS, {
    horizon,
    now: clock.now(),
  });
  const latest = rows[0]?.horizon ?? horizon;
  if (BigInt(latest) < BigInt(horizon)) return readSince(database, clock, '0');
  return { rows: rows.filter((row) => row.kind !== null), latest };
}

export class RevocationFeed {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onRow: OnRow;
  #horizon = '0';
  #isFirst = true;
  #freshAt_ms = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Revocations committed by this process, and how many of them the last read has seen. */
  #committed = 0;
  #seen = 0;

  constructor(database: Database, clock: Clock, onRow: OnRow) {
    this.#database = database;
    this.#clock = clock;
    this.#onRow = onRow;
  }

  /** A read that starts after this call; concurrent callers share it. */
  readAnew(): Promise<void> {
    this.#next ??= (this.#reading ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        this.#reading = this.#read().finally(() => {
          this.#reading = undefined;
        });
        return this.#reading;
      });
    return this.#next;
  }

  /** Reads it periodically from now on. */
  schedule(): void {
    const delay_ms = this.#database.kind === 'embedded' ? EMBEDDED_POLL_MS : POLL_MS;
    this.#timer = setTimeout(() => {
      const reschedule = (): void => {
        if (this.#timer) this.schedule();
      };
      this.readAnew().then(reschedule, reschedule);
    }, delay_ms).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Called when this process has committed a revocation: nothing is fresh until it is read. */
  noteCommitted(): void {
    this.#committed++;
    void this.readAnew().catch(() => {});
  }

  isBehind(): boolean {
    return this.#seen !== this.#committed;
  }

  /** How long ago it was read; 0 where nothing can be missed. */
  age_ms(): number {
    const isCertain = this.#database.kind === 'embedded' && this.#timer !== undefined;
    return isCertain ? 0 : performance.now() - this.#freshAt_ms;
  }

  async #read(): Promise<void> {
    const startedAt_ms = performance.now();
    const committedBefore = this.#committed;
    const { rows, latest } = await readSince(this.#database, this.#clock, this.#horizon);
    for (const row of rows) this.#onRow(row, !this.#isFirst);
    this.#isFirst = false;
    this.#horizon = latest;
    this.#freshAt_ms = startedAt_ms;
    this.#seen = committedBefore;
  }
}
