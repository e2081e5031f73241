/** The pages of a user: loaded once a user is signed in. */
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useLayoutEffect, useState } from 'react';
import { keepQueries, readQueries } from '../events/live-queries.ts';
import { router } from './router.tsx';

export { AnotherAccount } from './account-switched.tsx';

/** Loads the page's own part. Only ahead of time: the router loads it again if this fails. */
export async function preloadPage(): Promise<void> {
  await router.preloadRoute({ to: location.pathname });
}

keepQueries();

/** The pages of one user. Their cached data is dropped with them. */
export function SignedIn() {
  const [client] = useState(readQueries);
  // A sign-out unmounts the router while it loads another address. That load never ends, and would
  // keep the router at the page of the user before.
  useLayoutEffect(() => void router.load(), []);
  // The session has ended while they were rendered.
  if (!client) return null;
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
