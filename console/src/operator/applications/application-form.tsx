import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Select, TextInput } from '../../components/field.tsx';
import form from '../../components/form.module.css';
import { Form } from '../../components/form.tsx';
import { Text } from '../../components/text.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import classes from '../operator.module.css';
import { useOperation } from '../use-operator-mutation.ts';
import { wordsOf } from '../words-of.ts';
import { AccessFields, type Kind, useAccess } from './access-fields.tsx';
import { MoreFields } from './more-fields.tsx';
import { type Application, changeApplication, createApplication } from './queries.ts';
import { type Requirements, readMore } from './read-more.ts';

/** A secret, shown once. */
export function Secret({
  secret,
  onKept,
}: {
  readonly secret: string;
  readonly onKept: () => void;
}) {
  const { t } = useTranslation('operator');
  return (
    <div className={form.form}>
      <Text>{t('applications.secretLead')}</Text>
      <code className={classes.secret}>{secret}</code>
      <CopyButton text={secret} label={t('applications.copySecret')} />
      <Button onClick={onKept}>{t('applications.secretKept')}</Button>
    </div>
  );
}

interface Props {
  /** Undefined for a new one. */
  readonly application?: Application;
  readonly onSaved: () => void;
}

interface FieldsProps {
  readonly application: Application | undefined;
  readonly kind: Kind;
  readonly onKind: (kind: Kind) => void;
}

function ApplicationFields({ application, kind, onKind }: FieldsProps) {
  const { t } = useTranslation('operator');
  return (
    <>
      <TextInput
        name="client_name"
        label={t('applications.name')}
        description={t('applications.nameLead')}
        defaultValue={application?.client_name}
        maxLength={100}
        required
        autoComplete="off"
      />
      {!application && (
        <Select
          name="type"
          label={t('applications.type')}
          value={kind}
          onChange={(event) => onKind(event.currentTarget.value as Kind)}
          options={[
            { value: 'public', label: t('applications.public') },
            { value: 'confidential', label: t('applications.confidential') },
          ]}
        />
      )}
      <TextInput
        name="redirect_uris"
        label={t('applications.redirectUris')}
        description={t('applications.redirectUrisLead')}
        defaultValue={application?.redirect_uris.join(' ')}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        name="scopes"
        label={t('applications.scopes')}
        description={t('applications.scopesLead')}
        defaultValue={application?.scopes.join(' ') ?? 'openid profile'}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}

/** What is chosen once, at registration. */
function readFirst(textOf: (name: string) => string) {
  const clientId = textOf('client_id');
  return {
    ...(clientId !== '' && { client_id: clientId }),
    ...(textOf('token_endpoint_auth_method') === 'private_key_jwt' && {
      token_endpoint_auth_method: 'private_key_jwt' as const,
    }),
  };
}

/** Registers an application, or changes one. */
export function ApplicationForm({ application, onSaved }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const access = useAccess(application);
  const [secret, setSecret] = useState('');
  const [requirements, setRequirements] = useState<Requirements>({
    require_pushed_authorization_requests:
      application?.require_pushed_authorization_requests ?? false,
    require_signed_request_object: application?.require_signed_request_object ?? false,
  });
  const submit = (target: HTMLFormElement): void => {
    const textOf = (name: string): string => fieldText(target, name);
    const { settings, wrong } = readMore(textOf, requirements, application);
    if (wrong !== undefined) {
      operation.refuse({ [wrong]: t(`applications.wrong.${wrong}`) });
      return;
    }
    const fields = {
      ...settings,
      client_name: textOf('client_name'),
      redirect_uris: wordsOf(textOf('redirect_uris')),
      scopes: wordsOf(textOf('scopes')),
      ...access.toBody(),
    };
    if (application) {
      operation.run(() => changeApplication(application.client_id, fields), onSaved);
      return;
    }
    operation.run(async () => {
      const { client_secret } = await createApplication({
        ...fields,
        ...readFirst(textOf),
        type: access.kind,
      });
      if (client_secret === undefined) onSaved();
      else setSecret(client_secret);
    });
  };
  if (secret !== '') return <Secret secret={secret} onKept={onSaved} />;
  return (
    <Form
      submission={operation}
      submitLabel={t(application ? 'applications.save' : 'applications.create')}
      onSubmit={submit}
    >
      <ApplicationFields
        application={application}
        kind={access.kind}
        onKind={(kind) => access.set({ kind })}
      />
      <AccessFields access={access} isNew={!application} />
      <MoreFields
        application={application}
        kind={access.kind}
        requirements={requirements}
        onRequire={setRequirements}
      />
    </Form>
  );
}
