import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useCurrencies, useKnownCurrency } from '../api/currencies.ts';
import { Select } from '../components/field.tsx';
import { combineQueries, QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { Segments } from '../components/segmented-control.tsx';
import { useFilterChange } from '../components/use-filter-change.ts';
import { DaysNote } from '../components/utc-day-hint.tsx';
import { useTranslation } from '../i18n/index.ts';
import { rewardTypeText } from '../i18n/labels.ts';
import { readOneOf } from '../lib/search-params.ts';
import { lastDays } from '../lib/time-text.ts';
import { type ChartFilter, RANGES } from './chart-filter.ts';
import { EarningsChart } from './earnings-chart.tsx';
import classes from './home.module.css';
import { earningsQuery, networkRewardsQuery } from './queries.ts';

/** What is shown first. */
const DAYS_SHOWN = 30;

/**
 * What the chart shows, as far as the address says it. A type counts once it is known to be one.
 */
export function useShownEarnings() {
  const { days = String(DAYS_SHOWN), rewardType: given } = useSearch({ from: '/' });
  const types = useQuery(networkRewardsQuery);
  const typeNames = [...new Set(types.data?.map((entry) => entry.reward_type))];
  const rewardType = readOneOf(given, typeNames);
  const options = earningsQuery({
    ...lastDays(Number(days)),
    ...(rewardType !== undefined && { rewardType }),
  });
  const earnings = useQuery({ ...options, enabled: given === undefined || !types.isPending });
  return { days, typeNames, rewardType, earnings };
}

/** Earnings by day, of one currency and one or all types. */
export function EarningsSection({ currency: rewardCurrency }: { readonly currency: string }) {
  const { t } = useTranslation('home');
  const { currency: given } = useSearch({ from: '/' });
  const { days, typeNames, rewardType, earnings } = useShownEarnings();
  const change = useFilterChange<ChartFilter>();
  const currencies = useCurrencies();
  const currency = useKnownCurrency(given).currency ?? rewardCurrency;
  return (
    <Section
      title={t('earningsByDay')}
      actions={
        <Segments
          label={t('range')}
          value={days}
          onChange={(chosen) => change({ days: readOneOf(chosen, RANGES) })}
          options={RANGES.map((value) => ({ value, label: t('days', { count: Number(value) }) }))}
        />
      }
    >
      <QueryBoundary
        query={combineQueries(earnings, currencies)}
        skeleton={<SkeletonLines count={1} height={268} />}
      >
        {([points]) => (
          <EarningsChart
            points={points.filter((point) => currency === '' || point.currency === currency)}
            currency={currency}
          />
        )}
      </QueryBoundary>
      <DaysNote />
      <div className={classes.filters}>
        <Select
          label={t('currency')}
          value={currency}
          onChange={(event) => change({ currency: event.currentTarget.value })}
          options={(currencies.data ?? []).map(({ code }) => ({ value: code, label: code }))}
        />
        <Select
          label={t('rewardType')}
          value={rewardType ?? ''}
          onChange={(event) => change({ rewardType: event.currentTarget.value || undefined })}
          options={[
            { value: '', label: t('allTypes') },
            ...typeNames.map((name) => ({ value: name, label: rewardTypeText(t, name) })),
          ]}
        />
      </div>
    </Section>
  );
}
