/** The account console: signs in, then shows its pages. */
import { type ComponentProps, type ComponentType, lazy, Suspense, use, useEffect } from 'react';
import { Button } from '../components/button.tsx';
import { Heading } from '../components/heading.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { useWhenBack } from '../hooks/use-retry-when-online.ts';
import { loadConsoleTexts } from '../i18n/console-texts.ts';
import { addTexts, useTranslation } from '../i18n/index.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import type { Translate } from '../i18n/translate.ts';
import { finishSignIn, restartSession, startSession } from '../session/session.ts';
import { wasSignedInHere } from '../session/session-hint.ts';
import { useSession } from '../session/use-session.ts';
import { useBrand } from '../theme/brand.ts';
import classes from './console-app.module.css';
import { loadPart } from './load-part.ts';

const loadPages = () => loadPart(() => import('./signed-in.tsx'));

/** A part of the pages, or what stands in for it when they cannot be loaded. */
function lazyPart<P>(
  find: (pages: Awaited<ReturnType<typeof loadPages>>) => ComponentType<P>,
): ComponentType<P> {
  return lazy(async () => {
    try {
      return { default: find(await loadPages()) };
    } catch (error) {
      // A browser may keep it in mind that a file did not come: the document is loaded again.
      const reload = (): void => location.reload();
      return { default: () => <CouldNotStart error={error} onRetry={reload} /> };
    }
  });
}

const SignedIn = lazyPart(({ SignedIn: part }) => part);
const AnotherAccount = lazyPart(({ AnotherAccount: part }) => part);
const SignIn = lazy(async () => ({
  default: (await import('../sign-in/in-place-sign-in.tsx')).InPlaceSignIn,
}));

let texts: Promise<void> | undefined;
/** The texts of the pages; the sign-in has its own. */
function loadTexts(): Promise<void> {
  texts ??= addTexts(loadConsoleTexts);
  return texts;
}

/** Only ahead of time: what fails is loaded again when it is shown. */
function preloadPages(): void {
  loadTexts().catch(() => {
    texts = undefined;
  });
  loadPages()
    .then(({ preloadPage }) => preloadPage())
    .catch(() => undefined);
}

/**
 * Signs in silently, and loads the pages beside it where a user was signed in before. The sign-in
 * waits neither for them nor for their texts.
 */
export function prepareConsole(): void {
  void startSession();
  if (wasSignedInHere()) preloadPages();
}

/** The sign-in, and behind it the pages that come next. */
function FirstSignIn(props: ComponentProps<typeof SignIn>) {
  useEffect(preloadPages, []);
  return <SignIn {...props} />;
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

interface StoppedProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

function CouldNotStart({ error, onRetry }: StoppedProps) {
  const { t } = useTranslation('common');
  const textOf = useProblemText();
  const { name } = useBrand();
  useWhenBack(error, onRetry);
  return (
    <main className={classes.stopped}>
      <Heading>{name}</Heading>
      <p role="alert">{textOf(error)}</p>
      <Button onClick={onRetry}>{t('tryAgain')}</Button>
    </main>
  );
}

export function ConsoleApp() {
  return (
    <Suspense fallback={<Starting />}>
      <Session />
    </Suspense>
  );
}

/** Why the last session ended. */
function endText(t: Translate<'shell'>, reason: string | undefined): string {
  return reason === undefined ? '' : (t.find('shell', `ended.${reason}`) ?? t('ended.other'));
}

function Session() {
  const { t } = useTranslation('shell');
  const session = useSession();
  const isFirst = session.status === 'sign-in' && session.endReason === undefined;
  if (!isFirst && session.status !== 'starting') use(loadTexts());
  switch (session.status) {
    case 'starting':
      return <Starting />;
    case 'failed':
      return <CouldNotStart error={session.error} onRetry={() => void restartSession()} />;
    case 'sign-in':
      return (
        <FirstSignIn
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
