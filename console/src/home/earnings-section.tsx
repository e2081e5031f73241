import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useCurrencies, useKnownCurrency } from '../api/currencies.ts';
import { Button } from '../components/button.tsx';
import { Select } from '../components/field.tsx';
import { saveTable } from '../components/file.ts';
import { FilterButton } from '../components/filter-state.tsx';
import { combineQueries, QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { Segments } from '../components/segmented-control.tsx';
import { SkeletonOver } from '../components/skeleton.tsx';
import { useFilterChange } from '../components/use-filter-change.ts';
import { DaysNote } from '../components/utc-day-hint.tsx';
import { useDevices } from '../devices/queries.ts';
import { useToday } from '../hooks/use-today.ts';
import { useTranslation } from '../i18n/index.ts';
import { deviceName, rewardTypeText } from '../i18n/labels.ts';
import { readOneOf } from '../lib/search-params.ts';
import { lastDays } from '../lib/time-text.ts';
import { type ChartFilter, RANGES } from './chart-filter.ts';
import { EarningsChart, EarningsSum } from './earnings-chart.tsx';
import { writeEarningsTable } from './earnings-table.ts';
import classes from './home.module.css';
import { type EarningPoint, earningsQuery, networkRewardsQuery } from './queries.ts';

/** What is shown first. */
export const DAYS_SHOWN = 30;

/**
 * What the chart shows, by the address of the page, with as many days before it to compare. A type
 * or device counts once it is known.
 */
export function useShownEarnings() {
  const search = useSearch({ from: '/' });
  const { days = String(DAYS_SHOWN) } = search;
  useToday();
  const types = useQuery(networkRewardsQuery);
  const devices = useDevices();
  const typeNames = [...new Set(types.data?.map((entry) => entry.reward_type))];
  const rewardType = readOneOf(search.rewardType, typeNames);
  const nodeId = readOneOf(search.nodeId, devices.data?.map((device) => device.node_id) ?? []);
  const isKnown =
    (search.rewardType === undefined || !types.isPending) &&
    (search.nodeId === undefined || !devices.isPending);
  const earnings = useQuery({
    ...earningsQuery({
      ...lastDays(2 * Number(days)),
      ...(rewardType !== undefined && { rewardType }),
      ...(nodeId !== undefined && { nodeId }),
    }),
    enabled: isKnown,
  });
  return { days, typeNames, rewardType, nodeId, earnings };
}

interface FiltersProps {
  readonly currency: string;
  readonly typeNames: readonly string[];
  readonly rewardType: string | undefined;
  readonly nodeId: string | undefined;
}

function Filters({ currency, typeNames, rewardType, nodeId }: FiltersProps) {
  const { t } = useTranslation('home');
  const change = useFilterChange<ChartFilter>();
  const currencies = useCurrencies();
  const devices = useDevices();
  return (
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
      <Select
        label={t('device')}
        value={nodeId ?? ''}
        onChange={(event) => change({ nodeId: event.currentTarget.value || undefined })}
        options={[
          { value: '', label: t('allTypes') },
          ...(devices.data ?? []).map((device) => ({
            value: device.node_id,
            label: deviceName(t, device),
          })),
        ]}
      />
    </div>
  );
}

function SaveTable({ points }: { readonly points: readonly EarningPoint[] }) {
  const { t } = useTranslation('home');
  const save = (): void =>
    void saveTable(new Response(writeEarningsTable(points), CSV), 'earnings.csv');
  return (
    <Button variant="default" size="sm" icon="download" onClick={save}>
      {t('export')}
    </Button>
  );
}

const CSV = { headers: { 'content-type': 'text/csv;charset=utf-8' } };

/** Earnings by day, of one currency and one or all types and devices. */
export function EarningsSection({ currency: rewardCurrency }: { readonly currency: string }) {
  const { t } = useTranslation('home');
  const search = useSearch({ from: '/' });
  const active = [search.currency, search.rewardType, search.nodeId].filter(Boolean).length;
  const [isOpen, setOpen] = useState(false);
  const { days, earnings, ...shown } = useShownEarnings();
  const change = useFilterChange<ChartFilter>();
  const currencies = useCurrencies();
  const currency = useKnownCurrency(search.currency).currency ?? rewardCurrency;
  const points = (earnings.data ?? []).filter(
    (point) => currency === '' || point.currency === currency,
  );
  const current = points.slice(-Number(days));
  const sum = <EarningsSum points={current} currency={currency} />;
  const isFailed = earnings.data === undefined && earnings.error !== null;
  return (
    <Section
      title={t('earningsByDay')}
      figure={earnings.data ? sum : !isFailed && <SkeletonOver>{sum}</SkeletonOver>}
      actions={
        <>
          <Segments
            label={t('range')}
            value={days}
            onChange={(chosen) => change({ days: readOneOf(chosen, RANGES) })}
            options={RANGES.map((value) => ({ value, label: t('days', { count: Number(value) }) }))}
          />
          <FilterButton active={active} isOpen={isOpen} onClick={() => setOpen(!isOpen)} />
          <SaveTable points={current} />
        </>
      }
    >
      {isOpen && <Filters currency={currency} {...shown} />}
      <QueryBoundary
        query={combineQueries(earnings, currencies)}
        skeleton={<SkeletonLines count={1} height={268} />}
      >
        {() => (
          <EarningsChart
            points={current}
            pointsBefore={points.slice(0, -Number(days))}
            currency={currency}
            isSumOutside
          />
        )}
      </QueryBoundary>
      <DaysNote className={classes.daysNote} />
    </Section>
  );
}
