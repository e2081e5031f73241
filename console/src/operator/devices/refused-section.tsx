/** Traffic reports that do not count: how many by relay and reason, and each of them. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Traffic } from '../../components/data-size.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { refusedReportText } from '../../i18n/message-code-text.ts';
import table from '../dense-table.module.css';
import { DenseTable, RowOpener } from '../dense-table.tsx';
import { PersonLink } from '../person-link.tsx';
import type { NetworkDeviceFilter } from './device-filter.ts';
import classes from './devices.module.css';
import { type RefusedReport, refusedCountsQuery, refusedReportsQuery } from './queries.ts';

interface RowProps {
  readonly report: RefusedReport;
  readonly onFilter: (filter: NetworkDeviceFilter) => void;
}

function Row({ report, onFilter }: RowProps) {
  const { t } = useTranslation('operator');
  return (
    <tr>
      <td className={classes.cause}>
        <RowOpener
          label={t('devices.openNode', { node: report.node_id })}
          onOpen={() => onFilter({ device: report.node_id })}
        >
          {refusedReportText(t, report)}
        </RowOpener>
        <code className={classes.node}>{report.node_id}</code>
      </td>
      <td className={classes.owner}>
        <PersonLink id={String(report.user_id)}>
          {report.nickname || String(report.user_id)}
        </PersonLink>
      </td>
      <td className={classes.relay}>
        {report.client_id}
        <span className={table.small}>{report.report_id}</span>
      </td>
      <td className={classes.received}>
        <DateTime iso={report.received_at} isShort />
      </td>
      <td className={classes.traffic}>
        {report.traffic_gb === undefined ? (
          '–'
        ) : (
          <Traffic gigabytes={report.traffic_gb} size="sm" />
        )}
      </td>
    </tr>
  );
}

/** With the class of each. */
const COLUMNS = {
  reason: classes.cause,
  owner: classes.owner,
  relay: classes.relay,
  received: classes.received,
  traffic: classes.traffic,
} as const;

const keyOf = ({ received_at, client_id, report_id, node_id }: RefusedReport): string =>
  [received_at, client_id, report_id, node_id].join(' ');

function Reports({ onFilter }: Pick<RowProps, 'onFilter'>) {
  const { t } = useTranslation('operator');
  const reports = useInfiniteQuery(refusedReportsQuery);
  const list = reports.data?.pages.flatMap((page) => page.reports) ?? [];
  return (
    <QueryBoundary query={reports} skeleton={<SkeletonLines count={4} height={52} />}>
      {() =>
        list.length === 0 ? (
          <p className={classes.none}>{t('devices.noReports')}</p>
        ) : (
          <>
            <DenseTable
              label={t('devices.reports')}
              columns={(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((key) => ({
                key,
                label: t(`devices.column.${key}`),
                className: COLUMNS[key],
              }))}
            >
              {list.map((report) => (
                <Row key={keyOf(report)} report={report} onFilter={onFilter} />
              ))}
            </DenseTable>
            {reports.hasNextPage && (
              <div className={classes.more}>
                <MoreButton query={reports} label={t('devices.more')} />
              </div>
            )}
          </>
        )
      }
    </QueryBoundary>
  );
}

export function RefusedSection({ onFilter }: Pick<RowProps, 'onFilter'>) {
  const { t } = useTranslation('operator');
  const counts = useQuery(refusedCountsQuery);
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={t('devices.refused')}
      lead={t('devices.refusedLead')}
      actions={
        <Button variant="default" size="sm" onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'devices.hideReports' : 'devices.showReports')}
        </Button>
      }
    >
      <QueryBoundary query={counts} skeleton={<SkeletonLines count={3} />}>
        {({ counts: list }) =>
          list.length === 0 ? (
            <EmptyState icon="check" title={t('devices.noRefused')} />
          ) : (
            <ul className={classes.counts} aria-label={t('devices.refused')}>
              {list.map((count) => (
                <li key={`${count.client_id} ${count.reason_code}`}>
                  <span>
                    {refusedReportText(t, count)}
                    <span className={table.small}>{count.client_id}</span>
                  </span>
                  <span className={classes.number}>
                    {t('devices.reportCount', { count: count.reports })}
                    <span className={table.small}>
                      {t('devices.deviceCount', { count: count.devices })}
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      {isOpen && (
        <div className={classes.each}>
          <Reports onFilter={onFilter} />
        </div>
      )}
    </Section>
  );
}
