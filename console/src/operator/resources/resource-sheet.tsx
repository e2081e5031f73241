/** The settings of an API that takes access tokens, new or there already. */
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/description-list.tsx';
import { Textarea, TextInput } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Switch } from '../../components/segmented-control.tsx';
import { Confirm, Sheet } from '../../components/sheet.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Editable } from '../allows.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { deleteResource, putResource, type ResourceServer } from './queries.ts';
import { readScopeLines, writeScopeLines } from './scope-lines.ts';

const COMMON = { autoComplete: 'off', spellCheck: false } as const;

interface DeletionProps {
  readonly server: ResourceServer;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function ConfirmDeletion({ server: { id, name }, onClose, onDeleted }: DeletionProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  return (
    <Confirm
      title={t('resources.deleteTitle', { name })}
      onClose={onClose}
      confirmLabel={t('resources.delete')}
      isDanger
      outcome={operation}
      onConfirm={() => operation.run(() => deleteResource(id), onDeleted)}
    >
      <p>{t('resources.deleteLead')}</p>
    </Confirm>
  );
}

function Fields({ server }: { readonly server: ResourceServer | undefined }) {
  const { t } = useTranslation('operator');
  return (
    <>
      {!server && (
        <TextInput
          name="id"
          label={t('resources.id')}
          description={t('prices.nameLead')}
          pattern="[a-z0-9\-]{1,40}"
          required
          {...COMMON}
        />
      )}
      <TextInput
        name="name"
        label={t('applications.name')}
        defaultValue={server?.name}
        maxLength={100}
        required
        autoComplete="off"
      />
      {!server && (
        <TextInput
          name="audience"
          label={t('resources.audience')}
          description={t('resources.audienceLead')}
          inputMode="url"
          required
          {...COMMON}
        />
      )}
      <Textarea
        name="scopes"
        label={t('applications.scopes')}
        description={t('resources.scopesLead')}
        defaultValue={server && writeScopeLines(server.scopes)}
        rows={4}
        {...COMMON}
      />
    </>
  );
}

interface Props {
  /** Undefined for a new one. */
  readonly server: ResourceServer | undefined;
  /** Those that are there: one of the same name would be replaced. */
  readonly takenIds: readonly string[];
  readonly onClose: () => void;
}

export function ResourceSheet({ server, takenIds, onClose }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [isDeleting, setDeleting] = useState(false);
  const [enabled, setEnabled] = useState(server?.enabled ?? true);
  const submit = (form: HTMLFormElement): void => {
    const id = server?.id ?? fieldText(form, 'id');
    const scopes = readScopeLines(fieldText(form, 'scopes'));
    const isTaken = !server && takenIds.includes(id);
    if (!scopes || isTaken) {
      operation.refuse(
        isTaken ? { id: t('providers.taken') } : { scopes: t('resources.scopesNeeded') },
      );
      return;
    }
    const audience = server?.audience ?? fieldText(form, 'audience');
    const body = { name: fieldText(form, 'name'), audience, scopes, enabled };
    operation.run(() => putResource(id, body), onClose);
  };
  return (
    <Sheet title={server?.name ?? t('resources.add')} onClose={onClose}>
      {server && <Facts facts={[[t('resources.audience'), server.audience]]} />}
      <Editable scope="operator:clients">
        <Form
          submission={operation}
          submitLabel={t('applications.save')}
          onSubmit={submit}
          footer={
            server && (
              <Button variant="default" onClick={() => setDeleting(true)}>
                {t('resources.delete')}
              </Button>
            )
          }
        >
          <Fields server={server} />
          <Switch label={t('resources.enabled')} isOn={enabled} onChange={setEnabled} />
        </Form>
      </Editable>
      {/* Not within the form: it is one of its own. */}
      {server && isDeleting && (
        <ConfirmDeletion
          server={server}
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
