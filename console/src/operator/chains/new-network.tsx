/** A network that the service does not know by name, from the facts of its chain. */
import { useState } from 'react';
import { Select, TextInput } from '../../components/field.tsx';
import { FormSheet } from '../../components/sheet.tsx';
import { Text } from '../../components/text.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { type Chain, type ChainChange, configureChain } from '../queries.ts';
import { useOperation } from '../use-operator-mutation.ts';

const COMMON = { autoComplete: 'off', spellCheck: false } as const;
const CODE_MAX = 32;
const NAME_MAX = 64;

type Kind = Chain['kind'];

/** Facts that tell one chain of a kind from another. */
function KindFields({ kind }: { readonly kind: Kind }) {
  const { t } = useTranslation('operator');
  if (kind === 'evm')
    return (
      <TextInput
        name="chain_id"
        label={t('payouts.chainId')}
        description={t('chains.chainIdLead')}
        inputMode="numeric"
        pattern="\d{1,15}"
        required
        {...COMMON}
      />
    );
  return (
    <>
      <TextInput
        name="address_prefix"
        label={t('chains.addressPrefix')}
        description={t('chains.addressPrefixLead')}
        required
        {...COMMON}
      />
      <TextInput
        name="uri_scheme"
        label={t('chains.uriScheme')}
        description={t('chains.uriSchemeLead')}
        required
        {...COMMON}
      />
    </>
  );
}

function readIdentity(form: HTMLFormElement, kind: Kind): ChainChange {
  const coin = fieldText(form, 'coin').toUpperCase();
  return {
    kind,
    name: fieldText(form, 'name'),
    ...(coin !== '' && { coin }),
    ...(kind === 'evm'
      ? { chain_id: Number(fieldText(form, 'chain_id')) }
      : {
          address_prefix: fieldText(form, 'address_prefix'),
          uri_scheme: fieldText(form, 'uri_scheme'),
        }),
  };
}

interface Props {
  /** A code that is there would be another network's. */
  readonly chains: readonly Chain[];
  readonly onClose: () => void;
  /** It is set up next: with endpoints and a key. */
  readonly onAdded: (network: string) => void;
}

export function NewNetwork({ chains, onClose, onAdded }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [kind, setKind] = useState<Kind>('evm');
  const submit = (form: HTMLFormElement): void => {
    const code = fieldText(form, 'network').toUpperCase();
    if (chains.some(({ network }) => network === code)) {
      operation.refuse({ network: t('chains.codeTaken') });
      return;
    }
    operation.run(
      () => configureChain(code, readIdentity(form, kind)),
      () => onAdded(code),
    );
  };
  return (
    <FormSheet
      title={t('chains.add')}
      onClose={onClose}
      submission={operation}
      submitLabel={t('chains.add')}
      onSubmit={submit}
    >
      <Text>{t('chains.addLead')}</Text>
      <TextInput
        name="network"
        label={t('payouts.networkCode')}
        description={t('chains.codeLead')}
        maxLength={CODE_MAX}
        required
        {...COMMON}
      />
      <TextInput
        name="name"
        label={t('applications.name')}
        maxLength={NAME_MAX}
        required
        autoComplete="off"
      />
      <Select
        name="kind"
        label={t('applications.type')}
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value as Kind)}
        options={[
          { value: 'evm', label: t('chains.evm') },
          { value: 'utxo', label: t('chains.utxo') },
        ]}
      />
      <KindFields kind={kind} />
      <TextInput name="coin" label={t('chains.coin')} {...COMMON} />
    </FormSheet>
  );
}
