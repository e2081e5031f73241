import { useQuery } from '@tanstack/react-query';
import { Traffic } from '../components/data-size.tsx';
import { DateTime } from '../components/date-time.tsx';
import { useTranslation } from '../i18n/index.ts';
import { refusedReportText } from '../i18n/message-code-text.ts';
import classes from './devices.module.css';
import { refusedReportsQuery } from './queries.ts';

/** The newest reports about a device that do not count; nothing while there are none. */
export function RefusedReports({ nodeId }: { readonly nodeId: string }) {
  const { t } = useTranslation('devices');
  const { data } = useQuery(refusedReportsQuery(nodeId));
  if (!data || data.total === 0) return null;
  return (
    <details className={classes.refused}>
      <summary>{t('refusedReports', { count: data.total })}</summary>
      <ul>
        {data.records.map((report) => (
          <li key={JSON.stringify(report)}>
            {refusedReportText(t, report)}
            <span className={classes.small}>
              <DateTime iso={report.received_at} isShort />
              {report.traffic_gb !== undefined && (
                <>
                  {' · '}
                  <Traffic gigabytes={report.traffic_gb} size="sm" digits="switch" />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
