import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useCurrencies, useRewardCurrency } from '../api/currencies.ts';
import { useMe } from '../api/me.ts';
import { Amount } from '../components/amount.tsx';
import { Traffic } from '../components/data-size.tsx';
import { UtcDay } from '../components/date-time.tsx';
import { Heading } from '../components/heading.tsx';
import {
  combineQueries,
  isPending,
  QueryBoundary,
  Section,
  SkeletonLines,
} from '../components/layout.tsx';
import { SkeletonOver } from '../components/skeleton.tsx';
import { type Device, useDevices } from '../devices/queries.ts';
import { UptimeStrip } from '../devices/uptime-strip.tsx';
import { useTranslation } from '../i18n/index.ts';
import { deviceName } from '../i18n/labels.ts';
import { dayBefore, todayUtc } from '../lib/time-text.ts';
import { summaryQuery } from '../people/queries.ts';
import { ApproximateValue, usePrices } from '../wallets/approximate-value.tsx';
import { earnedToday } from './accrued.ts';
import { Balances } from './balances-section.tsx';
import { Checklist, useFirstSteps } from './checklist.tsx';
import { EarningsSection, useShownEarnings } from './earnings-section.tsx';
import { hideFirstSteps, wereFirstStepsHidden } from './first-steps-hint.ts';
import classes from './home.module.css';
import { NextPayment } from './next-payment.tsx';
import { offlineFirst } from './offline-first.ts';
import { networkRewardsQuery, scheduleQuery, useOverview } from './queries.ts';
import { RewardTypes } from './reward-types.tsx';
import { type EarningsFigure, listEarned } from './summarise-earnings.ts';
import { TodayPace } from './today-pace.tsx';

function EarnedWhen({
  earned,
  today,
}: {
  readonly earned: EarningsFigure;
  readonly today: string;
}) {
  const { t } = useTranslation('home');
  return (
    <>
      {earned.isOther ? t(`${earned.when}In`, { currency: earned.currency }) : t(earned.when)}
      {earned.when === 'yesterday' && (
        <span className={classes.yesterday}>
          {' · '}
          <UtcDay day={dayBefore(today, 1)} />
        </span>
      )}
    </>
  );
}

/** Also while it is not known: the words beside it stand on its line. */
function amountOfEarned({ amount, currency }: EarningsFigure): ReactNode {
  return (
    <>
      <Amount value={amount} size="lg" /> <ApproximateValue amount={amount} currency={currency} />
    </>
  );
}

function EarnedFigure({
  amount,
  currency,
}: {
  readonly amount: string;
  readonly currency: string;
}) {
  return (
    <>
      <Amount value={amount} currency={currency} size="hero" />
      <ApproximateValue amount={amount} currency={currency} />
    </>
  );
}

function TodayEarnings() {
  const { t } = useTranslation('home');
  const overview = useOverview();
  const currencies = useCurrencies();
  const currency = useRewardCurrency();
  const today = overview.data?.today ?? todayUtc();
  const schedule = useQuery(scheduleQuery);
  const known = combineQueries(overview, currencies);
  // A price that comes later would move the figure before it.
  const isPriceOpen = isPending(usePrices());
  return (
    <section className={classes.hero} aria-label={t('earnings')}>
      <div>
        <div className={classes.heroTitle}>
          <Heading className={classes.heroLabel} page={t('shell:nav.home')}>
            {t('today')}
          </Heading>
          <span className={classes.day}>
            <UtcDay day={today} />
          </span>
        </div>
        <div className={classes.heroFigure}>
          <QueryBoundary query={known} skeleton={<SkeletonLines count={1} height={52} />}>
            {([day]) => (
              <EarnedFigure
                amount={earnedToday(day, schedule.data, currency)}
                currency={currency}
              />
            )}
          </QueryBoundary>
        </div>
        <TodayPace currency={currency} />
        <NextPayment />
      </div>
      {(known.data !== undefined || !known.error) && (
        <dl className={classes.heroFacts}>
          {listEarned(known.data?.[0], currency).map((earned) => (
            <div key={`${earned.when} ${earned.currency}`}>
              <dt>
                <EarnedWhen earned={earned} today={today} />
              </dt>
              <dd>
                {known.data && !isPriceOpen ? (
                  amountOfEarned(earned)
                ) : (
                  <SkeletonOver>{amountOfEarned(earned)}</SkeletonOver>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** Hidden at once, and in this browser from then on. */
function FirstSteps() {
  const done = useFirstSteps();
  const [isHidden, setHidden] = useState(wereFirstStepsHidden);
  if (isHidden || !done || Object.values(done).every(Boolean)) return null;
  const hide = (): void => {
    hideFirstSteps();
    setHidden(true);
  };
  return (
    <div className={classes.wide}>
      <Checklist done={done} onHide={hide} />
    </div>
  );
}

function countOnline(devices: readonly Device[]): number {
  return devices.filter(({ status }) => status === 'online').length;
}

/** As many as stand beside the kinds of rewards; the others are one tap away. */
const DEVICES_SHOWN = 3;

function DevicesCard() {
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
                    <Traffic gigabytes={overview.data.traffic_gb} />
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

/**
 * Today's earnings in one glance, then everything around them. What comes below depends on whether
 * there is a device: it is shown once that is known, all of it at once, so that nothing moves under
 * the reader's eyes.
 */
export function HomePage() {
  const currencies = useCurrencies();
  const devices = useDevices();
  const overview = useOverview();
  const queries = [
    devices,
    currencies,
    overview,
    useMe(),
    useQuery(summaryQuery),
    useQuery(scheduleQuery),
    useQuery(networkRewardsQuery),
    usePrices(),
    useShownEarnings().earnings,
  ];
  const rewardCurrency = useRewardCurrency();
  const isWithoutDevices = devices.data?.length === 0;
  const hasEarned = useFirstSteps()?.reward === true;
  return (
    <div className={classes.page}>
      <TodayEarnings />
      {queries.some(isPending) ? (
        <div className={classes.wide}>
          <SkeletonLines count={2} height={320} />
        </div>
      ) : (
        <>
          <FirstSteps />
          {(hasEarned || !isWithoutDevices) && (
            <>
              <div className={classes.wide}>
                <EarningsSection currency={rewardCurrency} />
              </div>
              {!isWithoutDevices && <DevicesCard />}
              <div className={isWithoutDevices ? classes.wide : classes.cell}>
                <RewardTypes />
              </div>
            </>
          )}
          <div className={classes.wide}>
            <Balances />
          </div>
        </>
      )}
    </div>
  );
}
