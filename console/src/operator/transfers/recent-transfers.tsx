/** Transfers, newest first: of everything, of a person, or of an account of the house. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Select } from '../../components/field.tsx';
import form from '../../components/form.module.css';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { counterpartyText } from '../../i18n/labels.ts';
import { walletKindsQuery } from '../books/queries.ts';
import { FindNumber } from '../find-number.tsx';
import classes from '../money-lists.module.css';
import { type TransferListFilter, transfersQuery } from './list-queries.ts';
import { TransferSheet } from './transfer-sheet.tsx';
import { TransferTable } from './transfer-table.tsx';

interface FiltersProps {
  readonly filter: TransferListFilter;
  readonly onChange: (filter: TransferListFilter) => void;
}

function Filters({ filter: { userId, house = '' }, onChange }: FiltersProps) {
  const { t } = useTranslation('operator');
  const kinds = (useQuery(walletKindsQuery).data ?? []).filter((kind) => kind.house);
  return (
    <search className={form.filters}>
      <FindNumber
        label={t('money.person')}
        value={userId === undefined ? '' : String(userId)}
        onFind={(id) => onChange(id === undefined ? {} : { userId: Number(id) })}
      />
      <Select
        label={t('transfers.account')}
        value={house}
        onChange={({ currentTarget: { value } }) => onChange(value === '' ? {} : { house: value })}
        options={[
          { value: '', label: t('deposits:all') },
          ...kinds.map(({ wallet }) => ({ value: wallet, label: counterpartyText(t, wallet) })),
        ]}
      />
    </search>
  );
}

function TransferList({ filter }: { readonly filter: TransferListFilter }) {
  const { t } = useTranslation('operator');
  const found = useInfiniteQuery(transfersQuery(filter));
  const [opened, setOpened] = useState<number>();
  const list = found.data?.pages.flatMap(({ transfers }) => transfers) ?? [];
  return (
    <QueryBoundary query={found} skeleton={<SkeletonLines count={3} />}>
      {() => (
        <>
          {list.length === 0 ? (
            <p className={classes.none}>{t('transfers.noTransfers')}</p>
          ) : (
            <TransferTable transfers={list} onOpen={({ id }) => setOpened(id)} />
          )}
          <div className={classes.more}>
            {found.hasNextPage && <MoreButton query={found} label={t('audit.more')} />}
          </div>
          {opened !== undefined && (
            <TransferSheet id={opened} onClose={() => setOpened(undefined)} />
          )}
        </>
      )}
    </QueryBoundary>
  );
}

export function RecentTransfers() {
  const { t } = useTranslation('operator');
  const [filter, setFilter] = useState<TransferListFilter>({});
  return (
    <Section title={t('transfers.recent')} lead={t('transfers.recentLead')}>
      <Filters filter={filter} onChange={setFilter} />
      <TransferList key={JSON.stringify(filter)} filter={filter} />
    </Section>
  );
}
