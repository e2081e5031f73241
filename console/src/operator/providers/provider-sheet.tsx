/** One provider: on or off, its settings, and its end. */
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/description-list.tsx';
import { Failure, Form } from '../../components/form.tsx';
import { Switch } from '../../components/segmented-control.tsx';
import { Confirm, Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { Editable } from '../allows.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { ProviderFields } from './provider-fields.tsx';
import { deleteProvider, type Provider, putProvider } from './queries.ts';
import { APPLE_ISSUER, readProvider, switched } from './read-order.ts';

interface DeletionProps {
  readonly provider: Provider;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function ConfirmDeletion({ provider: { id, label }, onClose, onDeleted }: DeletionProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  return (
    <Confirm
      title={t('providers.deleteTitle', { name: label })}
      onClose={onClose}
      confirmLabel={t('providers.delete')}
      isDanger
      outcome={operation}
      onConfirm={() => operation.run(() => deleteProvider(id), onDeleted)}
    >
      <p>{t('providers.deleteLead')}</p>
    </Confirm>
  );
}

interface Props {
  readonly provider: Provider;
  readonly onClose: () => void;
}

export function ProviderSheet({ provider, onClose }: Props) {
  const { t } = useTranslation('operator');
  const switching = useOperation();
  const saving = useOperation();
  const [isDeleting, setDeleting] = useState(false);
  const { id, issuer, label } = provider;
  return (
    <Sheet title={label} onClose={onClose}>
      <Facts
        facts={[
          [t('providers.issuer'), issuer],
          [t('providers.redirectUri'), `${location.origin}/sign-in/upstream/${id}`],
        ]}
      />
      <Editable scope="operator:clients">
        <Switch
          label={t('providers.enabled')}
          isOn={provider.enabled}
          isBusy={switching.isPending}
          onChange={(enabled) => switching.run(() => putProvider(id, switched(provider, enabled)))}
        />
        <Failure>{switching.message}</Failure>
        <Form
          submission={saving}
          submitLabel={t('applications.save')}
          onSubmit={(form) =>
            saving.run(() => putProvider(id, readProvider(form, provider)), onClose)
          }
          footer={
            <Button variant="default" onClick={() => setDeleting(true)}>
              {t('providers.delete')}
            </Button>
          }
        >
          <ProviderFields provider={provider} isApple={issuer === APPLE_ISSUER} isPreset={false} />
        </Form>
      </Editable>
      {/* Not within the form: it is one of its own. */}
      {isDeleting && (
        <ConfirmDeletion
          provider={provider}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            setDeleting(false);
            onClose();
          }}
        />
      )}
    </Sheet>
  );
}
