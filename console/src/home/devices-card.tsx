import { Link } from '@tanstack/react-router';
import { Traffic } from '../components/data-size.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { type Device, useDevices } from '../devices/queries.ts';
import { UptimeStrip } from '../devices/uptime-strip.tsx';
import { useTranslation } from '../i18n/index.ts';
import { deviceName } from '../i18n/labels.ts';
import classes from './home.module.css';
import { offlineFirst } from './offline-first.ts';
import { useOverview } from './queries.ts';

function countOnline(devices: readonly Device[]): number {
  return devices.filter(({ status }) => status === 'online').length;
}

/** As many as stand beside the kinds of rewards; the others are one tap away. */
const DEVICES_SHOWN = 3;

/** The devices that need the person first, with their uptime. */
export function DevicesCard() {
  const { t } = useTranslation('home');
  const devices = useDevices();
  const overview = useOverview();
  return (
    <Section title={t('network')} actions={<Link to="/devices">{t('allDevices')}</Link>}>
      <QueryBoundary query={devices} skeleton={<SkeletonLines count={2} />}>
        {(list) => (
          <>
            <dl className={classes.facts}>
              <div>
                <dt>{t('online')}</dt>
                <dd>
                  <strong>{countOnline(list)}</strong> / {list.length}
                </dd>
              </div>
              <div>
                <dt>{t('traffic')}</dt>
                <dd>
                  {overview.data ? (
                    <Traffic gigabytes={overview.data.traffic_gb} digits="switch" />
                  ) : overview.error ? (
                    '–'
                  ) : (
                    '…'
                  )}
                </dd>
              </div>
            </dl>
            <ul className={classes.devices}>
              {offlineFirst(list)
                .slice(0, DEVICES_SHOWN)
                .map((device) => (
                  <li key={device.node_id} data-status={device.status}>
                    <span>
                      {deviceName(t, device)}
                      <UptimeStrip device={device} />
                    </span>
                    <span>{t(`devices:status.${device.status}`)}</span>
                  </li>
                ))}
            </ul>
          </>
        )}
      </QueryBoundary>
    </Section>
  );
}
