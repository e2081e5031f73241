/**
 * Revocations of tokens, in the memory of every instance. It reads the feed by transaction id: at
 * once when it is notified, and else before long, for lost notifications and late commits. After
 * a revocation of this instance itself, or too long without a successful read, a check waits for a
 * read or fails.
 */
import { type Database, onAnnounced } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { type OnRow, RevocationFeed } from './revocation-feed.ts';
import { createRevocationMemory, type TokenFacts } from './revocation-memory.ts';
import { type RevocationRow, TOKEN_REVOCATIONS } from './revoke.ts';
import type { Revocation } from './types.ts';

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
  /** How many revocations this instance keeps, by kind. */
  counts(): Readonly<Record<string, number>>;
  /** How long ago the feed was last read; 0 where nothing can be missed. */
  age_ms(): number;
  /** Calls `handler` once for each revocation that this instance reads from now on. */
  onRevoked(handler: (revocation: Revocation) => void): void;
}

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
    if (!memory.add(row) || !isNews) return;
    prune();
    const revocation = toRevocation(row);
    for (const handler of handlers) handler(revocation);
  };
  const feed = new RevocationFeed(database, clock, add);
  onAnnounced(database, TOKEN_REVOCATIONS, () => feed.noteCommitted());
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
    stop: () => feed.stop(),
    catchUp: () => feed.readAnew(),
    check: (token) => (isFresh() ? memory.reasonFor(token) : readAndCheck(token)),
    version: () => (isFresh() ? memory.version() : undefined),
    known: memory.reasonFor,
    counts: memory.counts,
    age_ms: () => feed.age_ms(),
    onRevoked: (handler) => {
      handlers.push(handler);
    },
  };
}
