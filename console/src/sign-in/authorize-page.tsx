/**
 * The authorization page: `GET /oauth2/authorize` sends every browser here with an
 * `interaction_id`.
 */

import { useEffect, useState } from 'react';
import { Skeleton } from '../components/skeleton.tsx';
import { useTranslation } from '../i18n/index.ts';
import { wasSignedInHere } from '../session/session-hint.ts';
import { type ExistingSession, findExistingSession } from './find-existing-session.ts';
import { RequestOver } from './request-expired.tsx';
import classes from './sign-in.module.css';
import { SignInFlow } from './sign-in-flow.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { readUpstreamReturn, type UpstreamReturn } from './upstream.ts';
import { useRequestOver } from './use-request-expired.ts';

/** The application asks for a new account (Initiating User Registration via OpenID Connect). */
function readIsNew(): boolean {
  const prompt = new URLSearchParams(location.search).get('prompt') ?? '';
  return prompt.split(' ').includes('create');
}

/** The address that the application expects the user to sign in with. */
function readLoginHint(): string {
  return new URLSearchParams(location.search).get('login_hint') ?? '';
}

function Loading() {
  const { t } = useTranslation('signIn');
  return (
    <div className={classes.skeletons} role="status" aria-label={t('common:loading')}>
      <Skeleton height={34} width="70%" />
      <Skeleton height={44} />
      <Skeleton height={180} />
    </div>
  );
}

export function AuthorizePage() {
  const [upstream] = useState(readUpstreamReturn);
  return (
    <SignInLayout>
      {upstream === 'leaving' ? <Loading /> : <Authorization upstream={upstream} />}
    </SignInLayout>
  );
}

function Authorization({ upstream }: { readonly upstream: UpstreamReturn | undefined }) {
  const { t } = useTranslation('signIn');
  const interactionId =
    upstream?.interactionId ?? new URLSearchParams(location.search).get('interaction_id') ?? '';
  const [loginHint] = useState(readLoginHint);
  const [isLeaving, setLeaving] = useState(false);
  const [isOver, end] = useRequestOver(interactionId, isLeaving);
  const [known, setKnown] = useState<ExistingSession>();
  const [isNew] = useState(readIsNew);
  const [mayBeKnown] = useState(() => !isNew && !upstream && wasSignedInHere());
  const [isLooking, setLooking] = useState(mayBeKnown);
  useEffect(() => {
    if (interactionId === '' || isNew || upstream) return;
    let isGone = false;
    void findExistingSession(interactionId, !mayBeKnown).then((found) => {
      if (isGone) return;
      setKnown(found);
      setLooking(false);
    });
    return () => {
      isGone = true;
    };
  }, [interactionId, isNew, mayBeKnown, upstream]);
  const leave = (redirectTo: string): void => {
    setLeaving(true);
    location.replace(redirectTo);
  };
  if (interactionId === '')
    return <RequestOver title={t('title')}>{t('missingInteraction')}</RequestOver>;
  if (isOver) return <RequestOver title={t('overTitle')}>{t('overLead')}</RequestOver>;
  if (isLooking) return <Loading />;
  return (
    <SignInFlow
      key={known ? 'known' : 'unknown'}
      interactionId={interactionId}
      known={known}
      loginHint={loginHint}
      isNew={isNew}
      {...(upstream &&
        (upstream.callback
          ? { callback: upstream.callback }
          : { failure: t('upstream.cancelled') }))}
      referralCode={upstream?.referralCode ?? ''}
      onLeave={leave}
      onOver={end}
    />
  );
}
