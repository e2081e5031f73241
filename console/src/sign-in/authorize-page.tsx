/** The authorization page: `GET /oauth2/authorize` sends every browser here with an `interaction_id`. */

import { useTranslation } from '../i18n/index.ts';
import { Text } from '../parts/text.tsx';
import { Entrance } from './entrance.tsx';
import classes from './sign-in.module.css';
import { SignInFlow } from './sign-in-flow.tsx';

export function AuthorizePage() {
  const { t } = useTranslation('signIn');
  const interactionId = new URLSearchParams(location.search).get('interaction_id') ?? '';
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
        <SignInFlow interactionId={interactionId} onLeave={(redirectTo) => location.assign(redirectTo)} />
      )}
    </Entrance>
  );
}
