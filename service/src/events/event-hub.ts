/**
 * The open streams of this instance. One reader follows the outbox for all of them, so an idle
 * stream costs no query.
 */
import type { Database } from '../db/index.ts';
import type { Principal } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { EVENTS_CHANNEL } from './assign-positions.ts';
import type { EventStream } from './event-stream.ts';
import { readBacklog } from './person-backlog.ts';
import { expandRows, type PostingSource } from './postings.ts';
import { readCounter, readForPeople, type StoredEvent } from './read-events.ts';

const PAGE_ROWS = 500;
const CHECK_INTERVAL_MS = 1000;

export interface EventHubOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly postings: PostingSource;
  /** Undefined while the token is valid. Called every second for every stream. */
  readonly getRevocationReason: (principal: Principal) => string | undefined;
  readonly onError: (error: unknown) => void;
}

export class EventHub {
  readonly #options: EventHubOptions;
  readonly #streams = new Map<number, Set<EventStream>>();
  #cursor: number | undefined;
  #draining: Promise<void> | undefined;
  #hasNews = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EventHubOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { database } = this.#options;
    const onNotification = (): void => this.#onNotification();
    await database.listen(EVENTS_CHANNEL, onNotification);
    database.onListenGap(onNotification);
    this.#timer = setInterval(() => {
      this.closeRevokedStreams();
      this.#onNotification();
    }, CHECK_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const stream of this.#all()) stream.end('shutdown');
  }

  /** Adds a stream. @returns the position after which it receives live events */
  async join(stream: EventStream): Promise<number> {
    const ofUser = this.#streams.get(stream.userId) ?? new Set();
    this.#streams.set(stream.userId, ofUser.add(stream));
    while (this.#cursor === undefined && stream.isOpen) await this.#drain();
    return this.#cursor ?? 0;
  }

  /** Replays what the client of a joined stream missed, then lets live events through. */
  async catchUp(stream: EventStream): Promise<void> {
    const { database, postings } = this.#options;
    const { lastPosition: upTo } = await readCounter(database);
    const backlog = { userId: stream.userId, after: stream.sent, upTo };
    for await (const events of readBacklog(database, postings, backlog)) {
      await stream.replay(events);
      if (!stream.isOpen) return;
    }
    stream.goLive();
  }

  leave(stream: EventStream): void {
    const ofUser = this.#streams.get(stream.userId);
    ofUser?.delete(stream);
    if (ofUser?.size === 0) this.#streams.delete(stream.userId);
    if (this.#streams.size === 0 && !this.#draining) this.#cursor = undefined;
  }

  countOf(userId: number): number {
    return this.#streams.get(userId)?.size ?? 0;
  }

  /** Ends streams whose tokens are expired or revoked; call it at a revocation, too. */
  closeRevokedStreams(): void {
    const { clock, getRevocationReason } = this.#options;
    const now = clock.now();
    const now_ms = performance.now();
    for (const stream of this.#all()) {
      const { principal } = stream;
      const reason = principal.expiresAt <= now ? 'token_expired' : getRevocationReason(principal);
      if (reason === undefined) stream.keepAlive(now_ms);
      else stream.end(reason);
    }
  }

  *#all(): Generator<EventStream> {
    for (const ofUser of this.#streams.values()) yield* ofUser;
  }

  #deliver(event: StoredEvent): void {
    const streams = event.userId === null ? this.#all() : (this.#streams.get(event.userId) ?? []);
    for (const stream of streams) stream.enqueue(event);
  }

  /** Delivers one page. @returns true when more may follow */
  async #deliverPage(after: number): Promise<boolean> {
    const { database, postings } = this.#options;
    const { rows, isCut } = await readForPeople(database, after, PAGE_ROWS);
    // A stream that joins while the postings are read begins after them; one that resumes reads
    // them itself.
    this.#cursor = rows.at(-1)?.position ?? after;
    try {
      const userIds = [...this.#streams.keys()];
      for (const event of await expandRows(database, postings, rows, userIds)) this.#deliver(event);
    } catch (error) {
      this.#cursor = after;
      throw error;
    }
    return isCut;
  }

  async #deliverNews(): Promise<void> {
    this.#cursor ??= (await readCounter(this.#options.database)).lastPosition;
    while (this.#hasNews && this.#streams.size > 0) {
      this.#hasNews = false;
      if (await this.#deliverPage(this.#cursor)) this.#hasNews = true;
    }
    // Without streams the next one begins at the present.
    if (this.#streams.size === 0) this.#cursor = undefined;
  }

  #drain(): Promise<void> {
    this.#draining ??= this.#deliverNews().finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  #onNotification(): void {
    this.#hasNews = true;
    if (this.#streams.size > 0 && !this.#draining) this.#drain().catch(this.#options.onError);
  }
}
