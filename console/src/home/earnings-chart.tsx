/** Earnings by day, with the reward types stacked. */
import type { ChartDay } from '../components/day-chart/chart-bars.ts';
import { DayChart } from '../components/day-chart/day-chart.tsx';
import { useTranslation } from '../i18n/index.ts';
import { rewardTypeText } from '../i18n/labels.ts';
import { ApproximateValue } from '../wallets/approximate-value.tsx';
import { earnedOf } from './accrued.ts';
import { colorOf } from './chart-colors.ts';
import type { EarningPoint } from './queries.ts';

interface Props {
  readonly points: readonly EarningPoint[];
  /** As many days before them. */
  readonly pointsBefore: readonly EarningPoint[];
  readonly currency: string;
}

const toDay = (point: EarningPoint): ChartDay => ({
  date: point.date,
  amount: earnedOf(point),
  parts: point.by_reward_type.map((part) => ({
    name: part.reward_type,
    amount: earnedOf(part),
  })),
});

export function EarningsChart({ points, pointsBefore, currency }: Props) {
  const { t } = useTranslation('home');
  const words = {
    label: t('earningsByDay'),
    none: t('noEarnings'),
    unit: currency,
    textOf: (type: string) => rewardTypeText(t, type),
    colorOf,
  };
  return (
    <DayChart
      words={words}
      days={points.map(toDay)}
      daysBefore={pointsBefore.map(toDay)}
      besideSum={(sum) => <ApproximateValue amount={sum} currency={currency} />}
    />
  );
}
