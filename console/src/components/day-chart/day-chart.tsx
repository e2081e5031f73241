import { type CSSProperties, type PointerEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { compactText, sumAmounts, toUnits } from '../../lib/money-text.ts';
import { dayText, todayUtc } from '../../lib/time-text.ts';
import { Amount } from '../amount.tsx';
import { labelDays } from './axis-days.ts';
import { type Bars, type ChartDay, stackBars } from './chart-bars.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import type { ChartWords } from './chart-words.ts';
import classes from './day-chart.module.css';
import { dayWords } from './day-words.ts';

interface Props {
  readonly words: ChartWords;
  readonly days: readonly ChartDay[];
  /** As many days before them; empty: nothing is compared. */
  readonly daysBefore?: readonly ChartDay[];
  /** What stands beside the sum of the days. */
  besideSum?(sum: string): ReactNode;
  /** The sum stands elsewhere. */
  readonly isSumOutside?: boolean;
}

/** What the days add up to. */
export function DaysSum({ words, days, besideSum }: Omit<Props, 'daysBefore' | 'isSumOutside'>) {
  const { t } = useTranslation('common');
  const sum = sumAmounts(days.map(({ amount }) => amount));
  return (
    <span className={classes.caption}>
      <span className={classes.day}>{t('chart.sum')}</span>
      <span>
        <Amount value={sum} currency={words.unit} size="lg" /> {besideSum?.(sum)}
      </span>
    </span>
  );
}

function Grid({ ticks }: Pick<Bars, 'ticks'>) {
  const { language } = useTranslation('common');
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

/** Days below their bars: the first, the last, and as many between as the width has room for. */
function Axis({ days }: { readonly days: readonly ChartDay[] }) {
  const { language } = useTranslation('common');
  return (
    <div className={classes.axis} aria-hidden="true">
      <div>
        {labelDays(days.length).map(({ day, room }) => (
          <span
            key={day}
            data-room={room}
            data-end={day === 0 ? 'first' : day === days.length - 1 ? 'last' : undefined}
            style={{ '--at': `${((day + 0.5) / days.length) * 100}%` } as CSSProperties}
          >
            {dayText(days[day]?.date ?? '', language, 'short')}
          </span>
        ))}
      </div>
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
      <polyline className={classes.band} points={points} />
      <polyline points={points} />
    </svg>
  );
}

interface LegendProps {
  readonly words: ChartWords;
  readonly parts: readonly string[];
  readonly hasBefore: boolean;
  /** The last bar still grows. */
  readonly hasToday: boolean;
}

function Legend({ words, parts, hasBefore, hasToday }: LegendProps) {
  const { t } = useTranslation('common');
  return (
    <ul className={classes.legend}>
      {parts.map((part) => (
        <li key={part} data-color={words.colorOf(part)}>
          {words.textOf(part)}
        </li>
      ))}
      {hasToday && <li data-incomplete>{t('chart.today')}</li>}
      {hasBefore && <li data-line>{t('chart.periodBefore')}</li>}
    </ul>
  );
}

interface BarsProps {
  readonly words: ChartWords;
  readonly days: readonly ChartDay[];
  readonly bars: Bars;
  readonly picked: number | undefined;
}

function BarsOfDays({ words, days, bars, picked }: BarsProps) {
  const today = todayUtc();
  return (
    <div className={classes.bars} aria-hidden="true">
      {days.map(({ date }, at) => (
        <span
          key={date}
          className={classes.bar}
          data-picked={at === picked || undefined}
          data-incomplete={date === today || undefined}
        >
          {bars.days[at]?.map((part) => (
            <span
              key={part.name}
              data-color={words.colorOf(part.name)}
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

interface DaySliderProps {
  readonly words: ChartWords;
  readonly days: readonly ChartDay[];
  readonly picked: number | undefined;
  readonly onPick: (day: number | undefined) => void;
}

/** The days for the keyboard and screen readers. */
function DaySlider({ words, days, picked, onPick }: DaySliderProps) {
  const { t, language } = useTranslation('common');
  const day = picked === undefined ? undefined : days[picked];
  const told = day && {
    name: dayText(day.date, language),
    incomplete: day.date === todayUtc() ? t('chart.incomplete') : undefined,
  };
  return (
    <input
      type="range"
      className={classes.slider}
      min={0}
      max={days.length - 1}
      value={picked ?? days.length - 1}
      aria-label={words.label}
      aria-valuetext={day && told ? dayWords(t, day, words, told) : t('chart.pickDay')}
      onChange={(event) => onPick(Number(event.currentTarget.value))}
      onKeyDown={(event) => event.key === 'Escape' && onPick(undefined)}
      onBlur={() => onPick(undefined)}
    />
  );
}

/**
 * Bars by day, with their parts stacked. Mouse and touch select a day; keyboard and screen readers
 * use a slider.
 */
export function DayChart({ daysBefore = [], isSumOutside = false, ...props }: Props) {
  const { words, days } = props;
  const [picked, setPicked] = useState<number>();
  const day = picked === undefined ? undefined : days[picked];
  if (days.every(({ amount }) => toUnits(amount) === 0n))
    return <p className={classes.none}>{words.none}</p>;
  const bars = stackBars(days, daysBefore);
  const hasBefore = daysBefore.some(({ amount }) => toUnits(amount) !== 0n);
  const today = days.find(({ date }) => date === todayUtc());
  const hasToday = today?.parts.some(({ amount }) => toUnits(amount) !== 0n) ?? false;
  const names = [...new Set(days.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  const parts = names.toSorted((one, other) => words.colorOf(one) - words.colorOf(other));
  const pick = (event: PointerEvent<HTMLElement>) => setPicked(dayAt(event, days.length));
  return (
    <figure className={classes.figure}>
      {!isSumOutside && (
        <figcaption>
          <DaysSum {...props} />
        </figcaption>
      )}
      <div
        className={classes.plot}
        onPointerDown={pick}
        onPointerMove={pick}
        // A touch that ends has selected; a mouse that has left has not.
        onPointerLeave={(event) => event.pointerType === 'mouse' && setPicked(undefined)}
      >
        <Grid ticks={bars.ticks} />
        <BarsOfDays words={words} days={days} bars={bars} picked={picked} />
        {hasBefore && <LineBefore before={bars.before} />}
        {day && picked !== undefined && (
          <ChartTooltip
            words={words}
            day={day}
            before={hasBefore ? daysBefore[picked] : undefined}
            at={(picked + 0.5) / days.length}
          />
        )}
        <DaySlider words={words} days={days} picked={picked} onPick={setPicked} />
      </div>
      <Axis days={days} />
      <Legend words={words} parts={parts} hasBefore={hasBefore} hasToday={hasToday} />
    </figure>
  );
}
