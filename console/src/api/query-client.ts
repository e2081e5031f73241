/** How the pages ask, and when again. */
import { EdgeError } from '@edge-account/sdk';
import { QueryClient } from '@tanstack/react-query';

const STALE_MS = 15_000;
const RETRIES_MAX = 2;
const RETRY_BASE_MS = 1000;
/** A longer wait is shown as a problem. */
const WAIT_MAX_S = 5;

/** A refusal is final; an unreachable service may come back. */
function isWorthRetrying(count: number, error: Error): boolean {
  return (
    count < RETRIES_MAX &&
    error instanceof EdgeError &&
    (error.status === 0 || error.status >= 500) &&
    (error.retryAfter_s ?? 0) <= WAIT_MAX_S
  );
}

function retryDelay_ms(count: number, error: Error): number {
  return Math.max(
    RETRY_BASE_MS * 2 ** count,
    error instanceof EdgeError ? (error.retryAfter_s ?? 0) * 1000 : 0,
  );
}

/** The answers that the pages of one user have. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        // The event stream reconnects first, and invalidates all queries.
        refetchOnReconnect: false,
        retry: isWorthRetrying,
        retryDelay: retryDelay_ms,
        // A component that mounts after a failure shows the failure.
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > STALE_MS,
      },
    },
  });
}
