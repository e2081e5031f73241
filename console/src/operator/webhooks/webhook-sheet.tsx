import { useState } from 'react';
import form from '../../components/form.module.css';
import { Failure } from '../../components/form.tsx';
import { Switch } from '../../components/segmented-control.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { Text } from '../../components/text.tsx';
import { showToast } from '../../components/toaster.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton, Editable } from '../allows.tsx';
import classes from '../operator.module.css';
import { useOperation } from '../use-operator-mutation.ts';
import { Deliveries } from './deliveries.tsx';
import { DisabledReason } from './disabled-reason.tsx';
import {
  changeWebhook,
  deleteWebhook,
  fetchWebhook,
  rotateWebhookSecret,
  testWebhook,
  type Webhook,
} from './queries.ts';
import { WebhookForm, WebhookSecret } from './webhook-form.tsx';

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
      <Editable scope="operator:webhooks">
        <Switch
          label={t('webhooks.active')}
          isOn={webhook.active}
          isBusy={operation.isPending}
          onChange={(active) => operation.run(() => changeWebhook(webhook.id, { active }))}
        />
        {!webhook.active && webhook.disabled_reason !== undefined && (
          <Text isSmall isFailure className={classes.choice}>
            <DisabledReason webhook={webhook} />
          </Text>
        )}
        <Failure>{operation.message}</Failure>
        <WebhookForm webhook={webhook} onSaved={onClose} />
      </Editable>
      <Deliveries webhook={webhook} />
      <WebhookButtons webhook={webhook} onSecret={setSecret} onClose={onClose} />
    </Sheet>
  );
}
