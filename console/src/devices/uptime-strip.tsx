import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../i18n/index.ts';
import { serverNow } from '../lib/server-clock.ts';
import { type Device, usageQuery } from './queries.ts';
import classes from './uptime.module.css';
import { listCells, listHours, shareOnline } from './uptime.ts';

/** The last seven days of a device, four cells a day, and the part that it was online. */
export function UptimeStrip({ device }: { readonly device: Device }) {
  const { t, language } = useTranslation('devices');
  const usage = useQuery(usageQuery(device.node_id));
  const hours = usage.data && listHours(usage.data, device.created_at, serverNow());
  const share = hours && shareOnline(hours);
  // Its place is kept, so that nothing moves when it comes.
  if (!hours || share === undefined) return <span className={classes.strip} aria-hidden="true" />;
  const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(share);
  return (
    <span className={classes.strip}>
      <span className={classes.cells} aria-hidden="true">
        {listCells(hours).map(({ iso, level }) => (
          <span key={iso} data-level={level} />
        ))}
      </span>
      <span className={classes.share} title={t('uptimeOfWeek', { percent })}>
        {t('uptime', { percent })}
      </span>
    </span>
  );
}
