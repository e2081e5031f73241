import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useMe } from '../api/me.ts';
import { Button } from '../components/button.tsx';
import { Failure } from '../components/form.tsx';
import { SkeletonLines } from '../components/layout.tsx';
import { Sheet } from '../components/sheet.tsx';
import { Text } from '../components/text.tsx';
import { useTranslation } from '../i18n/index.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import { beginRenewal, finishRenewal, type Renewal } from '../session/session.ts';
import { SignInFlow } from '../sign-in/sign-in-flow.tsx';
import { onRightChange, readRight, requestElevation, settleRight } from './elevation.ts';
import classes from './operator.module.css';

/** The sign-in above the page: what is written there stays. */
function RenewalSheet() {
  const { t } = useTranslation('operator');
  const textOf = useProblemText();
  const client = useQueryClient();
  const me = useMe();
  const [renewal, setRenewal] = useState<Renewal>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    // The steps of the sign-in name the window after themselves.
    const { title } = document;
    beginRenewal().then(setRenewal, setFailure);
    return () => {
      document.title = title;
    };
  }, []);
  const finish = async (redirectTo: string): Promise<void> => {
    if (!renewal) return;
    await finishRenewal(redirectTo, renewal.flow);
    settleRight(true);
    await client.invalidateQueries({ queryKey: ['operator'] });
  };
  return (
    <Sheet title={t('confirm')} onClose={() => readRight() === 'asking' && settleRight(false)}>
      <Failure>{failure !== undefined && textOf(failure)}</Failure>
      {renewal && me.data ? (
        <SignInFlow
          interactionId={renewal.interactionId}
          renewing={me.data.email}
          notice={t('rightOver')}
          onLeave={finish}
        />
      ) : (
        failure === undefined && <SkeletonLines count={3} />
      )}
    </Sheet>
  );
}

/** Says that the right is over, and asks for it where something waits. */
export function RightRenewal() {
  const { t } = useTranslation('operator');
  const right = useSyncExternalStore(onRightChange, readRight);
  if (right === 'asking') return <RenewalSheet />;
  if (right === 'held') return null;
  return (
    <div role="status" className={classes.over}>
      <Text isSmall>{t('rightOver')}</Text>
      <Button size="sm" onClick={() => void requestElevation().catch(() => undefined)}>
        {t('confirm')}
      </Button>
    </div>
  );
}
