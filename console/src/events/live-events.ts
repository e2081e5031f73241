/** The user's live events, while the page is visible and online. */
import { type EdgeEvent, streamEvents } from '@edge-account/sdk';
import { leaveSession } from '../session/session.ts';
import { holdReads, releaseReads, sessionClient } from '../session/session-api.ts';

export type LiveState = 'connecting' | 'live' | 'lost';

export interface LiveEventHandlers {
  /** @param areReadsNew the reads that are under way were sent after this event */
  readonly onEvent: (event: EdgeEvent, areReadsNew: boolean) => void;
  readonly onState: (state: LiveState) => void;
}

const WAIT_MAX_MS = 30_000;

/**
 * Reads wait for the first event of a stream: what was read before it would be read again. Not
 * longer, because a proxy may keep a stream back.
 */
const READS_WAIT_MAX_MS = 1000;

/**
 * A hidden page closes its stream after this time: over HTTP/1.1 a browser has six connections to
 * a service for all of its tabs.
 */
const HIDDEN_MAX_MS = 3000;

/** Reasons of closing after which the stream is opened again. Others end the session. */
const TEMPORARY_REASONS: readonly unknown[] = ['token_expired', 'too_slow', 'shutdown'];

/** Why the session has ended, if the event reports that. */
function findEndReason({ type, data }: EdgeEvent): string | undefined {
  if (type !== 'closed') return undefined;
  const { reason } = data as { reason?: unknown };
  return TEMPORARY_REASONS.includes(reason) ? undefined : String(reason);
}

class EventFollower {
  readonly #handlers: LiveEventHandlers;
  #lastEventId: string | undefined;
  #connection: AbortController | undefined;
  #isLive = false;
  #hiding: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #releasing = setTimeout(releaseReads, READS_WAIT_MAX_MS);

  constructor(handlers: LiveEventHandlers) {
    this.#handlers = handlers;
    if (!document.hidden) holdReads();
    window.addEventListener('online', this.#connectNow);
    window.addEventListener('offline', this.#leave);
    document.addEventListener('visibilitychange', this.#handleVisibility);
    this.#handleVisibility();
  }

  stop(): void {
    window.removeEventListener('online', this.#connectNow);
    window.removeEventListener('offline', this.#leave);
    document.removeEventListener('visibilitychange', this.#handleVisibility);
    clearTimeout(this.#hiding);
    clearTimeout(this.#retry);
    clearTimeout(this.#releasing);
    this.#connection?.abort();
    releaseReads();
  }

  /** Opens the stream without waiting for the next attempt. */
  readonly #connectNow = (): void => {
    if (this.#isLive || document.hidden) return;
    clearTimeout(this.#retry);
    this.#connection?.abort();
    this.#connection = new AbortController();
    void this.#follow(this.#connection.signal);
  };

  readonly #disconnect = (): void => {
    this.#connection?.abort();
    this.#setLost();
  };

  readonly #leave = (): void => {
    holdReads();
    this.#disconnect();
  };

  readonly #handleVisibility = (): void => {
    clearTimeout(this.#hiding);
    if (document.hidden) this.#hiding = setTimeout(this.#disconnect, HIDDEN_MAX_MS);
    else this.#connectNow();
  };

  #setLost(): void {
    this.#isLive = false;
    this.#handlers.onState('lost');
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const options = {
      signal,
      waitMax_ms: WAIT_MAX_MS,
      ...(this.#lastEventId !== undefined && { lastEventId: this.#lastEventId }),
      onOpen: () => {
        this.#isLive = true;
        clearTimeout(this.#releasing);
        this.#releasing = setTimeout(releaseReads, READS_WAIT_MAX_MS);
        this.#handlers.onState('live');
      },
      onRetry: () => {
        releaseReads();
        this.#setLost();
      },
    };
    try {
      for await (const event of streamEvents(sessionClient, options)) this.#handle(event);
    } catch {
      if (signal.aborted) return;
      releaseReads();
      this.#setLost();
      this.#retry = setTimeout(this.#connectNow, WAIT_MAX_MS);
    }
  }

  #handle(event: EdgeEvent): void {
    if (event.id !== '') this.#lastEventId = event.id;
    const reason = findEndReason(event);
    if (reason !== undefined) void leaveSession(reason);
    // The first one is `ready`: reads that waited for it are sent after it.
    else if (event.type !== 'closed') this.#handlers.onEvent(event, releaseReads());
  }
}

/** Follows the events until the returned function is called. */
export function followEvents(handlers: LiveEventHandlers): () => void {
  const follower = new EventFollower(handlers);
  return () => follower.stop();
}
