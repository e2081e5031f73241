/**
 * How many connections an address may try to open on this instance. The limit keeps a storm of
 * attempts away from the database, so it is held in memory.
 */
import { rateLimitError } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';

/**
 * All devices of a household connect together after an outage: attempts of so many seconds pass.
 */
const BURST_S = 10;
const BUCKETS_MAX = 10_000;

interface Bucket {
  tokens: number;
  filledAt_ms: number;
}

export class ConnectAttempts {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#burst = perSecond * BURST_S;
  }

  /** Counts an attempt. @throws `rate_limited` */
  consume(address: string): void {
    const now_ms = this.#clock.now().getTime();
    if (this.#buckets.size >= BUCKETS_MAX) this.#deleteFull(now_ms);
    const bucket = this.#buckets.get(address) ?? { tokens: this.#burst, filledAt_ms: now_ms };
    this.#buckets.set(address, bucket);
    this.#refill(bucket, now_ms);
    if (bucket.tokens < 1)
      throw rateLimitError(
        { name: 'connect', hits: this.#burst, window_s: BURST_S },
        1 + Math.floor(1 / this.#perSecond),
        'Too many connection attempts from your network address.',
      );
    bucket.tokens -= 1;
  }

  #refill(bucket: Bucket, now_ms: number): void {
    const gained = (Math.max(0, now_ms - bucket.filledAt_ms) * this.#perSecond) / 1000;
    bucket.tokens = Math.min(this.#burst, bucket.tokens + gained);
    bucket.filledAt_ms = now_ms;
  }

  #deleteFull(now_ms: number): void {
    for (const [address, bucket] of this.#buckets) {
      this.#refill(bucket, now_ms);
      if (bucket.tokens >= this.#burst) this.#buckets.delete(address);
    }
  }
}
