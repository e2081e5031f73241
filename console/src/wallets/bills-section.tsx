import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useCurrencies, useKnownCurrency } from '../api/currencies.ts';
import { Button } from '../components/button.tsx';
import { DateInput } from '../components/date-input.tsx';
import { Select } from '../components/field.tsx';
import { FilterButton, Found, NoMatch } from '../components/filter-state.tsx';
import form from '../components/form.module.css';
import { EmptyState, Section, SkeletonLines } from '../components/layout.tsx';
import { PagedList, pageQuery } from '../components/paged-list.tsx';
import { SearchForm } from '../components/search-form.tsx';
import { useFilterChange } from '../components/use-filter-change.ts';
import { NARROW, useMedia } from '../components/use-media.ts';
import { DaysNote } from '../components/utc-day-hint.tsx';
import { useTranslation } from '../i18n/index.ts';
import { businessText } from '../i18n/labels.ts';
import { type BillFilter, BUSINESS_IDS, readBillFilter, SEARCH_LENGTH_MAX } from './bill-filter.ts';
import { BillRow, MissingBillRow } from './bill-row.tsx';
import { BillSearch } from './bill-search.tsx';
import { BillSheet } from './bill-sheet.tsx';
import { isSameDay } from './bill-values.ts';
import { fetchListedBills } from './day-subtotals.ts';
import { ExportSheet } from './export-sheet.tsx';
import type { Wallet } from './queries.ts';
import classes from './wallets.module.css';

const ROW_HEIGHT = 72;

interface FiltersProps {
  readonly filter: BillFilter;
  readonly onChange: (change: BillFilter) => void;
}

function Filters({ filter, onChange }: FiltersProps) {
  const { t } = useTranslation('wallets');
  const currencies = useCurrencies();
  const set = (name: keyof BillFilter) => (value: string) =>
    onChange({ [name]: value || undefined });
  return (
    <div className={form.filters}>
      <Select
        label={t('currency')}
        value={filter.currency ?? ''}
        onChange={(event) => set('currency')(event.currentTarget.value)}
        options={[
          { value: '', label: t('all') },
          ...(currencies.data ?? []).map(({ code }) => ({ value: code, label: code })),
        ]}
      />
      <Select
        label={t('direction')}
        value={filter.amountDirection ?? ''}
        onChange={(event) => set('amountDirection')(event.currentTarget.value)}
        options={[
          { value: '', label: t('all') },
          { value: '1', label: t('incoming') },
          { value: '2', label: t('outgoing') },
        ]}
      />
      <Select
        label={t('kind')}
        value={filter.businessId ?? ''}
        onChange={(event) => set('businessId')(event.currentTarget.value)}
        options={[
          { value: '', label: t('allKinds') },
          ...BUSINESS_IDS.map((id) => ({ value: id, label: businessText(t, id) })),
        ]}
      />
      <DateInput
        label={t('from')}
        value={filter.beginTime ?? ''}
        notAfter={filter.endTime}
        onChange={set('beginTime')}
      />
      <DateInput
        label={t('to')}
        value={filter.endTime ?? ''}
        notBefore={filter.beginTime}
        onChange={set('endTime')}
      />
      <DaysNote className={form.days} />
    </div>
  );
}

const billsKey = (wallet: Wallet, filter: BillFilter) => ['wallets', wallet, 'bills', filter];

/** Whether there are any at all. */
export function firstBillsQuery(wallet: Wallet) {
  return pageQuery(
    billsKey(wallet, {}),
    (current, signal) => fetchListedBills(wallet, {}, current, signal),
    1,
  );
}

interface ShownBills {
  /** What is searched for; empty: nothing. */
  readonly text: string;
  readonly filter: BillFilter;
  readonly isUnsure: boolean;
}

function useShownBills(): ShownBills {
  const search = useSearch({ from: '/wallets' });
  const { currency, isUnsure } = useKnownCurrency(search.currency);
  const filter = useMemo(() => ({ ...readBillFilter(search), currency }), [search, currency]);
  return { filter, text: search.text ?? '', isUnsure };
}

function useBillPages(wallet: Wallet, filter: BillFilter) {
  const queryKey = useMemo(() => billsKey(wallet, filter), [wallet, filter]);
  const fetchPage = useCallback(
    (current: number, signal: AbortSignal) => fetchListedBills(wallet, filter, current, signal),
    [wallet, filter],
  );
  return { queryKey, fetchPage };
}

interface ActionsProps extends Pick<FiltersProps, 'filter'> {
  readonly wallet: Wallet;
  readonly text: string;
  readonly active: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Actions({ wallet, filter, text, active, isOpen, onToggle }: ActionsProps) {
  const { t } = useTranslation('wallets');
  const isNarrow = useMedia(NARROW);
  const [isExporting, setExporting] = useState(false);
  return (
    <>
      <FilterButton active={active} isOpen={isOpen} onClick={onToggle} />
      <Button
        variant="default"
        size="sm"
        icon="download"
        aria-label={t('export')}
        onClick={() => setExporting(true)}
      >
        {!isNarrow && t('export')}
      </Button>
      {isExporting && (
        <ExportSheet
          wallet={wallet}
          filter={filter}
          isFiltered={active > 0}
          text={text}
          onClose={() => setExporting(false)}
        />
      )}
    </>
  );
}

interface ListedProps extends Pick<FiltersProps, 'filter'> {
  readonly wallet: Wallet;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

/** Every movement of the wallet, as far down as one scrolls. */
function Listed({ wallet, filter, isFiltered, onClear }: ListedProps) {
  const { t } = useTranslation('wallets');
  const pages = useBillPages(wallet, filter);
  return (
    <PagedList
      label={t('bills')}
      {...pages}
      rowHeight={ROW_HEIGHT}
      keyOf={(bill) => bill.id}
      renderRow={(bill, open, before) => (
        <BillRow
          bill={bill}
          wallet={wallet}
          isFirstOfDay={!isSameDay(bill, before)}
          onOpen={open}
        />
      )}
      renderSheet={(bill, onClose) => <BillSheet bill={bill} wallet={wallet} onClose={onClose} />}
      renderMissing={() => <MissingBillRow />}
      summary={(total) => (
        <Found text={t('billCount', { count: total })} isFiltered={isFiltered} onClear={onClear} />
      )}
      empty={
        isFiltered ? (
          <NoMatch title={t('noMatch')} onClear={onClear} />
        ) : (
          <EmptyState icon="wallet" title={t('noBills')}>
            {t(wallet === 'bonus' ? 'home:noRewardsLead' : 'noBillsLead')}
          </EmptyState>
        )
      }
    />
  );
}

/** The movements of a wallet: all, those of a filter, or what is searched for. */
export function BillsSection({ wallet }: { readonly wallet: Wallet }) {
  const { t } = useTranslation('wallets');
  const { filter, text, isUnsure } = useShownBills();
  const change = useFilterChange<BillFilter & { readonly text?: string | undefined }>();
  const [isOpen, setOpen] = useState(false);
  const active = Object.values(filter).filter((value) => value !== undefined).length;
  const search = (next: string): void => change({ text: next || undefined });
  const list = { wallet, filter };
  const hasBills = useQuery(firstBillsQuery(wallet)).data?.total !== 0;
  return (
    <Section
      title={t('bills')}
      actions={
        hasBills && (
          <Actions
            {...list}
            text={text}
            active={active}
            isOpen={isOpen}
            onToggle={() => setOpen(!isOpen)}
          />
        )
      }
    >
      {hasBills && (
        <search className={classes.search}>
          <SearchForm
            label={t('search.label')}
            submitLabel={t('search.submit')}
            value={text}
            lengthMax={SEARCH_LENGTH_MAX}
            focusKey="/"
            onSearch={search}
          />
        </search>
      )}
      {isOpen && <Filters filter={filter} onChange={change} />}
      {isUnsure ? (
        <SkeletonLines count={6} height={ROW_HEIGHT} />
      ) : text === '' ? (
        <Listed {...list} isFiltered={active > 0} onClear={() => change(readBillFilter({}))} />
      ) : (
        <BillSearch key={text} {...list} text={text} />
      )}
    </Section>
  );
}
