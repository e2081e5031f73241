/** The messages of a webhook by their state: given up, waiting, delivered. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DateTime } from '../../components/date-time.tsx';
import { Failure } from '../../components/form.tsx';
import { QueryBoundary, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Segments } from '../../components/segmented-control.tsx';
import { Text } from '../../components/text.tsx';
import { showToast } from '../../components/toaster.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import classes from '../operator.module.css';
import person from '../person/person.module.css';
import { useOperation } from '../use-operator-mutation.ts';
import { answerText, DeliverySheet } from './delivery-sheet.tsx';
import {
  type Delivery,
  type DeliveryState,
  deliveriesQuery,
  fetchWebhook,
  redeliver,
  redeliverDead,
  type Webhook,
} from './queries.ts';

/** What needs help first. */
const STATES = ['dead', 'pending', 'delivered'] as const satisfies readonly DeliveryState[];

interface ItemProps {
  readonly delivery: Delivery;
  /** Absent where it is not sent: while the webhook is off, what waits waits on. */
  readonly sendLabel: string | undefined;
  readonly isBusy: boolean;
  readonly onOpen: () => void;
  readonly onSend: () => void;
}

function DeliveryItem({ delivery, sendLabel, isBusy, onOpen, onSend }: ItemProps) {
  const { t } = useTranslation('operator');
  const { id, type, created_at: queued } = delivery;
  const answer = answerText(t, delivery);
  return (
    <li className={classes.item}>
      <span className={classes.text}>
        <button
          type="button"
          className={person.open}
          aria-label={t('webhooks.openMessage', { id, type })}
          onClick={onOpen}
        >
          {type}
        </button>
        <span className={classes.small}>
          <DateTime iso={queued} isShort />
          {answer !== '' && ` · ${answer}`}
        </span>
      </span>
      {sendLabel !== undefined && (
        <ChangeButton
          scope="operator:webhooks"
          variant="default"
          size="xs"
          isBusy={isBusy}
          onClick={onSend}
        >
          {sendLabel}
        </ChangeButton>
      )}
    </li>
  );
}

/** Every message that was given up in the last 30 days. */
function SendAllAgain({ webhookId }: { readonly webhookId: number }) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const sendAll = async (): Promise<void> => {
    const { queued } = await redeliverDead(webhookId);
    const { active } = await fetchWebhook(webhookId);
    showToast(t(active ? 'webhooks.queued' : 'webhooks.queuedWaits', { count: queued }));
  };
  return (
    <>
      <ChangeButton
        scope="operator:webhooks"
        variant="default"
        isBusy={operation.isPending}
        onClick={() => operation.run(sendAll)}
      >
        {t('webhooks.redeliver')}
      </ChangeButton>
      <Failure>{operation.message}</Failure>
    </>
  );
}

interface ListProps {
  readonly webhook: Webhook;
  readonly state: DeliveryState;
}

function NoDelivery({ webhook, state }: ListProps) {
  const { t } = useTranslation('operator');
  const isDone = webhook.pending + webhook.dead === 0;
  const dead = isDone ? 'webhooks.noDead' : 'webhooks.noDeadYet';
  return (
    <Text isSmall isDimmed>
      {t(state === 'dead' ? dead : `webhooks.noneOf.${state}`)}
    </Text>
  );
}

function DeliveryList({ webhook, state }: ListProps) {
  const { t } = useTranslation('operator');
  const found = useInfiniteQuery(deliveriesQuery(webhook.id, state));
  const operation = useOperation();
  const [openedId, setOpened] = useState<number>();
  const list = found.data?.pages.flatMap(({ records }) => records) ?? [];
  const opened = list.find(({ id }) => id === openedId);
  const waits = webhook.active ? t('webhooks.sendNow') : undefined;
  return (
    <QueryBoundary query={found} skeleton={<SkeletonLines count={2} />}>
      {() =>
        list.length === 0 ? (
          <NoDelivery webhook={webhook} state={state} />
        ) : (
          <>
            <ul className={classes.list} aria-label={t(`webhooks.states.${state}`)}>
              {list.map((delivery) => (
                <DeliveryItem
                  key={delivery.id}
                  delivery={delivery}
                  sendLabel={state === 'pending' ? waits : t('webhooks.redeliverOne')}
                  isBusy={operation.isPending}
                  onOpen={() => setOpened(delivery.id)}
                  onSend={() => operation.run(() => redeliver(webhook.id, delivery.id))}
                />
              ))}
            </ul>
            <Failure>{operation.message}</Failure>
            <div className={classes.buttons}>
              {found.hasNextPage && <MoreButton query={found} label={t('payouts.more')} />}
              {state === 'dead' && <SendAllAgain webhookId={webhook.id} />}
            </div>
            {opened && (
              <DeliverySheet
                webhookId={webhook.id}
                delivery={opened}
                onClose={() => setOpened(undefined)}
              />
            )}
          </>
        )
      }
    </QueryBoundary>
  );
}

/** The first state, in the order of the tabs, of which there is something to see. */
function firstShown({ dead, pending }: Webhook): DeliveryState {
  if (dead > 0) return 'dead';
  return pending > 0 ? 'pending' : 'delivered';
}

export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('operator');
  const [state, setState] = useState<DeliveryState>(() => firstShown(webhook));
  return (
    <section aria-label={t('webhooks.deliveries')}>
      <h2 className={classes.part}>{t('webhooks.deliveries')}</h2>
      {!webhook.active && webhook.pending > 0 && (
        <Text isFailure>{t('webhooks.waiting', { count: webhook.pending })}</Text>
      )}
      <div className={classes.choice}>
        <Segments
          label={t('webhooks.deliveries')}
          value={state}
          options={STATES.map((value) => ({ value, label: t(`webhooks.states.${value}`) }))}
          onChange={setState}
        />
      </div>
      <DeliveryList key={state} webhook={webhook} state={state} />
    </section>
  );
}
