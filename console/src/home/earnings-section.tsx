import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCurrencies } from '../api/currencies.ts';
import { useTranslation } from '../i18n/index.ts';
import { rewardTypeText } from '../i18n/words.ts';
import { lastDays } from '../lib/time-text.ts';
import { Segments } from '../parts/choice.tsx';
import { DaysNote } from '../parts/days-note.tsx';
import { Select } from '../parts/field.tsx';
import { Loaded, Section, SkeletonLines, together } from '../parts/layout.tsx';
import { EarningsChart } from './earnings-chart.tsx';
import classes from './home.module.css';
import { earningsQuery, networkRewardsQuery } from './queries.ts';

const RANGES = ['7', '30', '90'] as const;
/** What is shown first. */
export const DAYS_SHOWN = 30;

/** Earnings by day, of one currency and one or all types. */
export function EarningsSection({ currency: rewardCurrency }: { readonly currency: string }) {
  const { t } = useTranslation('home');
  const [range, setRange] = useState(String(DAYS_SHOWN));
  const [chosenCurrency, setCurrency] = useState('');
  const [rewardType, setRewardType] = useState('');
  const currencies = useCurrencies();
  const types = useQuery(networkRewardsQuery);
  const currency = chosenCurrency || rewardCurrency;
  const earnings = useQuery(earningsQuery({ ...lastDays(Number(range)), ...(rewardType !== '' && { rewardType }) }));
  const typeNames = [...new Set(types.data?.map((entry) => entry.reward_type))];
  return (
    <Section
      title={t('earningsByDay')}
      actions={
        <Segments
          label={t('range')}
          value={range}
          onChange={setRange}
          options={RANGES.map((days) => ({ value: days, label: t('days', { count: Number(days) }) }))}
        />
      }
    >
      <Loaded query={together(earnings, currencies)} skeleton={<SkeletonLines count={1} height={268} />}>
        {([points]) => <EarningsChart points={points.filter((point) => currency === '' || point.currency === currency)} currency={currency} />}
      </Loaded>
      <DaysNote />
      <div className={classes.filters}>
        <Select
          label={t('currency')}
          value={currency}
          onChange={(event) => setCurrency(event.currentTarget.value)}
          options={(currencies.data ?? []).map(({ code }) => ({ value: code, label: code }))}
        />
        <Select
          label={t('rewardType')}
          value={rewardType}
          onChange={(event) => setRewardType(event.currentTarget.value)}
          options={[{ value: '', label: t('allTypes') }, ...typeNames.map((name) => ({ value: name, label: rewardTypeText(t, name) }))]}
        />
      </div>
    </Section>
  );
}
