import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy.tsx';
import { DateTime } from '../components/date-time.tsx';
import { TextInput } from '../components/field.tsx';
import form from '../components/form.module.css';
import { Failure, Form } from '../components/form.tsx';
import { QueryBoundary, SkeletonLines } from '../components/layout.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { Switch } from '../components/segmented-control.tsx';
import { Sheet } from '../components/sheet.tsx';
import { Text } from '../components/text.tsx';
import { showToast } from '../components/toaster.tsx';
import { fieldText } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { deliveryText } from '../i18n/message-code-text.ts';
import { Allowed, ChangeButton } from './allows.tsx';
import classes from './operator.module.css';
import {
  changeWebhook,
  createWebhook,
  type DeadLetter,
  deadLettersQuery,
  deleteWebhook,
  fetchWebhook,
  redeliver,
  redeliverDead,
  testWebhook,
  type Webhook,
} from './queries.ts';
import { useOperation } from './use-operator-mutation.ts';

function WebhookFields({ webhook }: { readonly webhook: Webhook | undefined }) {
  const { t } = useTranslation('operator');
  return (
    <>
      <TextInput
        name="url"
        type="url"
        label={t('webhooks.url')}
        defaultValue={webhook?.url}
        placeholder="https://"
        required
        autoComplete="off"
      />
      <TextInput
        name="description"
        label={t('webhooks.description')}
        defaultValue={webhook?.description}
        maxLength={200}
        autoComplete="off"
      />
      <TextInput
        name="event_types"
        label={t('webhooks.types')}
        description={t('webhooks.typesLead')}
        defaultValue={webhook?.event_types.join(', ')}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}

/** Target and events. The signing secret of a new webhook is shown once, here. */
export function WebhookForm({
  webhook,
  onSaved,
}: {
  readonly webhook?: Webhook;
  readonly onSaved: () => void;
}) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [secret, setSecret] = useState('');
  const submit = (target: HTMLFormElement): void => {
    const change = {
      url: fieldText(target, 'url'),
      description: fieldText(target, 'description'),
      event_types: fieldText(target, 'event_types')
        .split(/[\s,]+/)
        .filter(Boolean),
    };
    if (webhook) operation.run(() => changeWebhook(webhook.id, change), onSaved);
    else operation.run(async () => setSecret((await createWebhook(change)).secret));
  };
  if (secret !== '')
    return (
      <div className={form.form}>
        <Text>{t('webhooks.secretLead')}</Text>
        <code className={classes.secret}>{secret}</code>
        <CopyButton text={secret} label={t('webhooks.copySecret')} />
        <Button onClick={onSaved}>{t('webhooks.secretKept')}</Button>
      </div>
    );
  return (
    <Form
      submission={operation}
      submitLabel={webhook ? t('webhooks.save') : t('webhooks.create')}
      onSubmit={submit}
    >
      <WebhookFields webhook={webhook} />
    </Form>
  );
}

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

/** Everything about one webhook. */
export function WebhookSheet({
  webhook,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [isSure, setSure] = useState(false);
  return (
    <Sheet title={webhook.description || webhook.url} onClose={onClose}>
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
        <WebhookForm webhook={webhook} onSaved={onClose} />
      </Allowed>
      <DeadLetters webhook={webhook} />
      <Failure>{operation.message}</Failure>
      <div className={form.two}>
        <ChangeButton
          scope="operator:webhooks"
          variant="default"
          isBusy={operation.isPending}
          onClick={() =>
            operation.run(async () => {
              await testWebhook(webhook.id);
              const { active } = await fetchWebhook(webhook.id);
              showToast(t(active ? 'webhooks.tested' : 'webhooks.testWaits'));
            })
          }
        >
          {t('webhooks.test')}
        </ChangeButton>
        <ChangeButton
          scope="operator:webhooks"
          variant={isSure ? 'filled' : 'default'}
          isDanger={isSure}
          isBusy={operation.isPending}
          onClick={() =>
            isSure ? operation.run(() => deleteWebhook(webhook.id), onClose) : setSure(true)
          }
        >
          {t(isSure ? 'webhooks.deleteSure' : 'webhooks.delete')}
        </ChangeButton>
      </div>
    </Sheet>
  );
}
