/** The authorization page: `GET /oauth2/authorize` sends every browser here with an `interaction_id`. */

import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { Heading } from '../parts/heading.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Text } from '../parts/text.tsx';
import { wasSignedInHere } from '../session/signed-in-here.ts';
import { Entrance } from './entrance.tsx';
import { findKnown, type Known } from './find-known.ts';
import classes from './sign-in.module.css';
import { SignInFlow } from './sign-in-flow.tsx';

export function AuthorizePage() {
  const { t } = useTranslation('signIn');
  const interactionId = new URLSearchParams(location.search).get('interaction_id') ?? '';
  const [known, setKnown] = useState<Known>();
  const [mayBeKnown] = useState(wasSignedInHere);
  const [isLooking, setLooking] = useState(mayBeKnown);
  useEffect(() => {
    if (interactionId === '') return;
    let isGone = false;
    void findKnown(interactionId, !mayBeKnown).then((found) => {
      if (isGone) return;
      setKnown(found);
      setLooking(false);
    });
    return () => {
      isGone = true;
    };
  }, [interactionId, mayBeKnown]);
  return (
    <Entrance>
      {interactionId === '' ? (
        <>
          <Heading className={classes.title}>{t('title')}</Heading>
          <Text className={classes.lead}>{t('missingInteraction')}</Text>
          <div className={classes.footer}>
            <a href="/">{t('goHome')}</a>
          </div>
        </>
      ) : isLooking ? (
        <div className={classes.skeletons} role="status" aria-label={t('common:loading')}>
          <Skeleton height={34} width="70%" />
          <Skeleton height={44} />
          <Skeleton height={180} />
        </div>
      ) : (
        <SignInFlow key={known ? 'known' : 'unknown'} interactionId={interactionId} known={known} onLeave={(redirectTo) => location.replace(redirectTo)} />
      )}
    </Entrance>
  );
}
