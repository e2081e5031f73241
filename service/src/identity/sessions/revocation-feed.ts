/**
 * Reads the feed of revocations by transaction id: on demand, when it is notified, and before long
 * for lost notifications and late commits.
 */
import { setImmediate } from 'node:timers/promises';
import { type Database, defineStatement, execute } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { WHOLE_KINDS } from './revocation-memory.ts';
import type { RevocationRow } from './revoke.ts';

const POLL_MS = 300;
const PAGE_SIZE = 20_000;
/** The embedded database runs in this process: no notification is lost while it lives. */
const EMBEDDED_POLL_MS = 5000;

const FIELDS = `kind, value, reason, spared_sid,
    (extract(epoch from effective_at) * 1000)::float8 as effective_ms,
    (extract(epoch from until) * 1000)::float8 as until_ms`;

const READ_NEW = defineStatement(
  'new-token-revocations',
  `with latest as (select pg_snapshot_xmin(pg_current_snapshot())::text as horizon)
  select horizon, ${FIELDS}
  from latest left join token_revocation on xid >= :horizon::xid8 and until > :now order by id`,
);

const READ_HORIZON = defineStatement(
  'token-revocations-horizon',
  'select pg_snapshot_xmin(pg_current_snapshot())::text as horizon',
);

const WHOLE = WHOLE_KINDS.map((kind) => `'${kind}'`).join(', ');

/**
 * A page of all revocations, as one row for those that differ in their values only: a million rows
 * of a driver would take longer than everything else at a start.
 */
const READ_PAGE = defineStatement(
  'token-revocations-page',
  `with page as (
    select id, value, kind, reason, spared_sid, until,
      case when kind in (${WHOLE}) then 'epoch' else effective_at end as effective_at
    from token_revocation where id > :after and until > :now order by id limit ${PAGE_SIZE}
  ), grouped as (
    select kind, reason, spared_sid, effective_at,
      date_bin('1 hour', until, 'epoch') + interval '1 hour' as until,
      json_agg(value) as value, max(id) as last
    from page group by 1, 2, 3, 4, 5
  )
  select ${FIELDS}, last from grouped`,
);

type NewRow = { horizon: string } & (RevocationRow | { kind: null });
type PageRow = Omit<RevocationRow, 'value'> & {
  readonly value: readonly string[];
  readonly last: string;
};

/** `isNews`: not of the first read. */
export type OnRow = (row: RevocationRow, isNews: boolean) => void;

/** Reads all revocations of tokens that have not expired. @returns what was read up to */
async function readAll(
  database: Database,
  clock: Clock,
  onRow: (row: RevocationRow) => void,
): Promise<string> {
  // Before the pages: what commits beside them has this number or a higher one, and is read again.
  const { rows } = await execute<{ horizon: string }>(database, READ_HORIZON, {});
  const now = clock.now();
  const readPage = (after: bigint) => execute<PageRow>(database, READ_PAGE, { after, now });
  let next = readPage(0n);
  for (;;) {
    const page = await next;
    if (page.rows.length === 0) return rows[0]?.horizon ?? '0';
    let last = 0n;
    for (const row of page.rows) if (BigInt(row.last) > last) last = BigInt(row.last);
    // The database makes the next page while this one is taken in: it is asked for at the turn.
    next = readPage(last);
    // Its error is thrown where it is awaited.
    next.catch(() => {});
    await setImmediate();
    for (const { last: _, value: values, ...shared } of page.rows)
      for (const value of values) onRow({ ...shared, value });
  }
}

export class RevocationFeed {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onRow: OnRow;
  /** Undefined until all have been read once. */
  #horizon: string | undefined;
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
    this.#horizon = await this.#readRows();
    this.#isFirst = false;
    this.#freshAt_ms = startedAt_ms;
    this.#seen = committedBefore;
  }

  /** @returns the transaction that the next read begins with */
  async #readRows(): Promise<string> {
    const onRow = (row: RevocationRow): void => this.#onRow(row, !this.#isFirst);
    if (this.#horizon === undefined) return readAll(this.#database, this.#clock, onRow);
    const { rows } = await execute<NewRow>(this.#database, READ_NEW, {
      ...{ horizon: this.#horizon, now: this.#clock.now() },
    });
    const latest = rows[0]?.horizon ?? this.#horizon;
    // Another cluster, whose transactions have lower numbers: a restored one, or a new primary that
    // had not received everything.
    if (BigInt(latest) < BigInt(this.#horizon)) return readAll(this.#database, this.#clock, onRow);
    for (const row of rows) if (row.kind !== null) onRow(row);
    return latest;
  }
}
