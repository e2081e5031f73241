/** Devices of a person. */
import { useQuery } from '@tanstack/react-query';
import { Traffic } from '../../components/data-size.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { DeviceReason, DeviceStatusText } from '../../devices/device-card.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { deviceName } from '../../i18n/labels.ts';
import classes from './person.module.css';
import { devicesQuery } from './queries.ts';

export function DevicesSection({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('operator');
  const devices = useQuery(devicesQuery(userId));
  return (
    <Section title={t('person.devices')}>
      <QueryBoundary query={devices} skeleton={<SkeletonLines count={2} />}>
        {({ devices: list }) =>
          list.length === 0 ? (
            <p className={classes.none}>{t('person.noDevices')}</p>
          ) : (
            <ul className={classes.rows}>
              {list.map((device) => (
                <li key={device.node_id}>
                  <span className={classes.apart}>
                    <span className={classes.line}>{deviceName(t, device)}</span>
                    <Traffic gigabytes={device.traffic_gb} size="sm" />
                  </span>
                  <span className={classes.small}>
                    <DeviceStatusText device={device} />
                    {device.status !== 'online' && <DeviceReason device={device} isOwn={false} />}
                  </span>
                  <span className={classes.small}>
                    {device.node_id} · {device.os} · {device.timezone}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </Section>
  );
}
