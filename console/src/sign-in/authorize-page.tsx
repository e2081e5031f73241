/** The authorization page: `GET /oauth2/authorize` sends every browser here with an `interaction_id`. */

import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { Text } from '../parts/text.tsx';
import { Entrance } from './entrance.tsx';
import { findKnown, type Known } from './find-known.ts';
import classes from './sign-in.module.css';
import { SignInFlow } from './sign-in-flow.tsx';

export function AuthorizePage() {
  const { t } = useTranslation('signIn');
  const interactionId = new URLSearchParams(location.search).get('interaction_id') ?? '';
  const [known, setKnown] = useState<Known>();
  useEffect(() => {
    let isGone = false;
    if (interactionId !== '') void findKnown(interactionId).then((found) => isGone || setKnown(found));
    return () => {
      isGone = true;
    };
  }, [interactionId]);
  return (
    <Entrance>
      {interactionId === '' ? (
        <>
          <h1 className={classes.title}>{t('title')}</h1>
          <Text className={classes.lead}>{t('missingInteraction')}</Text>
          <div className={classes.footer}>
            <a href="/">{t('goHome')}</a>
          </div>
        </>
      ) : (
        <SignInFlow key={known ? 'known' : 'unknown'} interactionId={interactionId} known={known} onLeave={(redirectTo) => location.assign(redirectTo)} />
      )}
    </Entrance>
  );
}
