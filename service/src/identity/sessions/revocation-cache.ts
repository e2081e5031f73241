/**
 * Revocations and device bindings of tokens, in the memory of every instance. Notifications bring
 * changes at once; polls by transaction id bring lost notifications and late commits. After too
 * long without a successful poll, a check waits for one or fails.
 */
import type { Database } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { createRevocationMemory, type TokenFacts } from './revocation-memory.ts';
import { TOKEN_CHANGES, type TokenChange } from './revoke.ts';
import type { Revocation, RevocationKind } from './types.ts';

const POLL_MS = 300;
/** The embedded database runs in this process: no notification is lost. */
const EMBEDDED_POLL_MS = 5000;
const STALE_MS = 900;
const PRUNE_MS = 60_000;

export interface TokenState {
  /** Reads all changes and starts to follow the feed. */
  start(): Promise<void>;
  stop(): void;
  /** Resolves when this instance knows all changes that were committed before the call. */
  catchUp(): Promise<void>;
  /**
   * Reason of the token's revocation, if it is revoked. A promise only when the memory is too old
   * and the database is read.
   * @throws `unavailable`
   */
  check(token: TokenFacts): string | undefined | Promise<string | undefined>;
  /** Grows with every change, so that a check can be cached; undefined if memory is too old. */
  version(): number | undefined;
  /** Like `check`, but from memory of any age: for connections that are checked repeatedly. */
  known(token: TokenFacts): string | undefined;
  /** The device that a token, or another of its grant, was bound to. */
  nodeOf(jti: string, grantId?: string): string | undefined;
  /** Calls `handler` once for each revocation that this instance reads from now on. */
  onRevoked(handler: (revocation: Revocation) => void): void;
}

const READ = `with latest as (select pg_snapshot_xmin(pg_current_snapshot())::text as horizon)
  select horizon, kind, value, reason, node_id, spared_sid,
    (extract(epoch from effective_at) * 1000)::float8 as effective_ms,
    (extract(epoch from until) * 1000)::float8 as until_ms
  from latest left join token_change on xid >= $1::xid8 and until > $2 order by id`;

type ReadRow = { horizon: string } & (TokenChange | { kind: null });

function toRevocation(change: TokenChange): Revocation | undefined {
  if (change.reason === null) return undefined;
  return {
    kind: change.kind as RevocationKind,
    value: change.value,
    reason: change.reason,
    effectiveAt: new Date(change.effective_ms),
    until: new Date(change.until_ms),
    ...(change.spared_sid !== null && { sparedSid: change.spared_sid }),
  };
}

type OnChange = (change: TokenChange, isNews: boolean) => void;

/** Reads the feed: on demand, and periodically after `start`. */
function createFeedReader(database: Database, clock: Clock, onChange: OnChange) {
  let horizon = '0';
  let freshAt_ms = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function read(): Promise<void> {
    const startedAt_ms = performance.now();
    const isFirst = horizon === '0';
    const { rows } = await database.prepared<ReadRow>('token-changes', READ, [
      horizon,
      clock.now(),
    ]);
    for (const row of rows) if (row.kind !== null) onChange(row, !isFirst);
    horizon = rows[0]?.horizon ?? horizon;
    freshAt_ms = startedAt_ms;
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
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
    },
    isFresh: (): boolean =>
      performance.now() - freshAt_ms < STALE_MS ||
      (database.kind === 'embedded' && timer !== undefined),
  };
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

  const addChange: OnChange = (change, isNews) => {
    prune();
    if (!memory.add(change) || !isNews) return;
    const revocation = toRevocation(change);
    if (revocation) for (const handler of handlers) handler(revocation);
  };
  const feed = createFeedReader(database, clock, addChange);

  async function readAndCheck(token: TokenFacts): Promise<string | undefined> {
    await feed.readAnew().catch((cause: unknown) => {
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
      await database.listen(TOKEN_CHANGES, (payload) =>
        addChange(JSON.parse(payload) as TokenChange, true),
      );
      database.onListenGap(() => void feed.readAnew().catch(() => {}));
      await feed.readAnew();
      feed.schedule();
    },
    stop: feed.stop,
    catchUp: feed.readAnew,
    check: (token) => (feed.isFresh() ? memory.reasonFor(token) : readAndCheck(token)),
    version: () => (feed.isFresh() ? memory.version() : undefined),
    known: memory.reasonFor,
    nodeOf: memory.nodeOf,
    onRevoked: (handler) => {
      handlers.push(handler);
    },
  };
}
