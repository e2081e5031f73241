/** The authorization page: `GET /oauth2/authorize` sends every browser here with an `interaction_id`. */
import { Anchor, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readConsent } from './api.ts';
import { Entrance } from './entrance.tsx';
import classes from './sign-in.module.css';
import { SignInFlow } from './sign-in-flow.tsx';

/** The name of the application that asks, as far as it is told before signing in. */
function useClientName(interactionId: string): string {
  const [name, setName] = useState('');
  useEffect(() => {
    let isCurrent = true;
    readConsent(interactionId).then(
      (request) => isCurrent && request.client_id !== 'edge-console' && setName(request.client_name),
      // Only a nicety: without it the title says "Sign in".
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [interactionId]);
  return name;
}

function Authorization({ interactionId }: { readonly interactionId: string }) {
  const clientName = useClientName(interactionId);
  return <SignInFlow interactionId={interactionId} clientName={clientName} onLeave={(redirectTo) => location.assign(redirectTo)} />;
}

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
        <Authorization interactionId={interactionId} />
      )}
    </Entrance>
  );
}
