/** Runs that settle the rewards of hours, newest first. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { Segments } from '../../components/segmented-control.tsx';
import { useFilterChange } from '../../components/use-filter-change.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Pager } from '../pager.tsx';
import { type Settlement, settlementsQuery } from './queries.ts';
import { SettlementSheet } from './settlement-sheet.tsx';
import { SettlementTable } from './settlement-table.tsx';

interface Shown {
  readonly page?: string | undefined;
  readonly only?: 'unfinished' | undefined;
}

export function SettlementsSection() {
  const { t } = useTranslation('operator');
  const { page: asked, only } = useSearch({ from: '/operator' });
  const page = Number(asked ?? 1);
  const change = useFilterChange<Shown>();
  const runs = useQuery(settlementsQuery(page, only));
  const [opened, setOpened] = useState<Settlement>();
  return (
    <Section
      title={t('view.settlements')}
      lead={t('settlements.lead')}
      actions={
        <Segments
          label={t('settlements.show')}
          value={only ?? 'all'}
          options={[
            { value: 'all', label: t('settlements.all') },
            { value: 'unfinished', label: t('settlements.unfinished') },
          ]}
          onChange={(shown) =>
            change({ only: shown === 'unfinished' ? shown : undefined, page: undefined })
          }
        />
      }
    >
      <QueryBoundary query={runs} skeleton={<SkeletonLines count={8} height={40} />}>
        {({ records, pages }) => (
          <>
            {records.length === 0 ? (
              <EmptyState
                icon={only === undefined ? 'history' : 'check'}
                title={t(only === undefined ? 'settlements.none' : 'settlements.noUnfinished')}
              />
            ) : (
              <SettlementTable settlements={records} onOpen={setOpened} />
            )}
            <Pager
              page={page}
              pages={pages}
              onPage={(next) => change({ page: next === 1 ? undefined : String(next) })}
            />
          </>
        )}
      </QueryBoundary>
      {opened && (
        <SettlementSheet
          settlement={runs.data?.records.find(({ id }) => id === opened.id) ?? opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Section>
  );
}
