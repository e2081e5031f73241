import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCurrencies, useRewardCurrency } from '../api/currencies.ts';
import { useMe } from '../api/me.ts';
import { isPending, SkeletonLines } from '../components/layout.tsx';
import { useDevices } from '../devices/queries.ts';
import { summaryQuery } from '../people/queries.ts';
import { usePrices } from '../wallets/approximate-value.tsx';
import { Balances } from './balances-section.tsx';
import { Checklist, useFirstSteps } from './checklist.tsx';
import { DevicesCard } from './devices-card.tsx';
import { EarningsSection, useShownEarnings } from './earnings-section.tsx';
import { hideFirstSteps, wereFirstStepsHidden } from './first-steps-hint.ts';
import classes from './home.module.css';
import { networkRewardsQuery, scheduleQuery, useOverview } from './queries.ts';
import { RewardTypes } from './reward-types.tsx';
import { TodayEarnings } from './today-earnings.tsx';

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

/** Whether an answer is missing that changes what there is, or how much room it takes. */
function useIsPending(): boolean {
  const queries = [
    useDevices(),
    useCurrencies(),
    useOverview(),
    useMe(),
    useQuery(summaryQuery),
    useQuery(scheduleQuery),
    useQuery(networkRewardsQuery),
    usePrices(),
    useShownEarnings().earnings,
  ];
  return queries.some(isPending);
}

/**
 * What depends on whether there is a device: it is shown once that is known, all of it at once, so
 * that nothing moves under the reader's eyes.
 */
function Details({ isLoading }: { readonly isLoading: boolean }) {
  const rewardCurrency = useRewardCurrency();
  const isWithoutDevices = useDevices().data?.length === 0;
  const hasEarned = useFirstSteps()?.reward === true;
  if (isLoading)
    return (
      // Not the element of the balances, which would count as moved.
      <div key="loading" className={classes.wide}>
        <SkeletonLines count={2} height={320} />
      </div>
    );
  return (
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
  );
}

/** Today's earnings in one glance, then everything around them. */
export function HomePage() {
  const isLoading = useIsPending();
  return (
    <div className={classes.page}>
      <TodayEarnings isWhole={!isLoading} />
      <Details isLoading={isLoading} />
    </div>
  );
}
