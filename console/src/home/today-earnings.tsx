import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useCurrencies, useRewardCurrency } from '../api/currencies.ts';
import { Amount } from '../components/amount.tsx';
import { UtcDay } from '../components/date-time.tsx';
import { Heading } from '../components/heading.tsx';
import { combineQueries, isPending, QueryBoundary, SkeletonLines } from '../components/layout.tsx';
import { SkeletonOver } from '../components/skeleton.tsx';
import { type Device, useDevices } from '../devices/queries.ts';
import { useTranslation } from '../i18n/index.ts';
import { toUnits } from '../lib/money-text.ts';
import { dayBefore, todayUtc } from '../lib/time-text.ts';
import { ApproximateValue, usePrices } from '../wallets/approximate-value.tsx';
import { earnedToday } from './accrued.ts';
import classes from './home.module.css';
import { NextPayment } from './next-payment.tsx';
import { type Overview, scheduleQuery, useOverview } from './queries.ts';
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

interface EarnedFactsProps {
  readonly figures: readonly EarningsFigure[];
  readonly today: string;
  readonly isKnown: boolean;
}

/** What was earned before, and in other currencies; its place while it is not known. */
function EarnedFacts({ figures, today, isKnown }: EarnedFactsProps) {
  return (
    <dl className={classes.heroFacts}>
      {figures.map((earned) => (
        <div key={`${earned.when} ${earned.currency}`}>
          <dt>
            <EarnedWhen earned={earned} today={today} />
          </dt>
          <dd>
            {isKnown ? (
              amountOfEarned(earned)
            ) : (
              <SkeletonOver>{amountOfEarned(earned)}</SkeletonOver>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Whether there is neither a device nor anything earned: nothing can stand beside the figure. */
function isBare(overview: Overview | undefined, devices: readonly Device[] | undefined): boolean {
  return (
    devices?.length === 0 &&
    overview !== undefined &&
    [...overview.total_earnings, ...overview.accrued].every(({ amount }) => toUnits(amount) === 0n)
  );
}

/**
 * What was earned today and before, and when it is paid.
 * @param isWhole what stands below is shown too. Figures of other currencies take room of their
 *   own, so they come together with it.
 */
export function TodayEarnings({ isWhole }: { readonly isWhole: boolean }) {
  const { t } = useTranslation('home');
  const overview = useOverview();
  const currencies = useCurrencies();
  const currency = useRewardCurrency();
  const today = overview.data?.today ?? todayUtc();
  const schedule = useQuery(scheduleQuery);
  const known = combineQueries(overview, currencies);
  const devices = useDevices();
  const isWithoutPace = isWhole && isBare(overview.data, devices.data);
  // A price that comes later would move the figure before it, and what has accrued changes it.
  // Without a device it takes less room, once what stands below can move with it.
  const isOpen =
    [usePrices(), schedule, overview, devices].some(isPending) ||
    (!isWhole && isBare(overview.data, devices.data));
  const skeleton = <SkeletonLines count={1} height={52} />;
  const figures = listEarned(known.data?.[0], currency);
  return (
    <section
      className={classes.hero}
      data-bare={isWithoutPace || undefined}
      aria-label={t('earnings')}
    >
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
          <QueryBoundary query={known} skeleton={skeleton}>
            {([day]) =>
              isOpen ? (
                skeleton
              ) : (
                <EarnedFigure
                  amount={earnedToday(day, schedule.data, currency)}
                  currency={currency}
                />
              )
            }
          </QueryBoundary>
        </div>
        {!isWithoutPace && <TodayPace currency={currency} />}
        <NextPayment isOpen={isOpen} />
      </div>
      {(known.data !== undefined || !known.error) && (
        <EarnedFacts
          // Not the element of what is loading, which would count as moved.
          key={isOpen ? 'loading' : 'known'}
          figures={figures.filter(({ isOther }) => isWhole || !isOther)}
          today={today}
          isKnown={known.data !== undefined && !isOpen}
        />
      )}
    </section>
  );
}
