/** A small chart of the last days, with the figures of each day in a table for screen readers. */
import { scaleLinear } from 'd3-scale';
import unseen from '../../components/visually-hidden.module.css';
import { useTranslation } from '../../i18n/index.ts';
import { compactText } from '../../lib/money-text.ts';
import { dayText } from '../../lib/time-text.ts';
import classes from './overview.module.css';

export interface DayValue {
  readonly date: string;
  /** Exact decimal text. */
  readonly value: string;
}

interface Props {
  readonly label: string;
  readonly days: readonly DayValue[];
  /** The value of a day in words. */
  readonly textOf: (value: string) => string;
}

export function DayBars({ label, days, textOf }: Props) {
  const { t, language } = useTranslation('operator');
  const values = days.map(({ value }) => Math.max(0, Number(value)));
  const highest = Math.max(0, ...values);
  const scale = scaleLinear()
    .domain([0, highest || 1])
    .range([0, 100]);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <figure className={classes.chart}>
      <span className={classes.highest} aria-hidden="true">
        {highest > 0 && compactText(highest, language)}
      </span>
      <div className={classes.bars} aria-hidden="true">
        {days.map(({ date, value }, at) => (
          <span
            key={date}
            className={classes.bar}
            data-incomplete={at === days.length - 1 || undefined}
            title={t('common:labelled', {
              name: dayText(date, language, 'short'),
              value: textOf(value),
            })}
          >
            <span style={{ height: `${scale(values[at] ?? 0)}%` }} />
          </span>
        ))}
      </div>
      <figcaption className={classes.axis} aria-hidden="true">
        <span>{first && dayText(first.date, language, 'short')}</span>
        <span>{last && dayText(last.date, language, 'short')}</span>
      </figcaption>
      <div className={unseen.unseen}>
        <table>
          <caption>{label}</caption>
          <tbody>
            {days.map(({ date, value }) => (
              <tr key={date}>
                <th scope="row">{dayText(date, language)}</th>
                <td>{textOf(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
