/** The statement of an account of the house in one currency: by bills, or by days. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { DateInput } from '../../components/date-input.tsx';
import { Facts } from '../../components/description-list.tsx';
import form from '../../components/form.module.css';
import { Icon } from '../../components/icon.tsx';
import layout from '../../components/layout.module.css';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { Segments } from '../../components/segmented-control.tsx';
import { useFilterChange } from '../../components/use-filter-change.ts';
import { DaysNote } from '../../components/utc-day-hint.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { counterpartyText } from '../../i18n/labels.ts';
import { Pager } from '../pager.tsx';
import { TransferSheet } from '../transfers/transfer-sheet.tsx';
import { DayTable } from './day-table.tsx';
import { daysQuery, type HouseRef, statementQuery } from './queries.ts';
import { PAGES_MAX, type StatementFilter } from './statement-filter.ts';
import { StatementTable } from './statement-table.tsx';
import classes from './statements.module.css';

interface Props {
  readonly account: HouseRef;
  readonly filter: StatementFilter;
}

function Bills({ account, filter }: Props) {
  const { t, language } = useTranslation('operator');
  const statement = useQuery(statementQuery(account, filter));
  const change = useFilterChange<StatementFilter>();
  const [opened, setOpened] = useState<number>();
  const page = Number(filter.page ?? 1);
  return (
    <>
      <QueryBoundary query={statement} skeleton={<SkeletonLines count={8} height={40} />}>
        {({ opening_balance, closing_balance, records, total, pages }) => (
          <>
            <Facts
              isPaired
              facts={[
                [t('statements.opening'), <Amount key="opening" value={opening_balance} />],
                [t('statements.closing'), <Amount key="closing" value={closing_balance} />],
                [t('statements.bills'), new Intl.NumberFormat(language).format(total)],
              ]}
            />
            {total === 0 ? (
              <p className={classes.none}>{t('statements.none')}</p>
            ) : (
              <StatementTable bills={records} onOpen={(bill) => setOpened(bill.transfer_id)} />
            )}
            <Pager
              page={page}
              pages={Math.min(pages, PAGES_MAX)}
              onPage={(next) => change({ page: next === 1 ? undefined : String(next) })}
            />
            {pages > PAGES_MAX && page === PAGES_MAX && (
              <p className={classes.none}>{t('statements.deeper')}</p>
            )}
          </>
        )}
      </QueryBoundary>
      {opened !== undefined && <TransferSheet id={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function Days({ account, filter }: Props) {
  const { t } = useTranslation('operator');
  const days = useQuery(daysQuery(account, filter));
  return (
    <QueryBoundary query={days} skeleton={<SkeletonLines count={8} height={40} />}>
      {({ days: list }) => {
        const busy = list.filter(({ bills }) => bills > 0);
        return busy.length === 0 ? (
          <p className={classes.none}>{t('statements.none')}</p>
        ) : (
          <DayTable days={busy} />
        );
      }}
    </QueryBoundary>
  );
}

export function StatementView({ account, filter }: Props) {
  const { t } = useTranslation('operator');
  const change = useFilterChange<StatementFilter>();
  const of = (name: 'beginTime' | 'endTime') => ({
    value: filter[name] ?? '',
    onChange: (value: string) => change({ [name]: value || undefined, page: undefined }),
  });
  return (
    <>
      <Link to="/operator" search={{ view: 'ledger' }} className={layout.back}>
        <Icon name="chevron" size={16} />
        {t('view.ledger')}
      </Link>
      <Section
        title={`${counterpartyText(t, account.house)} · ${account.currency}`}
        lead={t(filter.by === 'day' ? 'statements.leadDays' : 'statements.lead')}
        actions={
          <Segments
            label={t('statements.by')}
            value={filter.by ?? 'bill'}
            options={[
              { value: 'bill', label: t('statements.byBill') },
              { value: 'day', label: t('statements.byDay') },
            ]}
            onChange={(by) => change({ by: by === 'day' ? by : undefined, page: undefined })}
          />
        }
      >
        <search className={form.filters}>
          <DateInput label={t('audit.from')} notAfter={filter.endTime} {...of('beginTime')} />
          <DateInput label={t('audit.to')} notBefore={filter.beginTime} {...of('endTime')} />
          <DaysNote className={form.days} />
        </search>
        {filter.by === 'day' ? (
          <Days account={account} filter={filter} />
        ) : (
          <Bills account={account} filter={filter} />
        )}
      </Section>
    </>
  );
}
