/** Transfers by their numbers, what was reversed, and purchases with their refunds. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Section } from '../../components/layout.tsx';
import { SearchForm } from '../../components/search-form.tsx';
import { useFilterChange } from '../../components/use-filter-change.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useReads } from '../allows.tsx';
import { Together } from '../together.tsx';
import { PastReversals, reversalsQuery } from './past-reversals.tsx';
import { PurchaseCard } from './purchase-card.tsx';
import { type PurchaseFilter, readNumber } from './purchase-filter.ts';
import { TransferSheet } from './transfer-sheet.tsx';

const DIGITS_MAX = 16;

interface FindProps {
  readonly label: string;
  readonly value: string;
  /** The first of the page has it. */
  readonly focusKey?: string;
  readonly onFind: (id: string | undefined) => void;
}

/** What is no number finds nothing: it is not sent. */
function FindNumber({ onFind, ...field }: FindProps) {
  const { t } = useTranslation('operator');
  return (
    <SearchForm
      {...field}
      submitLabel={t('users.search')}
      lengthMax={DIGITS_MAX}
      onSearch={(typed) => onFind(readNumber(typed.replace(/^#/, '')))}
    />
  );
}

function FindTransfer() {
  const { t } = useTranslation('operator');
  const [found, setFound] = useState<string>();
  return (
    <Section title={t('view.transfers')} lead={t('transfers.lead')}>
      <FindNumber label={t('transfers.find')} value="" focusKey="/" onFind={setFound} />
      {found !== undefined && (
        <TransferSheet key={found} id={Number(found)} onClose={() => setFound(undefined)} />
      )}
    </Section>
  );
}

function FindPurchase() {
  const { t } = useTranslation('operator');
  const { purchase } = useSearch({ from: '/operator' });
  const reads = useReads();
  const change = useFilterChange<PurchaseFilter>();
  return (
    <Section title={t('transfers.purchases')} lead={t('transfers.purchasesLead')}>
      <FindNumber
        label={t('transfers.findPurchase')}
        value={purchase ?? ''}
        {...(!reads('operator:ledger') && { focusKey: '/' })}
        onFind={(id) => change({ purchase: id })}
      />
      {purchase !== undefined && <PurchaseCard key={purchase} id={Number(purchase)} />}
    </Section>
  );
}

export function TransfersSection() {
  const reads = useReads();
  const seesReversals = reads('operator:ledger') && reads('operator:audit');
  const reversals = useInfiniteQuery({ ...reversalsQuery, enabled: seesReversals });
  return (
    <Together queries={[reversals]}>
      {reads('operator:ledger') && <FindTransfer />}
      {seesReversals && <PastReversals />}
      {reads('operator:purchases') && <FindPurchase />}
    </Together>
  );
}
