/** Transfers by their numbers and listed, what was reversed, and purchases with their refunds. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { useReads } from '../allows.tsx';
import { walletKindsQuery } from '../books/queries.ts';
import { FindNumber } from '../find-number.tsx';
import { Together } from '../together.tsx';
import { purchasesQuery, transfersQuery } from './list-queries.ts';
import { PastReversals, reversalsQuery } from './past-reversals.tsx';
import { Purchases } from './purchases.tsx';
import { RecentTransfers } from './recent-transfers.tsx';
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

export function TransfersSection() {
  const reads = useReads();
  const [seesTransfers, seesPurchases] = [reads('operator:ledger'), reads('operator:purchases')];
  const seesReversals = seesTransfers && reads('operator:audit');
  const transfers = useInfiniteQuery({ ...transfersQuery({}), enabled: seesTransfers });
  const kinds = useQuery({ ...walletKindsQuery, enabled: seesTransfers });
  const reversals = useInfiniteQuery({ ...reversalsQuery, enabled: seesReversals });
  const purchases = useInfiniteQuery({ ...purchasesQuery(undefined), enabled: seesPurchases });
  return (
    <Together queries={[transfers, kinds, reversals, purchases]}>
      {seesTransfers && <FindTransfer />}
      {seesTransfers && <RecentTransfers />}
      {seesReversals && <PastReversals />}
      {seesPurchases && <Purchases />}
    </Together>
  );
}
