import { useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useCurrencies, useKnownCurrency } from '../api/currencies.ts';
import { Amount } from '../components/amount.tsx';
import { ConfirmationMeter } from '../components/confirmation-meter.tsx';
import { DateInput } from '../components/date-input.tsx';
import { DateTime } from '../components/date-time.tsx';
import { Facts } from '../components/description-list.tsx';
import { Select } from '../components/field.tsx';
import { Found, NoMatch } from '../components/filter-state.tsx';
import { useFoldedFilters } from '../components/folded-filters.tsx';
import form from '../components/form.module.css';
import { GroupedAddress } from '../components/grouped-address.tsx';
import { EmptyState, Section, SkeletonLines } from '../components/layout.tsx';
import { PagedList } from '../components/paged-list.tsx';
import { Sheet } from '../components/sheet.tsx';
import { TransactionHash } from '../components/transaction-hash.tsx';
import { useFilterChange } from '../components/use-filter-change.ts';
import { DaysNote } from '../components/utc-day-hint.tsx';
import { useTranslation } from '../i18n/index.ts';
import { businessText, depositStatusText } from '../i18n/labels.ts';
import { depositReasonText, ownWordsOf } from '../i18n/message-code-text.ts';
import { networkText } from '../lib/network-text.ts';
import { ValuedAmount } from '../wallets/approximate-value.tsx';
import { type DepositFilter, readDepositFilter } from './deposit-filter.ts';
import classes from './deposits.module.css';
import { type Deposit, fetchDeposits } from './queries.ts';

const ROW_HEIGHT = 76;

/** Confirmations between the first and the last cause no event. */
function isConfirming({ status }: Deposit): boolean {
  return status === 'confirming';
}

function Confirming({ deposit }: { readonly deposit: Deposit }) {
  return <ConfirmationMeter done={deposit.confirmations} needed={deposit.required_confirmations} />;
}

function DepositRow({
  deposit,
  onOpen,
}: {
  readonly deposit: Deposit;
  readonly onOpen: () => void;
}) {
  const { t } = useTranslation('deposits');
  return (
    <button type="button" className={classes.row} onClick={onOpen}>
      <span className={classes.rowText}>
        <span className={classes.status} data-status={deposit.status}>
          {depositStatusText(t, deposit.status)}
        </span>
        <span className={classes.label}>
          {deposit.status === 'confirming' ? (
            <Confirming deposit={deposit} />
          ) : (
            <DateTime iso={deposit.detected_at} isShort />
          )}
        </span>
      </span>
      <span className={classes.rowAmount}>
        <Amount value={deposit.amount} currency={deposit.currency} digits="readable" isInColumn />
        <span className={classes.label}>{deposit.network_name}</span>
      </span>
    </button>
  );
}

function DepositSheet({
  deposit,
  onClose,
}: {
  readonly deposit: Deposit;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('deposits');
  const reason = depositReasonText(t, deposit);
  return (
    <Sheet
      title={`${businessText(t, 'deposit')} · ${depositStatusText(t, deposit.status)}`}
      onClose={onClose}
    >
      <ValuedAmount digits="exact" value={deposit.amount} currency={deposit.currency} size="hero" />
      {reason !== undefined && <p className={classes.warning}>{reason}</p>}
      <Facts
        facts={[
          [t('network'), networkText(deposit.currency_network, deposit.network_name)],
          [
            t('confirmations'),
            isConfirming(deposit) ? (
              <Confirming key="meter" deposit={deposit} />
            ) : (
              String(deposit.confirmations)
            ),
          ],
          [t('reasonGiven'), ownWordsOf(deposit)],
          [t('detected'), <DateTime key="detected" iso={deposit.detected_at} />],
          [t('credited'), deposit.credited_at && <DateTime iso={deposit.credited_at} />],
          [t('from'), deposit.from_address && <GroupedAddress address={deposit.from_address} />],
          [t('toAddress'), <GroupedAddress key="to" address={deposit.address} />],
          [t('transaction'), <TransactionHash key="tx" hash={deposit.tx_hash} />],
          [
            t('explorer'),
            deposit.explorer_url?.startsWith('https://') === true && (
              <a href={deposit.explorer_url} target="_blank" rel="noreferrer noopener">
                {new URL(deposit.explorer_url).host}
              </a>
            ),
          ],
        ]}
      />
    </Sheet>
  );
}

interface FiltersProps {
  readonly filter: DepositFilter;
  readonly onChange: (change: DepositFilter) => void;
}

function Filters({ filter, onChange }: FiltersProps) {
  const { t } = useTranslation('deposits');
  const currencies = useCurrencies();
  const set = (name: keyof DepositFilter) => (value: string) =>
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
      <DateInput
        label={t('since')}
        value={filter.beginTime ?? ''}
        notAfter={filter.endTime}
        onChange={set('beginTime')}
      />
      <DateInput
        label={t('until')}
        value={filter.endTime ?? ''}
        notBefore={filter.beginTime}
        onChange={set('endTime')}
      />
      <DaysNote className={form.days} />
    </div>
  );
}

/** What arrived, with confirmations as they come in. */
export function RecordsSection() {
  const { t } = useTranslation('deposits');
  const search = useSearch({ from: '/deposits' });
  const { currency, isUnsure } = useKnownCurrency(search.currency);
  const filter = useMemo((): DepositFilter => ({ ...search, currency }), [search, currency]);
  const change = useFilterChange<DepositFilter>();
  const queryKey = useMemo(() => ['deposits', 'records', filter], [filter]);
  const fetchPage = useCallback(
    (current: number, signal: AbortSignal) => fetchDeposits(filter, current, signal),
    [filter],
  );
  const active = Object.values(filter).filter((value) => value !== undefined).length;
  const isFiltered = active > 0;
  const folded = useFoldedFilters(active);
  const clear = (): void => change(readDepositFilter({}));
  return (
    <Section title={t('records')} actions={folded.button}>
      {folded.isShown && <Filters filter={filter} onChange={change} />}
      {isUnsure ? (
        <SkeletonLines count={6} height={ROW_HEIGHT} />
      ) : (
        <PagedList
          label={t('records')}
          queryKey={queryKey}
          fetchPage={fetchPage}
          rowHeight={ROW_HEIGHT}
          keyOf={(deposit) => deposit.id}
          isMoving={isConfirming}
          renderRow={(deposit, open) => (
            <DepositRow deposit={deposit} onOpen={() => open(deposit)} />
          )}
          renderSheet={(deposit, onClose) => <DepositSheet deposit={deposit} onClose={onClose} />}
          renderMissing={() => <span className={classes.row} aria-hidden="true" />}
          summary={(total) =>
            isFiltered && <Found text={t('count', { count: total })} isFiltered onClear={clear} />
          }
          empty={
            isFiltered ? (
              <NoMatch title={t('noMatch')} onClear={clear} />
            ) : (
              <EmptyState icon="arrowDown" title={t('none')}>
                {t('noneLead')}
              </EmptyState>
            )
          }
        />
      )}
    </Section>
  );
}
