/** One currency on a network: a token by its contract, or the chain's own coin without one. */
import { useState } from 'react';
import { Select, TextInput } from '../../components/field.tsx';
import form from '../../components/form.module.css';
import { Form } from '../../components/form.tsx';
import { Switch } from '../../components/segmented-control.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { operatorDepositReasonText } from '../../i18n/message-code-text.ts';
import classes from '../operator.module.css';
import { type ChainToken, configureToken } from '../queries.ts';
import { useOperation } from '../use-operator-mutation.ts';

const EVM_DECIMALS = 18;

/** Why deposits of a token wait for an operator. */
function DistrustReason({ token }: { readonly token: ChainToken }) {
  const { t } = useTranslation('operator');
  const { distrust_reason: reason, distrust_reason_code: code } = token;
  const values = token.distrust_reason_values;
  if (reason === undefined) return null;
  const text = operatorDepositReasonText(t, {
    status: 'on_hold',
    reason,
    ...(code !== undefined && { reason_code: code }),
    ...(values !== undefined && { reason_values: values }),
  });
  return <p className={classes.failure}>{text ?? reason}</p>;
}

interface NumbersProps {
  readonly token: ChainToken | undefined;
  readonly currency: string;
}

function TokenNumbers({ token, currency }: NumbersProps) {
  const { t } = useTranslation('operator');
  return (
    <div className={form.two}>
      <TextInput
        name="decimals"
        label={t('chains.decimals')}
        inputMode="numeric"
        defaultValue={token?.decimals ?? EVM_DECIMALS}
        autoComplete="off"
      />
      <TextInput
        name="min_deposit"
        label={t('inUnit', { name: t('chains.minimum'), unit: currency })}
        inputMode="decimal"
        defaultValue={token?.min_deposit ?? '0'}
        autoComplete="off"
      />
    </div>
  );
}

export function TokenForm({
  network,
  token,
  currencies,
}: {
  readonly network: string;
  readonly token: ChainToken | undefined;
  readonly currencies: readonly string[];
}) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [isEnabled, setEnabled] = useState(token?.is_enabled ?? true);
  const [chosen, setChosen] = useState(currencies[0] ?? '');
  const currency = token?.currency ?? chosen;
  const submit = (target: HTMLFormElement): void => {
    const contract = fieldText(target, 'contract_address');
    operation.run(() =>
      configureToken(network, currency, {
        ...(contract !== '' && { contract_address: contract }),
        decimals: Number(fieldText(target, 'decimals')),
        min_deposit: fieldText(target, 'min_deposit'),
        is_enabled: isEnabled,
      }),
    );
  };
  return (
    <Form
      submission={operation}
      submitLabel={
        token ? t('chains.saveToken', { currency: token.currency }) : t('chains.addToken')
      }
      variant="default"
      onSubmit={submit}
    >
      {token ? (
        <h3>{token.currency}</h3>
      ) : (
        <Select
          name="currency"
          label={t('chains.currency')}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
          options={currencies}
        />
      )}
      {token && <DistrustReason token={token} />}
      <TextInput
        name="contract_address"
        label={t('chains.contract')}
        description={t('chains.contractLead')}
        defaultValue={token?.contract_address}
        autoComplete="off"
        spellCheck={false}
      />
      <TokenNumbers token={token} currency={currency} />
      <Switch label={t('chains.tokenEnabled')} isOn={isEnabled} onChange={setEnabled} />
    </Form>
  );
}
