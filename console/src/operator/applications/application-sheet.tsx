import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/description-list.tsx';
import form from '../../components/form.module.css';
import { Failure } from '../../components/form.tsx';
import { Switch } from '../../components/segmented-control.tsx';
import { Confirm, Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { useOperation } from '../use-operator-mutation.ts';
import { ApplicationForm, Secret } from './application-form.tsx';
import { type Application, changeApplication, deleteApplication, rotateSecret } from './queries.ts';

interface Props {
  readonly application: Application;
  readonly onClose: () => void;
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

/** One application: on or off, what it may do, and its secret. */
export function ApplicationSheet({ application, onClose }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [secret, setSecret] = useState('');
  const [isDeleting, setDeleting] = useState(false);
  const { client_id: clientId } = application;
  return (
    <Sheet title={application.client_name} onClose={onClose}>
      {secret !== '' ? (
        <Secret secret={secret} onKept={onClose} />
      ) : (
        <>
          <Facts facts={[[t('applications.clientId'), clientId]]} />
          <Switch
            label={t('applications.enabled')}
            isOn={application.enabled}
            onChange={(enabled) => operation.run(() => changeApplication(clientId, { enabled }))}
          />
          <Failure>{operation.message}</Failure>
          <ApplicationForm application={application} onSaved={onClose} />
          <div className={form.two}>
            {application.type === 'confidential' && (
              <Button
                variant="default"
                isBusy={operation.isPending}
                onClick={() =>
                  operation.run(async () => setSecret((await rotateSecret(clientId)).client_secret))
                }
              >
                {t('applications.rotate')}
              </Button>
            )}
            <Button variant="default" onClick={() => setDeleting(true)}>
              {t('applications.delete')}
            </Button>
          </div>
          {isDeleting && (
            <ConfirmDeletion
              application={application}
              onClose={() => setDeleting(false)}
              onDeleted={onClose}
            />
          )}
        </>
      )}
    </Sheet>
  );
}
