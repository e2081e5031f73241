/** What lies on deposit addresses and was not moved yet. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { ExportButton } from '../../components/export-button.tsx';
import { Select } from '../../components/field.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import table from '../dense-table.module.css';
import { DenseTable } from '../dense-table.tsx';
import classes from '../operator.module.css';
import { chainsQuery, exportUnswept, type Unswept, unsweptQuery } from '../queries.ts';
import rows from '../rows.module.css';
import own from './chains.module.css';

/** There can be one for each person: the file has all. */
const SHOWN_MAX = 200;

function UnsweptTable({ list }: { readonly list: readonly Unswept[] }) {
  const { t } = useTranslation('operator');
  const amountClass = `${table.amount} ${rows.state}`;
  return (
    <>
      <DenseTable
        label={t('chains.unswept')}
        columns={[
          { key: 'address', label: t('chains.address'), className: rows.main },
          { key: 'path', label: t('chains.path'), className: rows.half },
          { key: 'amount', label: t('money.amount'), className: amountClass },
        ]}
      >
        {list.slice(0, SHOWN_MAX).map(({ address, currency, contract_address, ...found }) => (
          <tr key={`${address} ${currency} ${contract_address}`}>
            <td className={rows.main}>
              <code className={table.code}>{address}</code>
            </td>
            <td className={rows.half}>{found.derivation_path}</td>
            <td className={amountClass}>
              <Amount value={found.amount} currency={currency} digits="exact" size="sm" />
            </td>
          </tr>
        ))}
      </DenseTable>
      {list.length > SHOWN_MAX && (
        <p className={classes.small}>
          {t('chains.unsweptShown', { shown: SHOWN_MAX, all: list.length })}
        </p>
      )}
    </>
  );
}

function Found({ network }: { readonly network: string }) {
  const { t } = useTranslation('operator');
  const found = useQuery(unsweptQuery(network));
  return (
    <QueryBoundary query={found} skeleton={<SkeletonLines count={3} />}>
      {(list) =>
        list.length === 0 ? (
          <EmptyState icon="check" title={t('chains.unsweptNone')} />
        ) : (
          <UnsweptTable list={list} />
        )
      }
    </QueryBoundary>
  );
}

/** Nothing is asked of a chain before its network is chosen. */
export function UnsweptSection() {
  const { t } = useTranslation('operator');
  const chains = useQuery(chainsQuery);
  const [network, setNetwork] = useState('');
  const watched = (chains.data ?? []).filter(({ state }) => state !== 'unconfigured');
  if (watched.length === 0) return null;
  return (
    <Section
      title={t('chains.unswept')}
      lead={t('chains.unsweptLead')}
      actions={
        network === '' ? undefined : (
          <ExportButton
            label={t('audit.csv')}
            fetchTable={() => exportUnswept(network)}
            fileName={`unswept-${network.toLowerCase()}.csv`}
          />
        )
      }
    >
      <Select
        className={own.network}
        label={t('payouts.network')}
        value={network}
        onChange={(event) => setNetwork(event.currentTarget.value)}
        options={[
          { value: '', label: t('chains.chooseNetwork') },
          ...watched.map(({ network: value, name: label }) => ({ value, label })),
        ]}
      />
      {network !== '' && <Found key={network} network={network} />}
    </Section>
  );
}
