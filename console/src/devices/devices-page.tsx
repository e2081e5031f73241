import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loaded, Page, Section, SkeletonLines } from '../parts/layout.tsx';
import { DeviceCard } from './device-card.tsx';
import { DeviceSheet } from './device-sheet.tsx';
import classes from './devices.module.css';
import { useDevices } from './queries.ts';

/** Every device, how it is, and why. */
export function DevicesPage() {
  const { t } = useTranslation('devices');
  const devices = useDevices();
  const [openId, setOpenId] = useState<string>();
  const open = devices.data?.find((device) => device.node_id === openId);
  const online = devices.data?.filter((device) => device.status === 'online').length ?? 0;
  return (
    <Page
      title={t('title')}
      actions={
        <Link to="/devices/add" className={classes.add}>
          <Icon name="plus" size={18} /> {t('add')}
        </Link>
      }
    >
      <Loaded query={devices} skeleton={<SkeletonLines count={4} height={84} />}>
        {(list) =>
          list.length === 0 ? (
            <Section>
              <Empty icon="device" title={t('none')} action={<Link to="/devices/add">{t('add')}</Link>}>
                {t('noneLead')}
              </Empty>
            </Section>
          ) : (
            <>
              <p className={classes.count}>{t('onlineOf', { online, count: list.length })}</p>
              <ul className={classes.list}>
                {list.map((device) => (
                  <li key={device.node_id}>
                    <DeviceCard device={device} onOpen={() => setOpenId(device.node_id)} />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      {open && <DeviceSheet device={open} onClose={() => setOpenId(undefined)} />}
    </Page>
  );
}
