/** The account console: signs in, then shows its pages. */

import { EdgeError } from '@edge-account/sdk';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, use, useLayoutEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Heading } from '../components/heading.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { useWhenBack } from '../hooks/use-retry-when-online.ts';
import { loadConsoleTexts } from '../i18n/console-texts.ts';
import { addTexts, useTranslation } from '../i18n/index.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import type { Translate } from '../i18n/translate.ts';
import { finishSignIn, restartSession, startSession } from '../session/session.ts';
import { useSession } from '../session/use-session.ts';
import { useBrand } from '../theme/brand.ts';
import { AnotherAccount } from './account-switched.tsx';
import classes from './console-app.module.css';
import { router } from './router.tsx';

const SignIn = lazy(async () => ({
  default: (await import('../sign-in/in-place-sign-in.tsx')).InPlaceSignIn,
}));

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

/** Signs in silently, and loads the texts and the page's own part, side by side. */
export async function prepareConsole(): Promise<void> {
  void startSession();
  // Only ahead of time: the router loads the page again if this fails.
  void router.preloadRoute({ to: location.pathname }).catch(() => undefined);
  await addTexts(loadConsoleTexts);
}

function Starting() {
  const { t } = useTranslation('common');
  return (
    <div className={classes.starting} role="status" aria-label={t('loading')}>
      <Skeleton height={28} width={180} />
      <Skeleton height={150} />
      <Skeleton height={220} />
    </div>
  );
}

function CouldNotStart({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('common');
  const textOf = useProblemText();
  const { name } = useBrand();
  const restart = (): void => void restartSession();
  useWhenBack(error, restart);
  return (
    <main className={classes.stopped}>
      <Heading>{name}</Heading>
      <p role="alert">{textOf(error)}</p>
      <Button onClick={restart}>{t('tryAgain')}</Button>
    </main>
  );
}

interface ConsoleAppProps {
  /** Fulfilled when the console's texts are there. */
  readonly ready: Promise<void>;
}

export function ConsoleApp({ ready }: ConsoleAppProps) {
  return (
    <Suspense fallback={<Starting />}>
      <Session ready={ready} />
    </Suspense>
  );
}

/** Why the last session ended. */
function endText(t: Translate<'shell'>, reason: string | undefined): string {
  return reason === undefined ? '' : (t.find('shell', `ended.${reason}`) ?? t('ended.other'));
}

function Session({ ready }: ConsoleAppProps) {
  use(ready);
  const { t } = useTranslation('shell');
  const session = useSession();
  switch (session.status) {
    case 'starting':
      return <Starting />;
    case 'failed':
      return <CouldNotStart error={session.error} />;
    case 'sign-in':
      return (
        <SignIn
          key={session.interactionId}
          interactionId={session.interactionId}
          notice={endText(t, session.endReason)}
          referralCode={new URLSearchParams(location.search).get('ref') ?? ''}
          onLeave={(redirectTo) => finishSignIn(redirectTo, session.flow)}
          onRestart={() => void restartSession()}
        />
      );
    case 'replaced':
      return <AnotherAccount email={session.email} />;
    case 'signed-in':
      return <SignedIn key={session.tokens.subject} />;
  }
}

/** The pages of one user. Their cached data is dropped with them. */
function SignedIn() {
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
