import { type PointerEvent, useState } from 'react';
import { Amount, amountText } from '../components/amount.tsx';
import { useTranslation } from '../i18n/index.ts';
import { rewardTypeText } from '../i18n/labels.ts';
import { largestOf, shareOf, sumAmounts, toUnits } from '../lib/money-text.ts';
import { dayText } from '../lib/time-text.ts';
import classes from './earnings-chart.module.css';
import type { EarningPoint } from './queries.ts';

interface Props {
  readonly points: readonly EarningPoint[];
  readonly currency: string;
}

function magnitude(point: EarningPoint): bigint {
  const units = toUnits(point.amount);
  return units < 0n ? -units : units;
}

/**
 * Bars by day. Touch or mouse select the day that is shown above; keyboard and screen readers use a
 * slider.
 */
export function EarningsChart({ points, currency }: Props) {
  const { t, language } = useTranslation('home');
  const [picked, setPicked] = useState<number>();
  const largest = largestOf(points.map(magnitude));
  const index = picked === undefined || picked >= points.length ? undefined : picked;
  const point = index === undefined ? undefined : points[index];
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || largest === 0n) return <p className={classes.none}>{t('noEarnings')}</p>;
  const pick = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPicked(
      Math.min(
        points.length - 1,
        Math.max(0, Math.floor(((clientX - left) / width) * points.length)),
      ),
    );
  };
  const told = point
    ? `${dayText(point.date, language)}: ${amountText(point.amount, currency)}`
    : t('pickDay');
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <span className={classes.day}>
          {point ? dayText(point.date, language) : t('sumOfRange')}
        </span>
        <Amount
          value={point?.amount ?? sumAmounts(points.map((entry) => entry.amount))}
          currency={currency}
          size="lg"
          stacked="start"
        />
        <span className={classes.types}>
          {point?.by_reward_type.map((entry) => (
            <span key={entry.reward_type}>
              {rewardTypeText(t, entry.reward_type)} <Amount value={entry.amount} size="sm" />
            </span>
          ))}
        </span>
      </figcaption>
      <div
        className={classes.plot}
        onPointerDown={pick}
        onPointerMove={pick}
        // A finger that is lifted has chosen; a mouse that has gone has not.
        onPointerLeave={(event) => event.pointerType === 'mouse' && setPicked(undefined)}
      >
        <div className={classes.bars} aria-hidden="true">
          {points.map((entry, at) => (
            <span
              key={entry.date}
              className={classes.bar}
              data-picked={at === index || undefined}
              data-negative={toUnits(entry.amount) < 0n || undefined}
              style={{ height: `${Math.max(shareOf(magnitude(entry), largest) * 100, 1.5)}%` }}
            />
          ))}
        </div>
        <input
          type="range"
          className={classes.slider}
          min={0}
          max={points.length - 1}
          value={index ?? points.length - 1}
          aria-label={t('earningsByDay')}
          aria-valuetext={told}
          onChange={(event) => setPicked(Number(event.currentTarget.value))}
          onKeyDown={(event) => event.key === 'Escape' && setPicked(undefined)}
          onBlur={() => setPicked(undefined)}
        />
      </div>
      <div className={classes.axis} aria-hidden="true">
        <span>{dayText(first.date, language, 'short')}</span>
        <span>{dayText(last.date, language, 'short')}</span>
      </div>
    </figure>
  );
}
