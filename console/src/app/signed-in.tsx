/** The pages of a user: loaded once a user is signed in. */
import { EdgeError } from '@edge-account/sdk';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useLayoutEffect, useState } from 'react';
import { router } from './router.tsx';

export { AnotherAccount } from './account-switched.tsx';

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

function createQueryClient(): QueryClient {
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

/** Loads the page's own part. Only ahead of time: the router loads it again if this fails. */
export async function preloadPage(): Promise<void> {
  await router.preloadRoute({ to: location.pathname });
}

/** The pages of one user. Their cached data is dropped with them. */
export function SignedIn() {
  const [client] = useState(createQueryClient);
  // A sign-out unmounts the router while it loads another address. That load never ends, and would
  // keep the router at the page of the user before.
  useLayoutEffect(() => void router.load(), []);
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
