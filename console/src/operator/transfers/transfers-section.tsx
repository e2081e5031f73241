/** Transfers by their numbers, what was reversed, and purchases with their refunds. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Section } from '../../components/layout.tsx';
import { useFilterChange } from '../../components/use-filter-change.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useReads } from '../allows.tsx';
import { FindNumber } from '../find-number.tsx';
import { Together } from '../together.tsx';
import { PastReversals, reversalsQuery } from './past-reversals.tsx';
import { PurchaseCard } from './purchase-card.tsx';
import type { PurchaseFilter } from './purchase-filter.ts';
import { TransferSheet } from './transfer-sheet.tsx';

function FindTransfer() {
  const { t } = useTranslation('operator');
  const [found, setFound] = useState<string>();
  return (
    <Section title={t('view.transfers')} lead={t('transfers.lead')}>
      <FindNumber label={t('transfers.find')} focusKey="/" onFind={setFound} />
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
