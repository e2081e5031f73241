import { useQueryClient } from '@tanstack/react-query';
import { useCurrencies } from '../api/currencies.ts';
import { Select, TextInput } from '../components/field.tsx';
import { FormSheet } from '../components/sheet.tsx';
import { Text } from '../components/text.tsx';
import { showToast } from '../components/toaster.tsx';
import { fieldText } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { networkText } from '../lib/network-text.ts';
import type { Proof } from '../security/reauthentication.tsx';
import { useChange } from '../security/use-security-mutation.ts';
import { addAddress } from './queries.ts';

const LABEL_LENGTH_MAX = 40;

interface Props {
  readonly proof: Proof;
  readonly onClose: () => void;
}

/** A new address; it can be paid after a day. */
export function AddAddress({ proof, onClose }: Props) {
  const { t } = useTranslation('withdraw');
  const client = useQueryClient();
  const change = useChange(proof);
  const networks = new Map(
    (useCurrencies().data ?? []).flatMap(({ open_networks, network_names }) =>
      open_networks.map((code) => [code, networkText(code, network_names[code])] as const),
    ),
  );
  const submit = (form: HTMLFormElement): void => {
    const order = {
      network: fieldText(form, 'network'),
      address: fieldText(form, 'address'),
      label: fieldText(form, 'label'),
    };
    change.run(
      () => addAddress(order),
      () => {
        void client.invalidateQueries({ queryKey: ['payouts'] });
        showToast(t('addressAdded'));
        onClose();
      },
    );
  };
  return (
    <FormSheet
      title={t('addAddress')}
      onClose={onClose}
      submission={change}
      submitLabel={t('saveAddress')}
      onSubmit={submit}
    >
      <Text isDimmed>{t('addAddressLead')}</Text>
      <Select
        name="network"
        label={t('network')}
        options={[...networks].map(([value, label]) => ({ value, label }))}
      />
      <TextInput
        name="address"
        label={t('address')}
        description={t('addressLead')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={128}
        required
      />
      <TextInput
        name="label"
        label={t('label')}
        autoComplete="off"
        maxLength={LABEL_LENGTH_MAX}
        required
      />
    </FormSheet>
  );
}
