/** Waits between attempts: doubled each time, with random jitter so that clients spread out. */

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

export interface Backoff {
  /** Milliseconds to wait now; at least the service's `Retry-After`. */
  next(retryAfter_s?: number): number;
  reset(): void;
}

export function createBackoff(
  random: () => number = Math.random,
  waitMax_ms = LONGEST_MS,
): Backoff {
  let ceiling_ms = FIRST_MS;
  return {
    next(retryAfter_s = 0) {
      const wait_ms = ceiling_ms / 2 + (random() * ceiling_ms) / 2;
      ceiling_ms = Math.min(waitMax_ms, ceiling_ms * 2);
      return Math.max(wait_ms, retryAfter_s * 1000 * (1 + random() / 4));
    },
    reset() {
      ceiling_ms = FIRST_MS;
    },
  };
}

/** Resolves after a time, or at once when the signal aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}
