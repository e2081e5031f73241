import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { Sheet } from '../components/sheet.tsx';
import { useTranslation } from '../i18n/index.ts';
import { deliveryText } from '../i18n/message-code-text.ts';
import { ChangeButton } from './allows.tsx';
import classes from './operator.module.css';
import { type Webhook, webhooksQuery } from './queries.ts';
import { WebhookForm, WebhookSheet } from './webhook-sheet.tsx';

function WebhookItem({
  webhook,
  onOpen,
}: {
  readonly webhook: Webhook;
  readonly onOpen: () => void;
}) {
  const { t } = useTranslation('operator');
  return (
    <li className={classes.item}>
      <span className={classes.text}>
        <strong>{webhook.description || webhook.url}</strong>
        <span className={classes.small}>{webhook.url}</span>
        <span className={classes.small}>
          {t(webhook.active ? 'webhooks.on' : 'webhooks.off')} ·{' '}
          {t('webhooks.pending', { count: webhook.pending })} ·{' '}
          {t('webhooks.dead', { count: webhook.dead })}
        </span>
        {!webhook.active && (
          <span className={classes.failure}>
            {deliveryText(
              t,
              webhook.disabled_reason ?? '',
              webhook.disabled_reason_code,
              webhook.disabled_reason_values,
            )}
          </span>
        )}
      </span>
      <Button variant="default" size="xs" onClick={onOpen}>
        {t('webhooks.open')}
      </Button>
    </li>
  );
}

/** Where events are sent, and what could not be delivered. */
export function WebhooksSection() {
  const { t } = useTranslation('operator');
  const webhooks = useQuery(webhooksQuery);
  const [opened, setOpened] = useState<number | 'new'>();
  const close = (): void => setOpened(undefined);
  const shown = webhooks.data?.find(({ id }) => id === opened);
  return (
    <Section
      title={t('view.webhooks')}
      actions={
        <ChangeButton
          scope="operator:webhooks"
          size="sm"
          icon="plus"
          onClick={() => setOpened('new')}
        >
          {t('webhooks.add')}
        </ChangeButton>
      }
    >
      <QueryBoundary query={webhooks} skeleton={<SkeletonLines count={2} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="external" title={t('webhooks.none')}>
              {t('webhooks.noneLead')}
            </EmptyState>
          ) : (
            <ul className={classes.list}>
              {list.map((webhook) => (
                <WebhookItem
                  key={webhook.id}
                  webhook={webhook}
                  onOpen={() => setOpened(webhook.id)}
                />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      {opened === 'new' && (
        <Sheet title={t('webhooks.add')} onClose={close}>
          <WebhookForm onSaved={close} />
        </Sheet>
      )}
      {shown && <WebhookSheet webhook={shown} onClose={close} />}
    </Section>
  );
}
