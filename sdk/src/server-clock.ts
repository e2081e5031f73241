/**
 * The service's clock. Its offset from the local clock is learned from responses, so that a wrong
 * local clock does not invalidate proofs or token lifetimes.
 */
export interface ServerClock {
  now_ms(): number;
  /** Reads the `Date` header of a response. */
  learn(response: Response): void;
}

/** A `Date` header has whole seconds and network delay: smaller differences are noise. */
const OFFSET_MIN_MS = 2000;

export function createServerClock(): ServerClock {
  let offset_ms = 0;
  return {
    now_ms: () => Date.now() + offset_ms,
    learn(response) {
      const date_ms = Date.parse(response.headers.get('date') ?? '');
      if (Number.isNaN(date_ms)) return;
      const difference_ms = date_ms - Date.now();
      offset_ms = Math.abs(difference_ms) < OFFSET_MIN_MS ? 0 : difference_ms;
    },
  };
}
