/** Sets up a provider: a known one, or any with an issuer. */
import { useState } from 'react';
import { Select, TextInput } from '../../components/field.tsx';
import { FormSheet } from '../../components/sheet.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOperation } from '../use-operator-mutation.ts';
import { ProviderFields } from './provider-fields.tsx';
import { type Provider, putProvider } from './queries.ts';
import { PRESETS, readNewProvider } from './read-order.ts';

interface Props {
  /** Those that are there: one of the same name would be replaced. */
  readonly providers: readonly Provider[];
  readonly onClose: () => void;
}

export function NewProvider({ providers, onClose }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [chosen, setChosen] = useState('');
  const preset = PRESETS.find((name) => name === chosen);
  const submit = (form: HTMLFormElement): void => {
    const id = fieldText(form, 'id');
    if (providers.some((provider) => provider.id === id)) {
      operation.refuse({ id: t('providers.taken') });
      return;
    }
    operation.run(() => putProvider(id, readNewProvider(form, preset)), onClose);
  };
  return (
    <FormSheet
      title={t('providers.add')}
      onClose={onClose}
      submission={operation}
      submitLabel={t('providers.create')}
      onSubmit={submit}
    >
      <Select
        name="preset"
        label={t('providers.provider')}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        options={[
          { value: '', label: t('providers.other') },
          ...PRESETS.map((name) => ({ value: name, label: t(`providers.preset.${name}`) })),
        ]}
      />
      <TextInput
        key={chosen}
        name="id"
        label={t('providers.id')}
        description={t('providers.idLead', {
          address: `${location.origin}/sign-in/upstream/${preset ?? '…'}`,
        })}
        defaultValue={preset}
        pattern="[a-z0-9\-]{1,40}"
        required
        autoComplete="off"
        spellCheck={false}
      />
      <ProviderFields
        provider={undefined}
        isApple={preset === 'apple'}
        isPreset={preset !== undefined}
      />
    </FormSheet>
  );
}
