/** The authorization page: `GET /oauth2/authorize` sends every browser here with an `interaction_id`. */
import { Anchor, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
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
          <Title order={1} className={classes.title}>
            {t('title')}
          </Title>
          <Text className={classes.lead}>{t('missingInteraction')}</Text>
          <div className={classes.footer}>
            <Anchor href="/">{t('goHome')}</Anchor>
          </div>
        </>
      ) : (
        <SignInFlow interactionId={interactionId} onLeave={(redirectTo) => location.assign(redirectTo)} />
      )}
    </Entrance>
  );
}
