/** The audit log: who changed what, when, from where, and what it was before. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ExportButton } from '../../components/export-button.tsx';
import { FilterButton, Found, NoMatch } from '../../components/filter-state.tsx';
import form from '../../components/form.module.css';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { SearchForm } from '../../components/search-form.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { Text } from '../../components/text.tsx';
import { useFilterChange } from '../../components/use-filter-change.ts';
import { useTranslation } from '../../i18n/index.ts';
import classes from './audit.module.css';
import { type AuditFilter, countFilters, readAuditFilter } from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditSheet } from './audit-sheet.tsx';
import { AuditTable } from './audit-table.tsx';
import { type AuditEntry, auditQuery, exportAudit } from './queries.ts';
import { useAuditSearch } from './use-audit-search.ts';

interface ExportProps {
  readonly filter: AuditFilter;
  readonly onClose: () => void;
}

function ExportSheet({ filter, onClose }: ExportProps) {
  const { t } = useTranslation('operator');
  return (
    <Sheet title={t('audit.export')} onClose={onClose}>
      <Text isSmall isDimmed>
        {t(countFilters(filter) > 0 ? 'audit.exportLeadFiltered' : 'audit.exportLead')}
      </Text>
      <div className={classes.ways}>
        <ExportButton
          label={t('audit.csv')}
          fetchTable={() => exportAudit(filter, 'text/csv')}
          fileName="audit-log.csv"
        />
        <ExportButton
          label={t('audit.json')}
          fetchTable={() => exportAudit(filter, 'application/json')}
          fileName="audit-log.json"
        />
      </div>
    </Sheet>
  );
}

interface FindingsProps {
  readonly count: number;
  readonly isFiltered: boolean;
  /** By text, which what is encrypted cannot match. */
  readonly isSearched: boolean;
  /** Searches older entries; absent: there are none. */
  readonly further: ReactNode;
  readonly onClear: () => void;
}

/** How much was found so far, which screen readers announce. */
function Findings({ count, isFiltered, isSearched, further, onClear }: FindingsProps) {
  const { t } = useTranslation('operator');
  if (count > 0)
    return isFiltered && <Found text={t('audit.found', { count })} isFiltered onClear={onClear} />;
  if (further)
    return (
      <EmptyState icon="search" title={t('audit.noMatchYet')} action={further}>
        {t('audit.noMatchYetLead')}
      </EmptyState>
    );
  if (isFiltered)
    return (
      <NoMatch title={t('audit.noMatch')} onClear={onClear}>
        {isSearched ? t('audit.reasonsSealed') : undefined}
      </NoMatch>
    );
  return (
    <EmptyState icon="history" title={t('audit.none')}>
      {t('audit.noneLead')}
    </EmptyState>
  );
}

interface LogProps {
  readonly filter: AuditFilter;
  readonly onChange: (change: AuditFilter) => void;
}

/** Entries as far as they were asked for. */
function Log({ filter, onChange }: LogProps) {
  const { t } = useTranslation('operator');
  const log = useInfiniteQuery(auditQuery(filter));
  const [opened, setOpened] = useState<AuditEntry>();
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  const further = log.hasNextPage && (
    <MoreButton query={log} label={t(entries.length > 0 ? 'audit.more' : 'audit.furtherBack')} />
  );
  return (
    <QueryBoundary query={log} skeleton={<SkeletonLines count={8} height={48} />}>
      {() => (
        <>
          <div role="status">
            <Findings
              count={entries.length}
              isFiltered={countFilters(filter) > 0}
              isSearched={filter.text !== undefined}
              further={further}
              onClear={() => onChange(readAuditFilter({}))}
            />
          </div>
          {entries.length > 0 && (
            <>
              <AuditTable entries={entries} onOpen={setOpened} />
              <div className={classes.more}>{further}</div>
            </>
          )}
          {opened && (
            <AuditSheet
              entry={entries.find(({ id }) => id === opened.id) ?? opened}
              onFilter={(next) => onChange({ ...readAuditFilter({}), ...next })}
              onClose={() => setOpened(undefined)}
            />
          )}
        </>
      )}
    </QueryBoundary>
  );
}

export function AuditSection() {
  const { t } = useTranslation('operator');
  const search = useSearch({ from: '/operator' });
  const filter = useMemo(() => readAuditFilter({ ...search }), [search]);
  const change = useFilterChange<AuditFilter>();
  const [isOpen, setOpen] = useState(false);
  const words = useAuditSearch(filter, change, () => setOpen(true));
  const [isExporting, setExporting] = useState(false);
  const { text: _text, ...others } = filter;
  return (
    <Section
      title={t('view.audit')}
      lead={t('audit.lead')}
      actions={
        <>
          <FilterButton
            active={countFilters(others)}
            isOpen={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
          <Button variant="default" size="sm" icon="download" onClick={() => setExporting(true)}>
            {t('audit.export')}
          </Button>
        </>
      }
    >
      <search className={form.filters}>
        <SearchForm
          label={t('audit.text')}
          submitLabel={t('audit.search')}
          value={words.value}
          focusKey="/"
          onSearch={words.search}
        />
        {isOpen && <AuditFilters filter={filter} onChange={change} />}
      </search>
      <Log key={JSON.stringify(filter)} filter={filter} onChange={change} />
      {isExporting && <ExportSheet filter={filter} onClose={() => setExporting(false)} />}
    </Section>
  );
}
