/** Waits between tries: doubled each time, spread at random so that a network does not come back all at once. */

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

export interface Backoff {
  /** Milliseconds to wait now; never less than the service asked for. */
  next(retryAfter_s?: number): number;
  reset(): void;
}

export function createBackoff(random: () => number = Math.random): Backoff {
  let ceiling_ms = FIRST_MS;
  return {
    next(retryAfter_s = 0) {
      const wait_ms = ceiling_ms / 2 + (random() * ceiling_ms) / 2;
      ceiling_ms = Math.min(LONGEST_MS, ceiling_ms * 2);
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
