/** Purchases of packages: found by number, listed, and recorded by hand. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import form from '../../components/form.module.css';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useFilterChange } from '../../components/use-filter-change.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useReads } from '../allows.tsx';
import { FindNumber } from '../find-number.tsx';
import classes from '../money-lists.module.css';
import { purchasesQuery } from './list-queries.ts';
import { PurchaseCard } from './purchase-card.tsx';
import type { PurchaseFilter } from './purchase-filter.ts';
import { PurchaseTable } from './purchase-table.tsx';
import { RecordPurchase } from './record-purchase.tsx';

function PurchaseList({ userId }: { readonly userId: number | undefined }) {
  const { t } = useTranslation('operator');
  const found = useInfiniteQuery(purchasesQuery(userId));
  const [opened, setOpened] = useState<number>();
  const list = found.data?.pages.flatMap(({ purchases }) => purchases) ?? [];
  return (
    <QueryBoundary query={found} skeleton={<SkeletonLines count={3} />}>
      {() => (
        <>
          {list.length === 0 ? (
            <p className={classes.none}>{t('transfers.noPurchases')}</p>
          ) : (
            <PurchaseTable purchases={list} onOpen={({ id }) => setOpened(id)} />
          )}
          <div className={classes.more}>
            {found.hasNextPage && <MoreButton query={found} label={t('audit.more')} />}
          </div>
          {opened !== undefined && (
            <Sheet
              title={t('transfers.purchaseNumber', { id: opened })}
              onClose={() => setOpened(undefined)}
            >
              <PurchaseCard id={opened} />
            </Sheet>
          )}
        </>
      )}
    </QueryBoundary>
  );
}

export function Purchases() {
  const { t } = useTranslation('operator');
  const { purchase } = useSearch({ from: '/operator' });
  const reads = useReads();
  const change = useFilterChange<PurchaseFilter>();
  const [userId, setUserId] = useState<number>();
  return (
    <Section
      title={t('transfers.purchases')}
      lead={t('transfers.purchasesLead')}
      actions={<RecordPurchase />}
    >
      <FindNumber
        label={t('transfers.findPurchase')}
        value={purchase ?? ''}
        {...(!reads('operator:ledger') && { focusKey: '/' })}
        onFind={(id) => change({ purchase: id })}
      />
      {purchase !== undefined && <PurchaseCard key={purchase} id={Number(purchase)} />}
      <search className={`${form.filters} ${classes.below}`}>
        <FindNumber
          label={t('money.person')}
          value={userId === undefined ? '' : String(userId)}
          onFind={(id) => setUserId(id === undefined ? undefined : Number(id))}
        />
      </search>
      <PurchaseList key={userId} userId={userId} />
    </Section>
  );
}
