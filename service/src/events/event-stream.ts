/** One open `GET /me/events`: writes events in the order of their positions, no faster than its reader takes them. */
import type { ServerResponse } from 'node:http';
import type { Principal } from '../http/index.ts';
import { parseExact, stringifyExact } from '../lib/exact-json.ts';
import { eventBody, type StoredEvent } from './read-events.ts';
import { isVisible, notifyUser } from './visible-events.ts';

/** Events that wait for a slow reader; beyond it the stream ends, and the reader resumes from the database. */
const QUEUE_MAX = 2000;
const KEEPALIVE_MS = 15_000;

export interface StreamOptions {
  readonly principal: Principal;
  readonly userId: number;
  readonly response: ServerResponse;
  readonly amountsAsStrings: boolean;
  /** Everything up to here is known to the reader. */
  readonly after: number;
}

export interface EventStream {
  readonly principal: Principal;
  readonly userId: number;
  /** Position of the last event that was written or passed over. */
  readonly sent: number;
  readonly isOpen: boolean;
  /** Takes live events; they wait until `goLive`. */
  offer(event: StoredEvent): void;
  /** Writes events from the database; resolves when the reader has room for more. */
  replay(events: readonly StoredEvent[]): Promise<void>;
  goLive(): void;
  control(
    name: 'ready' | 'reset' | 'closed',
    data: Record<string, unknown>,
    position?: number,
  ): void;
  keepAlive(now_ms: number): void;
  end(reason: string): void;
}

function format(event: StoredEvent, amountsAsStrings: boolean): string {
  const body = eventBody(event);
  const data = amountsAsStrings ? stringifyExact(parseExact(body), true) : body;
  return `id: ${event.position}\nevent: ${event.type}\ndata: ${data}\n\n`;
}

/** Makes a stream on an answer whose head was written. */
export function createEventStream(options: StreamOptions): EventStream {
  const { principal, userId, response, amountsAsStrings } = options;
  const queue: StoredEvent[] = [];
  let sent = options.after;
  let isLive = false;
  let isBlocked = false;
  let wake: (() => void) | undefined;
  let lastWrite_ms = performance.now();

  function write(text: string): void {
    lastWrite_ms = performance.now();
    isBlocked = !response.write(text);
  }

  function writeEvent(event: StoredEvent): void {
    if (event.position <= sent) return;
    sent = event.position;
    const told = isVisible(event.type, principal.scopes) ? notifyUser(event) : undefined;
    if (told) write(format(told, amountsAsStrings));
  }

  function flush(): void {
    let taken = 0;
    while (taken < queue.length && !isBlocked) {
      const event = queue[taken++];
      if (event) writeEvent(event);
    }
    queue.splice(0, taken);
  }

  function unblock(): void {
    isBlocked = false;
    wake?.();
    if (isLive) flush();
  }
  response.on('drain', unblock);
  response.on('close', unblock);

  const stream: EventStream = {
    principal,
    userId,
    get sent() {
      return sent;
    },
    get isOpen() {
      return !response.destroyed && !response.writableEnded;
    },
    offer(event) {
      if (!stream.isOpen) return;
      queue.push(event);
      if (queue.length > QUEUE_MAX) stream.end('too_slow');
      else if (isLive) flush();
    },
    async replay(events) {
      for (const event of events) {
        if (!stream.isOpen) return;
        writeEvent(event);
        if (isBlocked)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
    goLive() {
      isLive = true;
      flush();
    },
    control(name, data, position) {
      if (position !== undefined) sent = position;
      write(
        `${position === undefined ? '' : `id: ${position}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
      );
    },
    keepAlive(now_ms) {
      if (now_ms - lastWrite_ms > KEEPALIVE_MS && !isBlocked) write(':\n\n');
    },
    end(reason) {
      if (!stream.isOpen) return;
      stream.control('closed', { reason });
      response.end();
    },
  };
  return stream;
}
