import { useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { DateInput } from '../components/date-input.tsx';
import { ExportButton } from '../components/export-button.tsx';
import { Found, NoMatch } from '../components/filter-state.tsx';
import { useFoldedFilters } from '../components/folded-filters.tsx';
import form from '../components/form.module.css';
import { EmptyState, Section } from '../components/layout.tsx';
import { PagedList } from '../components/paged-list.tsx';
import { SearchForm } from '../components/search-form.tsx';
import { Segments } from '../components/segmented-control.tsx';
import { showToast } from '../components/toaster.tsx';
import { useFilterChange } from '../components/use-filter-change.ts';
import { useMedia } from '../components/use-media.ts';
import { DaysNote } from '../components/utc-day-hint.tsx';
import { useTranslation } from '../i18n/index.ts';
import { type MemberFilter, readMemberFilter } from './member-filter.ts';
import {
  COLUMNS,
  COLUMNS_ROW_HEIGHT,
  MemberColumns,
  MemberRow,
  MissingMemberRow,
  ROW_HEIGHT,
} from './member-row.tsx';
import { useDrafts } from './note.tsx';
import classes from './people.module.css';
import { exportMembers, fetchMembers } from './queries.ts';

interface FiltersProps {
  readonly filter: MemberFilter;
  /** The days are shown, too. */
  readonly hasDays: boolean;
  readonly onChange: (change: MemberFilter) => void;
}

function Filters({ filter, hasDays, onChange }: FiltersProps) {
  const { t } = useTranslation('people');
  return (
    <search className={form.filters}>
      <SearchForm
        label={t('keyword')}
        submitLabel={t('search')}
        value={filter.keyword ?? ''}
        onSearch={(keyword) => onChange({ keyword: keyword || undefined })}
      />
      {hasDays && (
        <>
          <DateInput
            label={t('from')}
            value={filter.beginDate ?? ''}
            notAfter={filter.endDate}
            onChange={(beginDate) => onChange({ beginDate: beginDate || undefined })}
          />
          <DateInput
            label={t('to')}
            value={filter.endDate ?? ''}
            notBefore={filter.beginDate}
            onChange={(endDate) => onChange({ endDate: endDate || undefined })}
          />
          <DaysNote className={form.days} />
        </>
      )}
    </search>
  );
}

interface WhichProps {
  readonly type: MemberFilter['type'];
  readonly onChange: (type: MemberFilter['type']) => void;
}

function WhichMembers({ type: shown, onChange }: WhichProps) {
  const { t } = useTranslation('people');
  return (
    <div className={classes.which}>
      <Segments
        label={t('which')}
        value={shown ?? 'DIRECT'}
        onChange={(type) => onChange(type === 'COMMUNITY' ? 'COMMUNITY' : undefined)}
        options={[
          { value: 'DIRECT', label: t('direct') },
          { value: 'COMMUNITY', label: t('community') },
        ]}
      />
    </div>
  );
}

/** The members of the filter, as a table. */
function ExportMembers({ filter }: Pick<FiltersProps, 'filter'>) {
  const { t } = useTranslation('people');
  const sayCapped = ({ headers }: Response): void => {
    if (headers.get('x-result-capped') === 'true')
      showToast(t('capped', { total: headers.get('x-total-count') ?? '' }));
  };
  return (
    <ExportButton
      label={t('export')}
      fetchTable={() => exportMembers(filter)}
      fileName="community.csv"
      onTable={sayCapped}
    />
  );
}

export function MembersSection({ currency }: { readonly currency: string }) {
  const { t } = useTranslation('people');
  const filter: MemberFilter = useSearch({ from: '/people' });
  const change = useFilterChange<MemberFilter>();
  const drafts = useDrafts();
  const hasColumns = useMedia(COLUMNS);
  const queryKey = useMemo(() => ['people', 'members', filter], [filter]);
  const fetchPage = useCallback(
    (current: number, signal: AbortSignal) => fetchMembers(filter, current, signal),
    [filter],
  );
  const isFiltered = Boolean(filter.keyword || filter.beginDate || filter.endDate);
  const folded = useFoldedFilters([filter.beginDate, filter.endDate].filter(Boolean).length);
  const clear = (): void => change({ ...readMemberFilter({}), type: filter.type });
  return (
    <Section
      title={t('membersTitle')}
      actions={
        <>
          {folded.button}
          <ExportMembers filter={filter} />
        </>
      }
    >
      <WhichMembers type={filter.type} onChange={(type) => change({ type })} />
      <Filters filter={filter} hasDays={folded.isShown} onChange={change} />
      <PagedList
        label={t('membersTitle')}
        queryKey={queryKey}
        fetchPage={fetchPage}
        rowHeight={hasColumns ? COLUMNS_ROW_HEIGHT : ROW_HEIGHT}
        keyOf={(member) => member.user_id}
        renderRow={(member) => (
          <MemberRow member={member} currency={currency} drafts={drafts} hasColumns={hasColumns} />
        )}
        renderMissing={() => <MissingMemberRow />}
        summary={(total) => (
          <>
            <Found text={t('count', { count: total })} isFiltered={isFiltered} onClear={clear} />
            {hasColumns && <MemberColumns currency={currency} />}
          </>
        )}
        empty={
          isFiltered ? (
            <NoMatch title={t('noMatch')} onClear={clear} />
          ) : (
            <EmptyState icon="people" title={t('none')}>
              {t('noneLead')}
            </EmptyState>
          )
        }
      />
    </Section>
  );
}
