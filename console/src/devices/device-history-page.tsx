import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRewardCurrency } from '../api/currencies.ts';
import { BackLink } from '../components/back-link.tsx';
import {
  EmptyState,
  isPending,
  Page,
  QueryBoundary,
  Section,
  SkeletonLines,
} from '../components/layout.tsx';
import { EarningsChart } from '../home/earnings-chart.tsx';
import { earningsQuery } from '../home/queries.ts';
import { useToday } from '../hooks/use-today.ts';
import { useTranslation } from '../i18n/index.ts';
import { deviceName } from '../i18n/labels.ts';
import { serverNow } from '../lib/server-clock.ts';
import { lastDays } from '../lib/time-text.ts';
import { usePrices } from '../wallets/approximate-value.tsx';
import { DeviceReason, DeviceStatusText } from './device-card.tsx';
import classes from './devices.module.css';
import { HourDetails } from './hour-details.tsx';
import { HoursGrid } from './hours-grid.tsx';
import {
  type Device,
  type UsageHour,
  usageOfDaysQuery,
  usageQuery,
  useDevices,
} from './queries.ts';
import { TrafficChart } from './traffic-chart.tsx';
import uptime from './uptime.module.css';
import { listHours, shareOnline } from './uptime.ts';

const DAYS_SHOWN = 30;

/** The days of a month, with as many before them to compare. */
const earningsOf = (nodeId: string) => earningsQuery({ ...lastDays(2 * DAYS_SHOWN), nodeId });

function Earnings({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices');
  const currency = useRewardCurrency();
  const earnings = useQuery(earningsOf(device.node_id));
  return (
    <Section title={t('history.earnings')}>
      <QueryBoundary query={earnings} skeleton={<SkeletonLines count={1} height={240} />}>
        {(points) => {
          const own = points.filter((point) => point.currency === currency);
          return (
            <EarningsChart
              points={own.slice(-DAYS_SHOWN)}
              pointsBefore={own.slice(0, -DAYS_SHOWN)}
              currency={currency}
            />
          );
        }}
      </QueryBoundary>
    </Section>
  );
}

function Week({ device, usage }: { device: Device; usage: readonly UsageHour[] }) {
  const { t, language } = useTranslation('devices');
  const now = serverNow();
  const hours = listHours(usage, device.created_at, now);
  const current = hours.findLastIndex(({ iso }) => iso <= now.toISOString());
  const [picked = hours[current - 1]?.isCounted ? current - 1 : current, setPicked] =
    useState<number>();
  const hour = hours[picked];
  const share = shareOnline(hours);
  const percent =
    share !== undefined && new Intl.NumberFormat(language, { style: 'percent' }).format(share);
  return (
    <>
      {percent !== false && <p className={uptime.week}>{t('uptimeOfWeek', { percent })}</p>}
      <HoursGrid hours={hours} picked={picked} onPick={setPicked} />
      {hour && <HourDetails device={device} hour={hour} />}
    </>
  );
}

function History({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices');
  const usage = useQuery(usageQuery(device.node_id));
  return (
    <>
      <p className={classes.reason}>
        <DeviceStatusText device={device} />
        {device.status !== 'online' && <DeviceReason device={device} />}
      </p>
      <Earnings device={device} />
      <TrafficChart nodeId={device.node_id} count={DAYS_SHOWN} />
      <Section title={t('history.hours')} lead={t('history.hoursLead')}>
        <QueryBoundary query={usage} skeleton={<SkeletonLines count={1} height={240} />}>
          {(hours) => <Week device={device} usage={hours} />}
        </QueryBoundary>
      </Section>
    </>
  );
}

/** What the page shows of a device is still being asked for, but for what its hours earned. */
function useIsLoading(nodeId: string | undefined): boolean {
  const node = nodeId ?? '';
  const enabled = nodeId !== undefined;
  const queries = [
    useDevices(),
    usePrices(),
    useQuery({ ...earningsOf(node), enabled }),
    useQuery({ ...usageOfDaysQuery(node, DAYS_SHOWN), enabled }),
    useQuery({ ...usageQuery(node), enabled }),
  ];
  return queries.some(isPending);
}

/** Earnings and traffic of a device by day, and each hour of the last week with its reasons. */
export function DeviceHistoryPage() {
  const { t } = useTranslation('devices');
  useToday();
  const { node } = useSearch({ from: '/devices/history' });
  const devices = useDevices();
  const device = devices.data?.find(({ node_id }) => node_id === node);
  return (
    <Page
      title={device ? deviceName(t, device) : t('history.title')}
      isLoading={useIsLoading(device?.node_id)}
      back={<BackLink to="/devices">{t('title')}</BackLink>}
    >
      <QueryBoundary query={devices} skeleton={<SkeletonLines count={3} height={180} />}>
        {() =>
          device ? (
            <History key={device.node_id} device={device} />
          ) : (
            <Section>
              <EmptyState icon="device" title={t('history.none')}>
                {t('history.noneLead')}
              </EmptyState>
            </Section>
          )
        }
      </QueryBoundary>
    </Page>
  );
}
