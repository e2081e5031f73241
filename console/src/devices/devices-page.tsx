import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  EmptyState,
  isPending,
  Page,
  QueryBoundary,
  Section,
  SkeletonLines,
} from '../components/layout.tsx';
import { NavButton } from '../components/nav-button.tsx';
import { NARROW, useMedia } from '../components/use-media.ts';
import { devicePay } from '../home/device-pay.ts';
import { scheduleQuery } from '../home/queries.ts';
import { useTranslation } from '../i18n/index.ts';
import { DeviceList } from './device-list.tsx';
import { DeviceSheet } from './device-sheet.tsx';
import classes from './devices.module.css';
import { useDevices } from './queries.ts';

/** It promises what the rules of the network pay, and nothing else. */
function NoDevices() {
  const { t } = useTranslation('devices');
  const schedule = useQuery(scheduleQuery);
  if (isPending(schedule)) return <Skeletons />;
  const pay = devicePay(schedule.data);
  return (
    <Section>
      <EmptyState
        icon="device"
        title={t('none')}
        action={
          <NavButton to="/devices/add" icon="plus">
            {t('add')}
          </NavButton>
        }
      >
        {t(pay === 'notPaying' ? `home:${pay}` : `noneLead.${pay}`)}
      </EmptyState>
    </Section>
  );
}

function Skeletons() {
  return <SkeletonLines count={4} height={84} />;
}

/** Every device, how it is, and why. */
export function DevicesPage() {
  const { t } = useTranslation('devices');
  const devices = useDevices();
  const isNarrow = useMedia(NARROW);
  const [openId, setOpenId] = useState<string>();
  const open = devices.data?.find((device) => device.node_id === openId);
  const online = devices.data?.filter((device) => device.status === 'online').length ?? 0;
  return (
    <Page
      title={t('title')}
      actions={
        // Where there is none, the empty list itself leads there.
        devices.data?.length !== 0 && (
          <NavButton to="/devices/add" icon="plus" aria-label={t('add')}>
            {t(isNarrow ? 'addShort' : 'add')}
          </NavButton>
        )
      }
    >
      <QueryBoundary query={devices} skeleton={<Skeletons />}>
        {(list) =>
          list.length === 0 ? (
            <NoDevices />
          ) : (
            <>
              <p className={classes.count}>{t('onlineOf', { online, count: list.length })}</p>
              <DeviceList devices={list} onOpen={setOpenId} />
            </>
          )
        }
      </QueryBoundary>
      {open && <DeviceSheet device={open} onClose={() => setOpenId(undefined)} />}
    </Page>
  );
}
