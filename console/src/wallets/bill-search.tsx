/** What a search of a wallet found, as far back as was asked for. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DateOnly } from '../components/date-time.tsx';
import { EmptyState, QueryBoundary, SkeletonLines } from '../components/layout.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { useTranslation } from '../i18n/index.ts';
import type { BillFilter } from './bill-filter.ts';
import { BillRow } from './bill-row.tsx';
import { BillSheet } from './bill-sheet.tsx';
import { isSameDay } from './bill-values.ts';
import { type Bill, billSearchQuery, type Wallet } from './queries.ts';
import { findCodes } from './search-codes.ts';
import classes from './wallets.module.css';

interface ReachProps {
  /** When the oldest entry was recorded that was looked at. */
  readonly backTo: string | undefined;
  readonly isAll: boolean;
}

/** How far back was searched. */
function Reach({ backTo, isAll }: ReachProps) {
  const { t } = useTranslation('wallets');
  if (isAll || backTo === undefined) return t('search.all');
  return (
    <>
      {t('search.backTo')} <DateOnly iso={backTo} />
    </>
  );
}

interface Props {
  readonly wallet: Wallet;
  readonly text: string;
  readonly filter: BillFilter;
}

export function BillSearch({ wallet, text, filter }: Props) {
  const { t } = useTranslation('wallets');
  const codes = findCodes(t, text).join(',');
  const search = useInfiniteQuery(billSearchQuery(wallet, { text, codes, filter }));
  const [opened, setOpened] = useState<Bill>();
  const bills = search.data?.pages.flatMap(({ records }) => records) ?? [];
  const reach = (
    <Reach backTo={search.data?.pages.at(-1)?.searched_back_to} isAll={!search.hasNextPage} />
  );
  const further = search.hasNextPage && <MoreButton query={search} label={t('search.further')} />;
  return (
    <QueryBoundary query={search} skeleton={<SkeletonLines count={4} height={58} />}>
      {() => (
        <>
          <div role="status">
            {bills.length === 0 ? (
              <EmptyState icon="search" title={t('search.none', { text })} action={further}>
                {t('search.noneLead')} {reach}
              </EmptyState>
            ) : (
              <p className={classes.reach}>{t('search.found', { count: bills.length })}</p>
            )}
          </div>
          {bills.length > 0 && (
            <>
              <ul className={classes.found} aria-label={t('bills')}>
                {bills.map((bill, at) => (
                  <li key={bill.id}>
                    <BillRow
                      bill={bill}
                      wallet={wallet}
                      isFirstOfDay={!isSameDay(bill, bills[at - 1])}
                      onOpen={setOpened}
                    />
                  </li>
                ))}
              </ul>
              <p className={classes.reach}>{reach}</p>
              {further}
            </>
          )}
          {opened && (
            <BillSheet bill={opened} wallet={wallet} onClose={() => setOpened(undefined)} />
          )}
        </>
      )}
    </QueryBoundary>
  );
}
