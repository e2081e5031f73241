/** One message to a webhook: what is posted, and what the receiver answered last. */
import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { QueryBoundary, SkeletonLines } from '../../components/layout.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { deliveryText } from '../../i18n/message-code-text.ts';
import type { Translate } from '../../i18n/translate.ts';
import { indentJson } from '../../lib/indent-json.ts';
import classes from '../operator.module.css';
import { type Delivery, deliveryQuery } from './queries.ts';

/** The last answer in words; empty before the first attempt. */
export function answerText(t: Translate<'operator'>, delivery: Delivery): string {
  const { last_error: error, last_error_code: code, last_error_values: values } = delivery;
  if (error !== undefined) return deliveryText(t, error, code, values);
  const { last_status: status } = delivery;
  return status === undefined ? '' : t('webhooks.error.answered', { status });
}

interface Props {
  readonly webhookId: number;
  readonly delivery: Delivery;
  readonly onClose: () => void;
}

export function DeliverySheet({ webhookId, delivery, onClose }: Props) {
  const { t } = useTranslation('operator');
  const found = useQuery(deliveryQuery(webhookId, delivery.id));
  const { next_attempt_at: next, delivered_at: delivered } = delivery;
  return (
    <Sheet title={t('webhooks.message', { id: delivery.id })} onClose={onClose}>
      <Facts
        facts={[
          [t('webhooks.type'), <code key="type">{delivery.type}</code>],
          [t('person.state'), t(`webhooks.states.${delivery.state}`)],
          [t('webhooks.attempts'), String(delivery.attempts)],
          [t('webhooks.lastAnswer'), answerText(t, delivery)],
          [t('webhooks.queuedAt'), <DateTime key="queued" iso={delivery.created_at} />],
          [t('webhooks.nextAttempt'), next !== undefined && <DateTime key="next" iso={next} />],
          [
            t('webhooks.deliveredAt'),
            delivered !== undefined && <DateTime key="delivered" iso={delivered} />,
          ],
        ]}
      />
      <h2 className={classes.part}>{t('webhooks.body')}</h2>
      <QueryBoundary query={found} skeleton={<SkeletonLines count={3} />}>
        {({ body }) => (
          <>
            <pre className={classes.body}>{indentJson(body)}</pre>
            <CopyButton text={body} label={t('webhooks.copyBody')} />
          </>
        )}
      </QueryBoundary>
    </Sheet>
  );
}
