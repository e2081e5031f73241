/** Currencies of the ledger, with the decimals of each. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Currency, currenciesQuery, useCurrencies } from '../../api/currencies.ts';
import { TextInput } from '../../components/field.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { FormSheet } from '../../components/sheet.tsx';
import { Text } from '../../components/text.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { networkText } from '../../lib/network-text.ts';
import { ChangeButton } from '../allows.tsx';
import table from '../dense-table.module.css';
import { DenseTable } from '../dense-table.tsx';
import rows from '../rows.module.css';
import { useOperation } from '../use-operator-mutation.ts';
import { putCurrency } from './queries.ts';

const COMMON = { required: true, autoComplete: 'off', spellCheck: false } as const;

function NewCurrency({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('operator');
  const client = useQueryClient();
  const operation = useOperation();
  const submit = (form: HTMLFormElement): void =>
    operation.run(async () => {
      const code = fieldText(form, 'currency').toUpperCase();
      await putCurrency(code, Number(fieldText(form, 'scale')));
      await client.invalidateQueries({ queryKey: currenciesQuery.queryKey });
    }, onClose);
  return (
    <FormSheet
      title={t('books.addCurrency')}
      onClose={onClose}
      submission={operation}
      submitLabel={t('books.addCurrency')}
      onSubmit={submit}
    >
      <Text>{t('books.currencyForGood')}</Text>
      <TextInput
        name="currency"
        label={t('books.code')}
        description={t('books.currencyCodeLead')}
        {...COMMON}
      />
      <TextInput
        name="scale"
        label={t('chains.decimals')}
        description={t('books.scaleLead')}
        inputMode="numeric"
        pattern="\d{1,2}"
        {...COMMON}
      />
    </FormSheet>
  );
}

function CurrencyTable({ currencies }: { readonly currencies: readonly Currency[] }) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('books.currencies')}
      columns={[
        { key: 'code', label: t('books.code'), className: rows.main },
        { key: 'networks', label: t('books.networks'), className: rows.note },
        {
          key: 'scale',
          label: t('chains.decimals'),
          className: `${table.amount} ${rows.state}`,
        },
      ]}
    >
      {currencies.map(({ code, scale, open_networks: networks, network_names: names }) => (
        <tr key={code}>
          <td className={rows.main}>{code}</td>
          <td className={rows.note}>
            {networks
              .map((network) => networkText(network, names[network]))
              .join(t('devices:comma'))}
          </td>
          <td className={`${table.amount} ${rows.state}`}>
            <span className={table.wide}>{scale}</span>
            <span className={table.narrow}>{t('books.decimals', { count: scale })}</span>
          </td>
        </tr>
      ))}
    </DenseTable>
  );
}

export function CurrenciesSection() {
  const { t } = useTranslation('operator');
  const [isNew, setNew] = useState(false);
  const currencies = useCurrencies();
  return (
    <Section
      title={t('books.currencies')}
      lead={t('books.currenciesLead')}
      actions={
        <ChangeButton scope="operator:chains" size="sm" icon="plus" onClick={() => setNew(true)}>
          {t('books.addCurrency')}
        </ChangeButton>
      }
    >
      <QueryBoundary query={currencies} skeleton={<SkeletonLines count={2} height={40} />}>
        {(list) => <CurrencyTable currencies={list} />}
      </QueryBoundary>
      {isNew && <NewCurrency onClose={() => setNew(false)} />}
    </Section>
  );
}
