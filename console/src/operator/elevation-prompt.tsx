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
import {
  onElevationChange,
  readElevation,
  requestElevation,
  resolveElevation,
} from './elevation.ts';
import classes from './operator.module.css';

interface RenewalProps {
  /** Operator pages are open: they have expired, and are not only asked for. */
  readonly isRenewal: boolean;
}

/** The sign-in in a sheet above the page, whose input is kept. */
function RenewalSheet({ isRenewal }: RenewalProps) {
  const { t } = useTranslation('operator');
  const textOf = useProblemText();
  const client = useQueryClient();
  const me = useMe();
  const [renewal, setRenewal] = useState<Renewal>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    // The steps of the sign-in set the title.
    const { title } = document;
    beginRenewal().then(setRenewal, setFailure);
    return () => {
      document.title = title;
    };
  }, []);
  const finish = async (redirectTo: string): Promise<void> => {
    if (!renewal) return;
    await finishRenewal(redirectTo, renewal.flow);
    resolveElevation(true);
    await client.invalidateQueries({ queryKey: ['operator'] });
  };
  return (
    <Sheet
      title={t('confirm')}
      onClose={() => readElevation() === 'asking' && resolveElevation(false)}
    >
      <Failure>{failure !== undefined && textOf(failure)}</Failure>
      {renewal && me.data ? (
        <SignInFlow
          interactionId={renewal.interactionId}
          renewing={me.data.email}
          notice={t(isRenewal ? 'rightOver' : 'confirmFirst')}
          onLeave={finish}
        />
      ) : (
        failure === undefined && <SkeletonLines count={3} />
      )}
    </Sheet>
  );
}

interface Props {
  /** Operator pages are open. Without it only the sign-in is shown: the page asks for it itself. */
  readonly hasNotice: boolean;
}

/** A notice that operator scopes have expired; a sign-in where a change waits for them. */
export function ElevationPrompt({ hasNotice }: Props) {
  const { t } = useTranslation('operator');
  const elevation = useSyncExternalStore(onElevationChange, readElevation);
  if (elevation === 'asking') return <RenewalSheet isRenewal={hasNotice} />;
  if (elevation === 'held' || !hasNotice) return null;
  return (
    <div role="status" className={classes.over}>
      <Text isSmall>{t('rightOver')}</Text>
      <Button size="sm" onClick={() => void requestElevation().catch(() => undefined)}>
        {t('confirm')}
      </Button>
    </div>
  );
}
