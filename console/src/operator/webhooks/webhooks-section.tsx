import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import table from '../dense-table.module.css';
import { DenseTable, RowOpener } from '../dense-table.tsx';
import rows from '../rows.module.css';
import { DisabledReason } from './disabled-reason.tsx';
import { type Webhook, webhooksQuery } from './queries.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookSheet } from './webhook-sheet.tsx';

function WebhookRow({
  webhook,
  onOpen,
}: {
  readonly webhook: Webhook;
  readonly onOpen: () => void;
}) {
  const { t } = useTranslation('operator');
  const name = webhook.description || webhook.url;
  return (
    <tr>
      <td className={rows.main}>
        <RowOpener label={t('webhooks.openName', { name })} onOpen={onOpen}>
          {name}
        </RowOpener>
        <span className={`${table.small} ${rows.line}`}>{webhook.url}</span>
      </td>
      <td className={rows.state}>
        {t(webhook.active ? 'webhooks.on' : 'webhooks.off')}
        {!webhook.active && (
          <span className={`${table.small} ${rows.failure}`}>
            <DisabledReason webhook={webhook} />
          </span>
        )}
      </td>
      <td className={rows.half}>{t('webhooks.pending', { count: webhook.pending })}</td>
      <td className={rows.half}>{t('webhooks.dead', { count: webhook.dead })}</td>
    </tr>
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
            <DenseTable
              label={t('view.webhooks')}
              columns={[
                { key: 'name', label: t('webhooks.description'), className: rows.main },
                { key: 'state', label: t('person.state'), className: rows.state },
                { key: 'pending', label: t('overview.waiting'), className: rows.half },
                { key: 'dead', label: t('webhooks.deadTitle'), className: rows.half },
              ]}
            >
              {list.map((webhook) => (
                <WebhookRow
                  key={webhook.id}
                  webhook={webhook}
                  onOpen={() => setOpened(webhook.id)}
                />
              ))}
            </DenseTable>
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
