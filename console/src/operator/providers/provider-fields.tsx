/** The fields of a provider. */
import { PasswordInput, Textarea, TextInput } from '../../components/field.tsx';
import { useTranslation } from '../../i18n/index.ts';
import type { Provider } from './queries.ts';

const COMMON = { autoComplete: 'off', spellCheck: false } as const;

/** Apple signs its secret with a key. */
function AppleKey({ isRequired }: { readonly isRequired: boolean }) {
  const { t } = useTranslation('operator');
  return (
    <>
      <TextInput
        name="apple_key.team_id"
        label={t('providers.teamId')}
        required={isRequired}
        {...COMMON}
      />
      <TextInput
        name="apple_key.key_id"
        label={t('providers.keyId')}
        required={isRequired}
        {...COMMON}
      />
      <Textarea
        name="apple_key.private_key"
        label={t('providers.privateKey')}
        description={t(isRequired ? 'providers.privateKeyLead' : 'providers.secretKept')}
        rows={4}
        required={isRequired}
        {...COMMON}
      />
    </>
  );
}

interface Props {
  /** Undefined for a new one. */
  readonly provider: Provider | undefined;
  readonly isApple: boolean;
  /** Its label and its issuer follow from its name. */
  readonly isPreset: boolean;
}

export function ProviderFields({ provider, isApple, isPreset }: Props) {
  const { t } = useTranslation('operator');
  return (
    <>
      {!isPreset && (
        <TextInput
          name="label"
          label={t('providers.label')}
          defaultValue={provider?.label}
          maxLength={40}
          required
          autoComplete="off"
        />
      )}
      {!isPreset && !provider && (
        <TextInput
          name="issuer"
          label={t('providers.issuer')}
          description={t('providers.issuerLead')}
          inputMode="url"
          required
          {...COMMON}
        />
      )}
      <TextInput
        name="client_id"
        label={t('applications.clientId')}
        defaultValue={provider?.client_id}
        required
        {...COMMON}
      />
      {isApple ? (
        <AppleKey isRequired={!provider} />
      ) : (
        <PasswordInput
          name="client_secret"
          label={t('providers.secret')}
          description={t(provider?.has_secret ? 'providers.secretKept' : 'providers.secretLead')}
          autoComplete="off"
        />
      )}
      <TextInput
        name="scopes"
        label={t('applications.scopes')}
        description={t('providers.scopesLead')}
        defaultValue={provider?.scopes.join(' ')}
        {...COMMON}
      />
      <TextInput
        name="second_factor_amr"
        label={t('providers.secondFactor')}
        description={t('providers.secondFactorLead')}
        defaultValue={provider?.second_factor_amr.join(' ')}
        {...COMMON}
      />
    </>
  );
}
