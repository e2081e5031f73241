/** What an operator sets of a webhook, and the secret that signs its messages. */
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { TextInput } from '../../components/field.tsx';
import form from '../../components/form.module.css';
import { Form } from '../../components/form.tsx';
import { Text } from '../../components/text.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import classes from '../operator.module.css';
import { useOperation } from '../use-operator-mutation.ts';
import { changeWebhook, createWebhook, type Webhook } from './queries.ts';

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

interface SecretProps {
  readonly secret: string;
  /** How long the one before is still used, where there is one. */
  readonly note?: string;
  readonly onKept: () => void;
}

/** The signing secret, shown once. */
export function WebhookSecret({ secret, note, onKept }: SecretProps) {
  const { t } = useTranslation('operator');
  return (
    <div className={form.form}>
      <Text>{t('webhooks.secretLead')}</Text>
      {note !== undefined && <Text>{note}</Text>}
      <code className={classes.secret}>{secret}</code>
      <CopyButton text={secret} label={t('webhooks.copySecret')} />
      <Button onClick={onKept}>{t('webhooks.secretKept')}</Button>
    </div>
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
  if (secret !== '') return <WebhookSecret secret={secret} onKept={onSaved} />;
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
