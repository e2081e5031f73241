/**
 * Revocations of tokens, in the memory of every instance. It reads the feed by transaction id: at
 * once when it is notified, and else before long, for lost notifications and late commits. After
 * a revocation of this instance itself, or too long without a successful read, a check waits for a
 * read or fails.
 */
import { type Database, defineStatement, execute, onAnnounced } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { createRevocationMemory, type TokenFacts } from './revocation-memory.ts';
import { type RevocationRow, TOKEN_REVOCATIONS } from './revoke.ts';
import type { Revocation } from './types.ts';

const POLL_MS = 300;
/** The embedded database runs in this process: no notification is lost while it lives. */
const EMBEDDED_POLL_MS = 5000;
const STALE_MS = 900;
const PRUNE_MS = 60_000;

export interface TokenState {
  /** Reads all revocations and starts to follow the feed. */
  start(): Promise<void>;
  stop(): void;
  /** Resolves when this instance knows all revocations that were committed before the call. */
  catchUp(): Promise<void>;
  /**
   * Reason of the token's revocation, if it is revoked. A promise only when the memory is too old
   * and the database is read.
   * @throws `unavailable`
   */
  check(token: TokenFacts): string | undefined | Promise<string | undefined>;
  /** Grows with every revocation, so that a check can be cached; undefined if memory is too old. */
  version(): number | undefined;
  /** Like `check`, but from memory of any age: for connections that are checked repeatedly. */
  known(token: TokenFacts): string | undefined;
  /** How long ago the feed was last read; 0 where nothing can be missed. */
  age_ms(): number;
  /** Calls `handler` once for each revocation that this instance reads from now on. */
  onRevoked(handler: (revocation: Revocation) => void): void;
}

const READ = defineStatement(
  'token-revocations',
  `with latest as (select pg_snapshot_xmin(pg_current_snapshot())::text as horizon)
  select horizon, kind, value, reason, spared_sid,
    (extract(epoch from effective_at) * 1000)::float8 as effective_ms,
    (extract(epoch from until) * 1000)::float8 as until_ms
  from latest left join token_revocation on xid >= :horizon::xid8 and until > :now order by id`,
);

type ReadRow = { horizon: string } & (RevocationRow | { kind: null });

function toRevocation(row: RevocationRow): Revocation {
  return {
    kind: row.kind,
    value: row.value,
    reason: row.reason,
    effectiveAt: new Date(row.effective_ms),
    until: new Date(row.until_ms),
    ...(row.spared_sid !== null && { sparedSid: row.spared_sid }),
  };
}

type OnRow = (row: RevocationRow, isNews: boolean) => void;

/**
 * Revocations of transactions from a number on. In another cluster, whose transactions have lower
 * numbers (a restored one, or a new primary that had not received everything), all revocations.
 */
async function readSince(
  database: Database,
  clock: Clock,
  horizon: string,
): Promise<{ rows: RevocationRow[]; latest: string }> {
  const { rows } = await execute<ReadRow>(database, READ, { horizon, now: clock.now() });
  const latest = rows[0]?.horizon ?? horizon;
  if (BigInt(latest) < BigInt(horizon)) return readSince(database, clock, '0');
  return { rows: rows.filter((row) => row.kind !== null), latest };
}

/** Reads the feed: on demand, and periodically after `start`. */
function createFeedReader(database: Database, clock: Clock, onRow: OnRow) {
  let horizon = '0';
  let isFirst = true;
  let freshAt_ms = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Revocations committed by this process, and how many of them the last read has seen. */
  let [committed, seen] = [0, 0];

  async function read(): Promise<void> {
    const startedAt_ms = performance.now();
    const committedBefore = committed;
    const { rows, latest } = await readSince(database, clock, horizon);
    for (const row of rows) onRow(row, !isFirst);
    isFirst = false;
    horizon = latest;
    freshAt_ms = startedAt_ms;
    seen = committedBefore;
  }

  /** A read that starts after this call; concurrent callers share it. */
  function readAnew(): Promise<void> {
    next ??= (reading ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        next = undefined;
        reading = read().finally(() => {
          reading = undefined;
        });
        return reading;
      });
    return next;
  }

  function schedule(): void {
    const delay_ms = database.kind === 'embedded' ? EMBEDDED_POLL_MS : POLL_MS;
    timer = setTimeout(() => {
      const reschedule = () => timer && schedule();
      readAnew().then(reschedule, reschedule);
    }, delay_ms).unref();
  }

  return {
    readAnew,
    schedule,
    /** Called when this process has committed a revocation: nothing is fresh until it is read. */
    noteCommitted(): void {
      committed++;
      void readAnew().catch(() => {});
    },
    isBehind: (): boolean => seen !== committed,
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
    },
    age_ms: (): number =>
      database.kind === 'embedded' && timer !== undefined ? 0 : performance.now() - freshAt_ms,
  };
}

/** No request waits longer for the database to tell what is revoked. */
const CHECK_DEADLINE_MS = 3000;

/** Rejects when the work takes too long; the work itself continues. */
async function withDeadline(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the feed was not read in time')), CHECK_DEADLINE_MS);
  });
  try {
    await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Creates the state of one instance. Without `start()` every check reads the database. */
export function createTokenState(database: Database, clock: Clock): TokenState {
  const memory = createRevocationMemory();
  const handlers: ((revocation: Revocation) => void)[] = [];
  let prunedAt_ms = 0;

  function prune(): void {
    const now_ms = clock.now().getTime();
    if (Math.abs(now_ms - prunedAt_ms) < PRUNE_MS) return;
    prunedAt_ms = now_ms;
    memory.prune(now_ms);
  }

  const add: OnRow = (row, isNews) => {
    prune();
    if (!memory.add(row) || !isNews) return;
    const revocation = toRevocation(row);
    for (const handler of handlers) handler(revocation);
  };
  const feed = createFeedReader(database, clock, add);
  onAnnounced(database, TOKEN_REVOCATIONS, feed.noteCommitted);
  const isFresh = (): boolean => !feed.isBehind() && feed.age_ms() < STALE_MS;

  async function readAndCheck(token: TokenFacts): Promise<string | undefined> {
    await withDeadline(feed.readAnew()).catch((cause: unknown) => {
      throw failure('unavailable', {
        cause,
        retryAfter_s: 1,
        detail: 'Revocations cannot be checked now.',
      });
    });
    return memory.reasonFor(token);
  }

  return {
    async start() {
      const readSoon = () => void feed.readAnew().catch(() => {});
      await database.listen(TOKEN_REVOCATIONS, readSoon);
      database.onListenGap(readSoon);
      await feed.readAnew();
      feed.schedule();
    },
    stop: feed.stop,
    catchUp: feed.readAnew,
    check: (token) => (isFresh() ? memory.reasonFor(token) : readAndCheck(token)),
    version: () => (isFresh() ? memory.version() : undefined),
    known: memory.reasonFor,
    age_ms: feed.age_ms,
    onRevoked: (handler) => {
      handlers.push(handler);
    },
  };
}
