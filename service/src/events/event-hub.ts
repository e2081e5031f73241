/** The open streams of this node. One reader follows the outbox for all of them: idle streams cost no query. */
import type { Database } from '../db/index.ts';
import type { Principal } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { EVENTS_CHANNEL } from './assign-positions.ts';
import type { EventStream } from './event-stream.ts';
import { readBacklog } from './person-backlog.ts';
import { expandRows, type PostingSource } from './postings.ts';
import { readCounter, readForPeople, type StoredEvent } from './read-events.ts';

const PAGE = 500;
const SWEEP_MS = 1000;

export interface EventHubOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly postings: PostingSource;
  /** Why a token no longer counts; undefined while it does. Asked every second for every stream. */
  readonly whyRevoked: (principal: Principal) => string | undefined;
  readonly onError: (error: unknown) => void;
}

export interface EventHub {
  start(): Promise<void>;
  stop(): void;
  /** Where live events begin: a stream that was added has everything after this position offered to it. */
  join(stream: EventStream): Promise<number>;
  /** Brings a stream from where its reader was to the present, then lets live events through. */
  catchUp(stream: EventStream): Promise<void>;
  leave(stream: EventStream): void;
  countOf(userId: number): number;
  /** Ends the streams whose tokens expired or were revoked; call it at a revocation, so that they end at once. */
  sweep(): void;
}

export function createEventHub({
  database,
  clock,
  postings,
  whyRevoked,
  onError,
}: EventHubOptions): EventHub {
  const streams = new Map<number, Set<EventStream>>();
  let cursor: number | undefined;
  let pumping: Promise<void> | undefined;
  let isDirty = false;
  let timer: NodeJS.Timeout | undefined;

  function* all(): Generator<EventStream> {
    for (const set of streams.values()) yield* set;
  }

  function deliver(event: StoredEvent): void {
    for (const stream of event.userId === null ? all() : (streams.get(event.userId) ?? []))
      stream.offer(event);
  }

  /** Delivers one page. @returns true when more may follow */
  async function readPage(after: number): Promise<boolean> {
    const { rows, isCut } = await readForPeople(database, after, PAGE);
    // A stream that joins while the postings are described begins after them; one that resumes reads them by itself.
    cursor = rows.at(-1)?.position ?? after;
    try {
      for (const event of await expandRows(database, postings, rows, [...streams.keys()]))
        deliver(event);
    } catch (error) {
      cursor = after;
      throw error;
    }
    return isCut;
  }

  async function readOn(): Promise<void> {
    cursor ??= (await readCounter(database)).lastPosition;
    while (isDirty && streams.size > 0) {
      isDirty = false;
      if (await readPage(cursor)) isDirty = true;
    }
    // Nobody listens: the next one to come begins at the present.
    if (streams.size === 0) cursor = undefined;
  }

  function pump(): Promise<void> {
    pumping ??= readOn().finally(() => {
      pumping = undefined;
    });
    return pumping;
  }

  function onNews(): void {
    isDirty = true;
    if (streams.size > 0 && !pumping) pump().catch(onError);
  }

  function sweep(): void {
    const now = clock.now();
    const now_ms = performance.now();
    for (const stream of all()) {
      const reason =
        stream.principal.expiresAt <= now ? 'token_expired' : whyRevoked(stream.principal);
      if (reason === undefined) stream.keepAlive(now_ms);
      else stream.end(reason);
    }
  }

  return {
    async start() {
      await database.listen(EVENTS_CHANNEL, onNews);
      database.onListenGap(onNews);
      timer = setInterval(() => {
        sweep();
        onNews();
      }, SWEEP_MS).unref();
    },
    stop() {
      clearInterval(timer);
      for (const stream of all()) stream.end('shutdown');
    },
    async join(stream) {
      const set = streams.get(stream.userId) ?? new Set();
      streams.set(stream.userId, set.add(stream));
      while (cursor === undefined && stream.isOpen) await pump();
      return cursor ?? 0;
    },
    async catchUp(stream) {
      // What comes after this position is offered to the stream, which joined before.
      const { lastPosition: upTo } = await readCounter(database);
      for await (const events of readBacklog(database, postings, {
        userId: stream.userId,
        after: stream.sent,
        upTo,
      })) {
        await stream.replay(events);
        if (!stream.isOpen) return;
      }
      stream.goLive();
    },
    leave(stream) {
      const set = streams.get(stream.userId);
      set?.delete(stream);
      if (set?.size === 0) streams.delete(stream.userId);
      if (streams.size === 0 && !pumping) cursor = undefined;
    },
    countOf: (userId) => streams.get(userId)?.size ?? 0,
    sweep,
  };
}
