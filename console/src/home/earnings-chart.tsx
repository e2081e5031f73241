import { type PointerEvent, useState } from 'react';
import { Amount, amountText } from '../components/amount.tsx';
import { useTranslation } from '../i18n/index.ts';
import { rewardTypeText } from '../i18n/labels.ts';
import { compactText, sumAmounts, toUnits } from '../lib/money-text.ts';
import { dayText, todayUtc } from '../lib/time-text.ts';
import { type Bars, stackBars } from './chart-bars.ts';
import { colorOf } from './chart-colors.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import classes from './earnings-chart.module.css';
import type { EarningPoint } from './queries.ts';

interface Props {
  readonly points: readonly EarningPoint[];
  /** As many days before them. */
  readonly pointsBefore: readonly EarningPoint[];
  readonly currency: string;
}

function Grid({ ticks }: Pick<Bars, 'ticks'>) {
  const { language } = useTranslation('home');
  return (
    <div className={classes.grid} aria-hidden="true">
      {ticks.map(({ value, bottom }) => (
        <span key={value} style={{ bottom: `${bottom}%` }} data-zero={value === 0 || undefined}>
          {compactText(value, language)}
        </span>
      ))}
    </div>
  );
}

/** A line from day to day; its points stand in the middle of the bars. */
function LineBefore({ before }: Pick<Bars, 'before'>) {
  const points = before.map((value, at) => `${at + 0.5},${100 - value}`).join(' ');
  return (
    <svg
      className={classes.before}
      viewBox={`0 0 ${before.length} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points} />
    </svg>
  );
}

function Legend({ types, hasBefore }: { types: readonly string[]; hasBefore: boolean }) {
  const { t } = useTranslation('home');
  return (
    <ul className={classes.legend}>
      {types.map((type) => (
        <li key={type} data-color={colorOf(type)}>
          {rewardTypeText(t, type)}
        </li>
      ))}
      {hasBefore && <li data-line>{t('periodBefore')}</li>}
    </ul>
  );
}

function BarsOfDays({
  points,
  bars,
  picked,
}: {
  readonly points: readonly EarningPoint[];
  readonly bars: Bars;
  readonly picked: number | undefined;
}) {
  const today = todayUtc();
  return (
    <div className={classes.bars} aria-hidden="true">
      {points.map((point, at) => (
        <span
          key={point.date}
          className={classes.bar}
          data-picked={at === picked || undefined}
          data-incomplete={point.date === today || undefined}
        >
          {bars.days[at]?.map((part) => (
            <span
              key={part.rewardType}
              data-color={colorOf(part.rewardType)}
              data-negative={part.isNegative || undefined}
              style={{ bottom: `${part.bottom}%`, height: `${part.height}%` }}
            />
          ))}
        </span>
      ))}
    </div>
  );
}

function dayAt({ currentTarget, clientX }: PointerEvent<HTMLElement>, count: number): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)));
}

/**
 * Bars by day, with the reward types stacked. Mouse and touch select a day; keyboard and screen
 * readers use a slider.
 */
interface DaySliderProps {
  readonly points: Props['points'];
  readonly picked: number | undefined;
  readonly currency: string;
  readonly onPick: (day: number | undefined) => void;
}

/** The days for the keyboard and screen readers. */
function DaySlider({ points, picked, currency, onPick: setPicked }: DaySliderProps) {
  const { t, language } = useTranslation('home');
  const point = picked === undefined ? undefined : points[picked];
  return (
    <input
      type="range"
      className={classes.slider}
      min={0}
      max={points.length - 1}
      value={picked ?? points.length - 1}
      aria-label={t('earningsByDay')}
      aria-valuetext={
        point
          ? `${dayText(point.date, language)}: ${amountText(point.amount, currency)}`
          : t('pickDay')
      }
      onChange={(event) => setPicked(Number(event.currentTarget.value))}
      onKeyDown={(event) => event.key === 'Escape' && setPicked(undefined)}
      onBlur={() => setPicked(undefined)}
    />
  );
}

export function EarningsChart({ points, pointsBefore, currency }: Props) {
  const { t, language } = useTranslation('home');
  const [picked, setPicked] = useState<number>();
  const point = picked === undefined ? undefined : points[picked];
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.every(({ amount }) => toUnits(amount) === 0n))
    return <p className={classes.none}>{t('noEarnings')}</p>;
  const bars = stackBars(points, pointsBefore);
  const hasBefore = pointsBefore.some(({ amount }) => toUnits(amount) !== 0n);
  const types = [
    ...new Set(points.flatMap((day) => day.by_reward_type.map(({ reward_type }) => reward_type))),
  ].toSorted((one, other) => colorOf(one) - colorOf(other));
  const pick = (event: PointerEvent<HTMLElement>) => setPicked(dayAt(event, points.length));
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <span className={classes.day}>{t('sumOfRange')}</span>
        <Amount
          value={sumAmounts(points.map(({ amount }) => amount))}
          currency={currency}
          size="lg"
        />
      </figcaption>
      <div
        className={classes.plot}
        onPointerDown={pick}
        onPointerMove={pick}
        // A touch that ends has selected; a mouse that has left has not.
        onPointerLeave={(event) => event.pointerType === 'mouse' && setPicked(undefined)}
      >
        <Grid ticks={bars.ticks} />
        <BarsOfDays points={points} bars={bars} picked={picked} />
        {hasBefore && <LineBefore before={bars.before} />}
        {point && picked !== undefined && (
          <ChartTooltip
            point={point}
            before={hasBefore ? pointsBefore[picked] : undefined}
            at={(picked + 0.5) / points.length}
          />
        )}
        <DaySlider points={points} picked={picked} currency={currency} onPick={setPicked} />
      </div>
      <div className={classes.axis} aria-hidden="true">
        <span>{dayText(first.date, language, 'short')}</span>
        <span>{dayText(last.date, language, 'short')}</span>
      </div>
      <Legend types={types} hasBefore={hasBefore} />
    </figure>
  );
}
