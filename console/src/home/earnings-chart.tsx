/** Earnings by day, with the reward types stacked. */
import type { ChartDay } from '../components/day-chart/chart-bars.ts';
import type { ChartWords } from '../components/day-chart/chart-words.ts';
import { DayChart, DaysSum } from '../components/day-chart/day-chart.tsx';
import { useTranslation } from '../i18n/index.ts';
import { rewardTypeText } from '../i18n/labels.ts';
import { ApproximateValue } from '../wallets/approximate-value.tsx';
import { earnedOf } from './accrued.ts';
import { colorOf } from './chart-colors.ts';
import type { EarningPoint } from './queries.ts';

interface SumProps {
  readonly points: readonly EarningPoint[];
  readonly currency: string;
}

interface Props extends SumProps {
  /** As many days before them. */
  readonly pointsBefore: readonly EarningPoint[];
  /** The sum stands elsewhere. */
  readonly isSumOutside?: boolean;
}

const toDay = (point: EarningPoint): ChartDay => ({
  date: point.date,
  amount: earnedOf(point),
  parts: point.by_reward_type.map((part) => ({
    name: part.reward_type,
    amount: earnedOf(part),
  })),
});

function useEarningsWords(currency: string): ChartWords {
  const { t } = useTranslation('home');
  return {
    label: t('earningsByDay'),
    none: t('noEarnings'),
    unit: currency,
    textOf: (type: string) => rewardTypeText(t, type),
    colorOf,
  };
}

/** What the days of the chart add up to. */
export function EarningsSum({ points, currency }: SumProps) {
  const words = useEarningsWords(currency);
  return (
    <DaysSum
      words={words}
      days={points.map(toDay)}
      besideSum={(sum) => <ApproximateValue amount={sum} currency={currency} />}
    />
  );
}

export function EarningsChart({ points, pointsBefore, currency, isSumOutside = false }: Props) {
  const words = useEarningsWords(currency);
  return (
    <DayChart
      words={words}
      days={points.map(toDay)}
      daysBefore={pointsBefore.map(toDay)}
      isSumOutside={isSumOutside}
      besideSum={(sum) => <ApproximateValue amount={sum} currency={currency} />}
    />
  );
}
