import { type PointerEvent, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { dayText } from '../lib/time-text.ts';
import classes from './uptime.module.css';
import { DAYS, endOf, HOURS_A_DAY, type Hour, levelOf } from './uptime.ts';

interface Props {
  readonly hours: readonly Hour[];
  readonly picked: number;
  readonly onPick: (at: number) => void;
}

/** The share of one hour; undefined where it is not counted. */
const levelAt = ({ isCounted, usage }: Hour) =>
  levelOf(isCounted ? (usage?.online_seconds ?? 0) / 3600 : undefined);

/** Start and end of an hour in UTC, as the service settles it. */
export function useHourText(): (hour: Hour) => string {
  const { t, language } = useTranslation('devices');
  return ({ iso }) => {
    const hours = [iso, endOf(iso)].map((at) => at.slice(11, 16)).join('–');
    return t('history.hourOf', { day: dayText(iso.slice(0, 10), language, 'short'), hours });
  };
}

function hourAt({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): number {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  const clamp = (part: number, count: number): number =>
    Math.min(count - 1, Math.max(0, Math.floor(part * count)));
  const day = clamp((clientY - top) / height, DAYS);
  return day * HOURS_A_DAY + clamp((clientX - left) / width, HOURS_A_DAY);
}

/** A cell for each hour of a week: mouse and touch choose one, keyboard and screen readers too. */
export function HoursGrid({ hours, picked, onPick }: Props) {
  const { t, language } = useTranslation('devices');
  const hourText = useHourText();
  const days = hours.filter((_, at) => at % HOURS_A_DAY === 0);
  const hour = hours[picked];
  const [isDown, setDown] = useState(false);
  const pick = (event: PointerEvent<HTMLElement>): void => onPick(hourAt(event));
  return (
    <>
      <div className={classes.plot}>
        <div className={classes.days} aria-hidden="true">
          {days.map(({ iso }) => (
            <span key={iso}>{dayText(iso.slice(0, 10), language, 'short')}</span>
          ))}
        </div>
        <div
          className={classes.grid}
          aria-hidden="true"
          onPointerDown={(event) => {
            setDown(true);
            pick(event);
          }}
          onPointerMove={(event) => isDown && pick(event)}
          onPointerUp={() => setDown(false)}
          onPointerLeave={() => setDown(false)}
        >
          {hours.map((of, at) => (
            <span key={of.iso} data-level={levelAt(of)} data-picked={at === picked || undefined} />
          ))}
        </div>
        <div className={classes.axis} aria-hidden="true">
          <span>00</span>
          <span>06</span>
          <span>12</span>
          <span>18</span>
          <span>24</span>
        </div>
        <input
          type="range"
          className={classes.slider}
          min={0}
          max={hours.length - 1}
          value={picked}
          aria-label={t('history.hour')}
          aria-valuetext={hour && hourText(hour)}
          onChange={(event) => onPick(Number(event.currentTarget.value))}
        />
      </div>
      <ul className={classes.key}>
        {(['full', 'most', 'part', 'off'] as const).map((level) => (
          <li key={level}>
            <span data-level={level} />
            {t(`history.level.${level}`)}
          </li>
        ))}
      </ul>
    </>
  );
}
