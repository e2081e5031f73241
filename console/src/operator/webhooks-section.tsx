import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../i18n/index.ts';
import { Button } from '../parts/button.tsx';
import { Empty, Loaded, Section, SkeletonLines } from '../parts/layout.tsx';
import { useSubmission } from '../parts/submission.ts';
import { showToast } from '../parts/toaster.tsx';
import classes from './operator.module.css';
import { redeliverDead, type Webhook, webhooksQuery } from './queries.ts';

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('operator');
  const client = useQueryClient();
  const submission = useSubmission();
  const redeliver = (): void =>
    submission.submit(async () => {
      const { queued } = await redeliverDead(webhook.id);
      showToast(t('webhooks.queued', { count: queued }));
      await client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    });
  return (
    <li className={classes.item}>
      <span className={classes.text}>
        <strong>{webhook.description || webhook.url}</strong>
        <span className={classes.small}>{webhook.url}</span>
        <span className={classes.small}>
          {webhook.active ? t('webhooks.on') : (webhook.disabled_reason ?? t('webhooks.off'))} · {t('webhooks.pending', { count: webhook.pending })} ·{' '}
          {t('webhooks.dead', { count: webhook.dead })}
        </span>
        <span role="alert" className={classes.failure}>
          {submission.message}
        </span>
      </span>
      {webhook.dead > 0 && (
        <Button variant="default" size="xs" isBusy={submission.isPending} onClick={redeliver}>
          {t('webhooks.redeliver')}
        </Button>
      )}
    </li>
  );
}

/** Where events are sent, and what could not be delivered. */
export function WebhooksSection() {
  const { t } = useTranslation('operator');
  const webhooks = useQuery(webhooksQuery);
  return (
    <Section title={t('view.webhooks')}>
      <Loaded query={webhooks} skeleton={<SkeletonLines count={2} />}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="external" title={t('webhooks.none')}>
              {t('webhooks.noneLead')}
            </Empty>
          ) : (
            <ul className={classes.list}>
              {list.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
