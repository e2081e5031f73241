/**
 * How often a device may send heartbeats over HTTP: as often as over its live connection. Each
 * instance counts in memory, because a heartbeat must not cost a query.
 */
import { rateLimitError } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';

export interface HeartbeatRateLimitOptions {
  readonly clock: Clock;
  readonly heartbeatInterval_s: number;
  readonly messagesPerSecond: number;
}

export class HeartbeatRateLimit {
  readonly #clock: Clock;
  readonly #window_s: number;
  readonly #hits: number;
  #counts = new Map<number, number>();
  #startedAt_ms = Number.NEGATIVE_INFINITY;

  constructor({ clock, heartbeatInterval_s, messagesPerSecond }: HeartbeatRateLimitOptions) {
    this.#clock = clock;
    this.#window_s = heartbeatInterval_s;
    this.#hits = messagesPerSecond * heartbeatInterval_s;
  }

  /** Counts a heartbeat of a device. @throws `rate_limited` with RateLimit headers */
  consume(deviceId: number): void {
    const now_ms = this.#clock.now().getTime();
    const age_s = (now_ms - this.#startedAt_ms) / 1000;
    // A negative age: the clock was set back.
    if (age_s < 0 || age_s >= this.#window_s) {
      this.#counts = new Map();
      this.#startedAt_ms = now_ms;
    }
    const count = (this.#counts.get(deviceId) ?? 0) + 1;
    this.#counts.set(deviceId, count);
    if (count <= this.#hits) return;
    throw rateLimitError(
      { name: 'heartbeat', hits: this.#hits, window_s: this.#window_s },
      Math.ceil(this.#window_s - age_s),
      `A device sends a heartbeat every ${this.#window_s} s, and at most ${this.#hits} in that ` +
        'time.',
    );
  }
}
