/** Settings that few applications need, folded. */
import { Select, Textarea, TextInput } from '../../components/field.tsx';
import { Folded } from '../../components/folded.tsx';
import form from '../../components/form.module.css';
import { Switch } from '../../components/segmented-control.tsx';
import { useTranslation } from '../../i18n/index.ts';
import operator from '../operator.module.css';
import type { Kind } from './access-fields.tsx';
import type { Application } from './queries.ts';
import { ALGORITHMS, LIFETIMES, REQUIREMENTS, type Requirements, URIS } from './read-more.ts';
import { writeRoleLines } from './role-lines.ts';

const COMMON = { autoComplete: 'off', spellCheck: false } as const;

interface Props {
  /** Undefined for a new one. */
  readonly application: Application | undefined;
  readonly kind: Kind;
  readonly requirements: Requirements;
  readonly onRequire: (requirements: Requirements) => void;
}

/** What is fixed at registration. */
function FirstFields({ kind }: Pick<Props, 'kind'>) {
  const { t } = useTranslation('operator');
  return (
    <>
      <TextInput
        name="client_id"
        label={t('applications.clientId')}
        description={t('applications.clientIdLead')}
        maxLength={64}
        {...COMMON}
      />
      {kind === 'confidential' && (
        <Select
          name="token_endpoint_auth_method"
          label={t('applications.authMethod')}
          options={[
            { value: 'client_secret_basic', label: t('applications.bySecret') },
            { value: 'private_key_jwt', label: t('applications.byKey') },
          ]}
        />
      )}
    </>
  );
}

function KeyFields({ application }: Pick<Props, 'application'>) {
  const { t } = useTranslation('operator');
  const keys = application?.jwks;
  return (
    <>
      <Textarea
        name="jwks"
        label={t('applications.keys')}
        description={t('applications.keysLead')}
        defaultValue={keys && JSON.stringify(keys, undefined, 2)}
        rows={3}
        className={operator.code}
        {...COMMON}
      />
      <TextInput
        name="jwks_uri"
        label={t('applications.keysUri')}
        description={t('applications.keysUriLead')}
        defaultValue={application?.jwks_uri}
        inputMode="url"
        {...COMMON}
      />
      <Select
        name="id_token_signed_response_alg"
        label={t('applications.algorithm')}
        defaultValue={application?.id_token_signed_response_alg}
        options={[...ALGORITHMS]}
      />
    </>
  );
}

function UriFields({ application }: Pick<Props, 'application'>) {
  const { t } = useTranslation('operator');
  return (
    <>
      {URIS.map((name) => (
        <TextInput
          key={name}
          name={name}
          label={t(`applications.uris.${name}`)}
          description={t(`applications.uriLeads.${name}`)}
          defaultValue={application?.[name]}
          inputMode="url"
          {...COMMON}
        />
      ))}
      <TextInput
        name="post_logout_redirect_uris"
        label={t('applications.afterLogout')}
        description={t('applications.afterLogoutLead')}
        defaultValue={application?.post_logout_redirect_uris?.join(' ')}
        {...COMMON}
      />
    </>
  );
}

export function MoreFields({ application, kind, requirements, onRequire }: Props) {
  const { t } = useTranslation('operator');
  return (
    <Folded label={t('applications.more')}>
      {!application && <FirstFields kind={kind} />}
      <UriFields application={application} />
      <Textarea
        name="roles"
        label={t('applications.roles')}
        description={t('applications.rolesLead')}
        defaultValue={writeRoleLines(application?.roles ?? [])}
        rows={3}
        {...COMMON}
      />
      <div className={form.two}>
        {LIFETIMES.map((name) => (
          <TextInput
            key={name}
            name={name}
            label={t(`applications.lifetimes.${name}`)}
            defaultValue={application?.[name]}
            inputMode="numeric"
            autoComplete="off"
          />
        ))}
      </div>
      <p className={operator.small}>{t('applications.lifetimesLead')}</p>
      <KeyFields application={application} />
      {REQUIREMENTS.map((name) => (
        <Switch
          key={name}
          label={t(`applications.requirements.${name}`)}
          isOn={requirements[name]}
          onChange={(isOn) => onRequire({ ...requirements, [name]: isOn })}
        />
      ))}
    </Folded>
  );
}
