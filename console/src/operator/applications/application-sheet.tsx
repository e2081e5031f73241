import { useState } from 'react';
import { Facts } from '../../components/description-list.tsx';
import form from '../../components/form.module.css';
import { Failure } from '../../components/form.tsx';
import { Switch } from '../../components/segmented-control.tsx';
import { Confirm, Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton, Editable } from '../allows.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { ApplicationForm, Secret } from './application-form.tsx';
import { type Application, changeApplication, deleteApplication, rotateSecret } from './queries.ts';

interface Props {
  readonly application: Application;
  readonly onClose: () => void;
}

/** It signs what it proves itself with, and has no secret. */
const isByKey = (application: Application): boolean =>
  application.token_endpoint_auth_method === 'private_key_jwt';

interface ButtonsProps extends Props {
  readonly onSecret: (secret: string) => void;
}

interface DeletionProps extends Props {
  readonly onDeleted: () => void;
}

function ConfirmDeletion({ application, onClose, onDeleted }: DeletionProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const { client_id: clientId, client_name: name } = application;
  return (
    <Confirm
      title={t('applications.deleteTitle', { name })}
      onClose={onClose}
      confirmLabel={t('applications.delete')}
      isDanger
      outcome={operation}
      onConfirm={() => operation.run(() => deleteApplication(clientId), onDeleted)}
    >
      <p>{t('applications.deleteLead')}</p>
    </Confirm>
  );
}

/** What is done with an application as it is: a new secret, its end. */
function ApplicationButtons({ application, onClose, onSecret }: ButtonsProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [isDeleting, setDeleting] = useState(false);
  const { client_id: clientId, type } = application;
  const common = { scope: 'operator:clients', variant: 'default' } as const;
  const rotate = async (): Promise<void> => onSecret((await rotateSecret(clientId)).client_secret);
  return (
    <>
      <Failure>{operation.message}</Failure>
      <div className={form.two}>
        {type === 'confidential' && !isByKey(application) && (
          <ChangeButton
            {...common}
            isBusy={operation.isPending}
            onClick={() => operation.run(rotate)}
          >
            {t('applications.rotate')}
          </ChangeButton>
        )}
        <ChangeButton {...common} onClick={() => setDeleting(true)}>
          {t('applications.delete')}
        </ChangeButton>
      </div>
      {isDeleting && (
        <ConfirmDeletion
          application={application}
          onClose={() => setDeleting(false)}
          onDeleted={onClose}
        />
      )}
    </>
  );
}

/** One application: on or off, what it may do, and its secret. */
export function ApplicationSheet({ application, onClose }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [secret, setSecret] = useState('');
  const { client_id: clientId, client_name: name, enabled } = application;
  if (secret !== '')
    return (
      <Sheet title={name} onClose={onClose}>
        <Secret secret={secret} onKept={onClose} />
      </Sheet>
    );
  return (
    <Sheet title={name} onClose={onClose}>
      <Facts
        facts={[
          [t('applications.clientId'), clientId],
          [t('applications.authMethod'), isByKey(application) && t('applications.byKey')],
        ]}
      />
      <Editable scope="operator:clients">
        <Switch
          label={t('applications.enabled')}
          isOn={enabled}
          onChange={(isOn) => operation.run(() => changeApplication(clientId, { enabled: isOn }))}
        />
        <Failure>{operation.message}</Failure>
        <ApplicationForm application={application} onSaved={onClose} />
      </Editable>
      <ApplicationButtons application={application} onClose={onClose} onSecret={setSecret} />
    </Sheet>
  );
}
