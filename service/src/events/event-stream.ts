/**
 * One open `GET /me/events`: writes events in the order of their positions, no faster than the
 * client reads them.
 */
import type { ServerResponse } from 'node:http';
import type { Principal } from '../http/index.ts';
import { parseExact, stringifyExact } from '../lib/exact-json.ts';
import { eventBody, type StoredEvent } from './read-events.ts';
import { isVisible, notifyUser } from './visible-events.ts';

/** Events that wait for a slow client; beyond it the stream ends, and the client resumes. */
const QUEUE_MAX = 2000;
const KEEPALIVE_MS = 15_000;

export interface StreamOptions {
  readonly principal: Principal;
  readonly userId: number;
  readonly response: ServerResponse;
  readonly amountsAsStrings: boolean;
}

function format(event: StoredEvent, amountsAsStrings: boolean): string {
  const body = eventBody(event);
  const data = amountsAsStrings ? stringifyExact(parseExact(body), true) : body;
  return `id: ${event.position}\nevent: ${event.type}\ndata: ${data}\n\n`;
}

export class EventStream {
  readonly principal: Principal;
  readonly userId: number;
  readonly #response: ServerResponse;
  readonly #amountsAsStrings: boolean;
  #queue: StoredEvent[] = [];
  #sent = 0;
  #isLive = false;
  #isBlocked = false;
  #onUnblocked: (() => void) | undefined;
  #lastWrite_ms = performance.now();

  /** @param options the head of the response is written already */
  constructor({ principal, userId, response, amountsAsStrings }: StreamOptions) {
    this.principal = principal;
    this.userId = userId;
    this.#response = response;
    this.#amountsAsStrings = amountsAsStrings;
    const unblock = (): void => this.#unblock();
    response.on('drain', unblock).on('close', unblock);
  }

  /** Position of the last event that was written or skipped. */
  get sent(): number {
    return this.#sent;
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Adds a live event; it waits until `goLive`. */
  enqueue(event: StoredEvent): void {
    if (!this.isOpen) return;
    this.#queue.push(event);
    if (this.#queue.length > QUEUE_MAX) this.end('too_slow');
    else if (this.#isLive) this.#flush();
  }

  /** Writes events of the database; resolves when the client can take more. */
  async replay(events: readonly StoredEvent[]): Promise<void> {
    for (const event of events) {
      if (!this.isOpen) return;
      this.#writeEvent(event);
      if (this.#isBlocked)
        await new Promise<void>((resolve) => {
          this.#onUnblocked = resolve;
        });
    }
  }

  goLive(): void {
    this.#isLive = true;
    this.#flush();
  }

  control(
    name: 'ready' | 'reset' | 'closed',
    data: Readonly<Record<string, unknown>>,
    position?: number,
  ): void {
    const id = position === undefined ? '' : `id: ${position}\n`;
    this.#sent = position ?? this.#sent;
    this.#write(`${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  keepAlive(now_ms: number): void {
    if (now_ms - this.#lastWrite_ms > KEEPALIVE_MS && !this.#isBlocked) this.#write(':\n\n');
  }

  end(reason: string): void {
    if (!this.isOpen) return;
    this.control('closed', { reason });
    this.#response.end();
  }

  #write(text: string): void {
    this.#lastWrite_ms = performance.now();
    this.#isBlocked = !this.#response.write(text);
  }

  #writeEvent(event: StoredEvent): void {
    if (event.position <= this.#sent) return;
    this.#sent = event.position;
    const visible = isVisible(event.type, this.principal.scopes) ? notifyUser(event) : undefined;
    if (visible) this.#write(format(visible, this.#amountsAsStrings));
  }

  #flush(): void {
    let taken = 0;
    for (const event of this.#queue) {
      if (this.#isBlocked) break;
      this.#writeEvent(event);
      taken++;
    }
    this.#queue = this.#queue.slice(taken);
  }

  #unblock(): void {
    this.#isBlocked = false;
    this.#onUnblocked?.();
    if (this.#isLive) this.#flush();
  }
}
