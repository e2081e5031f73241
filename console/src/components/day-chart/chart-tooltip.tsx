import { useTranslation } from '../../i18n/index.ts';
import { amountText, readableText } from '../../lib/money-text.ts';
import { dayText, todayUtc } from '../../lib/time-text.ts';
import { Amount } from '../amount.tsx';
import type { ChartDay } from './chart-bars.ts';
import type { ChartWords } from './chart-words.ts';
import classes from './day-chart.module.css';

interface Props {
  readonly words: ChartWords;
  readonly day: ChartDay;
  /** The same day of the period before. */
  readonly before: ChartDay | undefined;
  /** The middle of the day's bar, from 0 to 1. */
  readonly at: number;
}

/** The figures of one day, beside its bar: on the side that has room. */
export function ChartTooltip({ words, day, before, at }: Props) {
  const { t, language } = useTranslation('common');
  const isCut = readableText(day.amount) !== amountText(day.amount);
  return (
    <div
      className={classes.tooltip}
      data-side={at < 0.5 ? 'right' : 'left'}
      style={at < 0.5 ? { left: `${at * 100}%` } : { right: `${(1 - at) * 100}%` }}
    >
      <strong>{dayText(day.date, language)}</strong>
      {day.date === todayUtc() && <span>{t('chart.incomplete')}</span>}
      <Amount value={day.amount} currency={words.unit} digits="readable" />
      {isCut && (
        // Screen readers have it from the line above.
        <span className={classes.exact} aria-hidden="true">
          {amountText(day.amount)}
        </span>
      )}
      <dl>
        {day.parts.map(({ name, amount }) => (
          <div key={name}>
            <dt data-color={words.colorOf(name)}>{words.textOf(name)}</dt>
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
