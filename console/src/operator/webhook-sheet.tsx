import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DateTime } from '../components/date-time.tsx';
import form from '../components/form.module.css';
import { Failure } from '../components/form.tsx';
import { QueryBoundary, SkeletonLines } from '../components/layout.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { Switch } from '../components/segmented-control.tsx';
import { Sheet } from '../components/sheet.tsx';
import { Text } from '../components/text.tsx';
import { showToast } from '../components/toaster.tsx';
import { useTranslation } from '../i18n/index.ts';
import { deliveryText } from '../i18n/message-code-text.ts';
import { Allowed, ChangeButton } from './allows.tsx';
import classes from './operator.module.css';
import {
  changeWebhook,
  type DeadLetter,
  deadLettersQuery,
  deleteWebhook,
  fetchWebhook,
  redeliver,
  redeliverDead,
  rotateWebhookSecret,
  testWebhook,
  type Webhook,
} from './queries.ts';
import { useOperation } from './use-operator-mutation.ts';
import { WebhookForm, WebhookSecret } from './webhook-form.tsx';

interface DeadLetterProps {
  readonly letter: DeadLetter;
  readonly isBusy: boolean;
  readonly onRedeliver: () => void;
}

function DeadLetterItem({ letter, isBusy, onRedeliver }: DeadLetterProps) {
  const { t } = useTranslation('operator');
  const { last_error: error = '', last_error_code: code, last_error_values: values } = letter;
  return (
    <li className={classes.item}>
      <span className={classes.text}>
        <strong>{letter.type}</strong>
        <span className={classes.small}>
          <DateTime iso={letter.created_at} isShort /> · {deliveryText(t, error, code, values)}
        </span>
      </span>
      <ChangeButton
        scope="operator:webhooks"
        variant="default"
        size="xs"
        isBusy={isBusy}
        onClick={onRedeliver}
      >
        {t('webhooks.redeliverOne')}
      </ChangeButton>
    </li>
  );
}

/** What was given up, one by one or all at once sent again. */
function DeadLetters({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('operator');
  const letters = useInfiniteQuery(deadLettersQuery(webhook.id));
  const list = letters.data?.pages.flatMap(({ records }) => records) ?? [];
  const operation = useOperation();
  const sendAll = (): void =>
    operation.run(async () => {
      const { queued } = await redeliverDead(webhook.id);
      const { active } = await fetchWebhook(webhook.id);
      showToast(t(active ? 'webhooks.queued' : 'webhooks.queuedWaits', { count: queued }));
    });
  return (
    <>
      <h2 className={classes.part}>{t('webhooks.deadTitle')}</h2>
      <QueryBoundary query={letters} skeleton={<SkeletonLines count={2} />}>
        {() =>
          list.length === 0 ? (
            <Text isSmall isDimmed>
              {t(webhook.pending + webhook.dead === 0 ? 'webhooks.noDead' : 'webhooks.noDeadYet')}
            </Text>
          ) : (
            <>
              <ul className={classes.list}>
                {list.map((letter) => (
                  <DeadLetterItem
                    key={letter.id}
                    letter={letter}
                    isBusy={operation.isPending}
                    onRedeliver={() => operation.run(() => redeliver(webhook.id, letter.id))}
                  />
                ))}
              </ul>
              <div className={classes.buttons}>
                {letters.hasNextPage && <MoreButton query={letters} label={t('payouts.more')} />}
                <ChangeButton
                  scope="operator:webhooks"
                  variant="default"
                  isBusy={operation.isPending}
                  onClick={sendAll}
                >
                  {t('webhooks.redeliver')}
                </ChangeButton>
              </div>
            </>
          )
        }
      </QueryBoundary>
      <Failure>{operation.message}</Failure>
    </>
  );
}

interface SheetProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

interface ButtonsProps extends SheetProps {
  readonly onSecret: (secret: string) => void;
}

/** What is done with a webhook as it is: tried, given a new secret, deleted. */
function WebhookButtons({ webhook, onSecret, onClose }: ButtonsProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [isSure, setSure] = useState(false);
  const test = async (): Promise<void> => {
    await testWebhook(webhook.id);
    const { active } = await fetchWebhook(webhook.id);
    showToast(t(active ? 'webhooks.tested' : 'webhooks.testWaits'));
  };
  const common = {
    scope: 'operator:webhooks',
    variant: 'default',
    isBusy: operation.isPending,
  } as const;
  return (
    <>
      <Failure>{operation.message}</Failure>
      <div className={form.two}>
        <ChangeButton {...common} onClick={() => operation.run(test)}>
          {t('webhooks.test')}
        </ChangeButton>
        <ChangeButton
          {...common}
          onClick={() =>
            operation.run(async () => onSecret((await rotateWebhookSecret(webhook.id)).secret))
          }
        >
          {t('webhooks.rotate')}
        </ChangeButton>
        <ChangeButton
          {...common}
          variant={isSure ? 'filled' : 'default'}
          isDanger={isSure}
          onClick={() =>
            isSure ? operation.run(() => deleteWebhook(webhook.id), onClose) : setSure(true)
          }
        >
          {t(isSure ? 'webhooks.deleteSure' : 'webhooks.delete')}
        </ChangeButton>
      </div>
    </>
  );
}

/** Everything about one webhook. A new secret stands alone: it is shown once. */
export function WebhookSheet({ webhook, onClose }: SheetProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [secret, setSecret] = useState('');
  const title = webhook.description || webhook.url;
  if (secret !== '')
    return (
      <Sheet title={title} onClose={onClose}>
        <WebhookSecret secret={secret} note={t('webhooks.rotated')} onKept={onClose} />
      </Sheet>
    );
  return (
    <Sheet title={title} onClose={onClose}>
      <Allowed scope="operator:webhooks">
        <Switch
          label={t('webhooks.active')}
          isOn={webhook.active}
          isBusy={operation.isPending}
          onChange={(active) => operation.run(() => changeWebhook(webhook.id, { active }))}
        />
        {!webhook.active && webhook.pending > 0 && (
          <Text isFailure>{t('webhooks.waiting', { count: webhook.pending })}</Text>
        )}
        <Failure>{operation.message}</Failure>
        <WebhookForm webhook={webhook} onSaved={onClose} />
      </Allowed>
      <DeadLetters webhook={webhook} />
      <WebhookButtons webhook={webhook} onSecret={setSecret} onClose={onClose} />
    </Sheet>
  );
}
