import { Amount } from '../components/amount.tsx';
import { useTranslation } from '../i18n/index.ts';
import { rewardTypeText } from '../i18n/labels.ts';
import { dayText, todayUtc } from '../lib/time-text.ts';
import { colorOf } from './chart-colors.ts';
import classes from './earnings-chart.module.css';
import type { EarningPoint } from './queries.ts';

interface Props {
  readonly point: EarningPoint;
  /** The same day of the period before. */
  readonly before: EarningPoint | undefined;
  /** The middle of the day's bar, from 0 to 1. */
  readonly at: number;
}

/** What one day brought, beside its bar: on the side that has room. */
export function ChartTooltip({ point, before, at }: Props) {
  const { t, language } = useTranslation('home');
  return (
    <div
      className={classes.tooltip}
      data-side={at < 0.5 ? 'right' : 'left'}
      style={at < 0.5 ? { left: `${at * 100}%` } : { right: `${(1 - at) * 100}%` }}
    >
      <strong>{dayText(point.date, language)}</strong>
      {point.date === todayUtc() && <span>{t('incomplete')}</span>}
      <Amount value={point.amount} currency={point.currency} digits="readable" />
      <dl>
        {point.by_reward_type.map(({ reward_type, amount }) => (
          <div key={reward_type}>
            <dt data-color={colorOf(reward_type)}>{rewardTypeText(t, reward_type)}</dt>
            <dd>
              <Amount value={amount} size="sm" digits="readable" />
            </dd>
          </div>
        ))}
        {before && (
          <div>
            <dt data-line>{dayText(before.date, language, 'short')}</dt>
            <dd>
              <Amount value={before.amount} size="sm" digits="readable" />
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
