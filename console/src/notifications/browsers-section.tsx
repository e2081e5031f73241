/** Browsers that show notifications by themselves: this one on or off, and the others. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { DateTime } from '../components/date-time.tsx';
import { Icon } from '../components/icon.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { Switch } from '../components/segmented-control.tsx';
import { Text } from '../components/text.tsx';
import { useTranslation } from '../i18n/index.ts';
import { programText } from '../i18n/labels.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import classes from './notifications.module.css';
import { type Browsers, browsersQuery } from './queries.ts';
import { findObstacle, ownSubscription, turnOff, turnOn } from './this-browser.ts';

type Browser = Browsers['subscriptions'][number];

interface RowProps {
  readonly browser: Browser;
  readonly isOwn: boolean;
  /** The switch turns it off instead. */
  readonly hasSwitch: boolean;
  readonly onRemove: () => void;
}

function BrowserRow({ browser, isOwn, hasSwitch, onRemove }: RowProps) {
  const { t } = useTranslation('notifications');
  const program = programText(t, browser.user_agent) || t('push.unknown');
  return (
    <li className={classes.browser}>
      <span className={classes.icon}>
        <Icon name="device" />
      </span>
      <span className={classes.text}>
        <span className={classes.message}>{program}</span>
        <span className={classes.when}>
          {isOwn ? (
            <strong>{t('push.thisOne')}</strong>
          ) : (
            <DateTime iso={browser.created_at} isShort />
          )}
        </span>
        {browser.is_failing && <span className={classes.failing}>{t('push.failing')}</span>}
      </span>
      {!hasSwitch && (
        <Button
          variant="default"
          size="sm"
          aria-label={t('push.removeName', { program })}
          onClick={onRemove}
        >
          {t('push.remove')}
        </Button>
      )}
    </li>
  );
}

interface BrowserListProps {
  readonly browsers: Browsers;
}

function BrowserList({ browsers }: BrowserListProps) {
  const { t, language } = useTranslation('notifications');
  const client = useQueryClient();
  const textOf = useProblemText();
  const [failure, setFailure] = useState<'unreachable'>();
  const { subscriptions, application_server_key: key } = browsers;
  const own = ownSubscription();
  const isOn = subscriptions.some(({ id }) => id === own);
  const obstacle = findObstacle();
  const change = useMutation({
    mutationFn: async (action: () => Promise<void>) => {
      setFailure(undefined);
      await action();
    },
    onSettled: () => client.invalidateQueries({ queryKey: browsersQuery.queryKey }),
  });
  const setHere = (isWanted: boolean): void =>
    change.mutate(async () => {
      if (!isWanted) return own === undefined ? undefined : turnOff(own);
      if ((await turnOn(key, language)) === 'unreachable') setFailure('unreachable');
    });
  return (
    <>
      {obstacle === undefined ? (
        <Switch label={t('push.here')} isOn={isOn} isBusy={change.isPending} onChange={setHere} />
      ) : (
        <Text isSmall>{t(`push.${obstacle}`)}</Text>
      )}
      <Text role="alert" isFailure>
        {change.error ? textOf(change.error) : failure && t(`push.${failure}`)}
      </Text>
      {subscriptions.length > 0 && (
        <ul className={classes.browsers}>
          {subscriptions.map((browser) => (
            <BrowserRow
              key={browser.id}
              browser={browser}
              isOwn={browser.id === own}
              hasSwitch={browser.id === own && obstacle === undefined}
              onRemove={() => change.mutate(() => turnOff(browser.id))}
            />
          ))}
        </ul>
      )}
    </>
  );
}

export function BrowsersSection() {
  const { t } = useTranslation('notifications');
  return (
    <Section title={t('push.title')} lead={t('push.lead')} isWide>
      <QueryBoundary query={useQuery(browsersQuery)} skeleton={<SkeletonLines count={2} />}>
        {(browsers) => <BrowserList browsers={browsers} />}
      </QueryBoundary>
    </Section>
  );
}
