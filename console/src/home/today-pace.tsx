import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../components/amount.tsx';
import { isPending } from '../components/layout.tsx';
import unseen from '../components/visually-hidden.module.css';
import { useToday } from '../hooks/use-today.ts';
import { useTranslation } from '../i18n/index.ts';
import { serverNow } from '../lib/server-clock.ts';
import { lastDays } from '../lib/time-text.ts';
import { earnedOf, earnedToday } from './accrued.ts';
import { DAYS_SHOWN } from './earnings-section.tsx';
import classes from './home.module.css';
import { type Pace, paceOf, settledOf } from './pace.ts';
import { earningsQuery, scheduleQuery, useOverview } from './queries.ts';

const DAYS_COMPARED = 7;
const DAYS_DRAWN = 14;

/**
 * The days of a fortnight: a line of the whole ones from the least to the most of them, and a dot
 * for today, which is not over and may be below all of them.
 */
function Sparkline({ values }: { readonly values: readonly number[] }) {
  const whole = values.slice(0, -1);
  if (whole.length === 0 || Math.max(...values) <= 0) return null;
  const [least, most] = [Math.min(...whole), Math.max(...whole)];
  const heightOf = (value: number): number =>
    most === least ? 0.5 : Math.min(1, Math.max(0, (value - least) / (most - least)));
  const points = values.map((value, at) => `${at},${1 - heightOf(value)}`);
  return (
    <svg
      className={classes.sparkline}
      viewBox={`0 -0.05 ${values.length - 1} 1.1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.slice(0, -1).join(' ')} />
      <path d={`M${points.at(-1)}h0`} />
    </svg>
  );
}

/** Where today leads, beside the average; how that is computed opens below it. */
function Forecast({ pace, currency }: { readonly pace: Pace; readonly currency: string }) {
  const { t, language } = useTranslation('home');
  const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(
    Math.abs(pace.change ?? 0) / 100,
  );
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p>
        {pace.change !== undefined && (
          <strong data-down={pace.change < 0 || undefined}>
            <span aria-hidden="true">
              {pace.change < 0 ? '▼' : '▲'} {percent}
            </span>
            <span className={unseen.unseen}>
              {t(pace.change < 0 ? 'belowAverage' : 'aboveAverage', { percent })}
            </span>
          </strong>
        )}
        <span>
          ≈ <Amount value={pace.forecast} currency={currency} />{' '}
          <button
            type="button"
            className={classes.how}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {t('forecast')}
          </button>
        </span>
        <span>
          {t('average')} <Amount value={pace.average} currency={currency} />
        </span>
      </p>
      {isOpen && <p className={classes.howText}>{t('forecastHow')}</p>}
    </>
  );
}

/** How today goes: a line of the last days, and where it leads at this pace. */
export function TodayPace({ currency }: { readonly currency: string }) {
  const day = useToday();
  const earnings = useQuery(earningsQuery(lastDays(2 * DAYS_SHOWN)));
  const amounts = (earnings.data ?? [])
    .filter((point) => point.currency === currency)
    .map(earnedOf);
  const overview = useOverview();
  const schedule = useQuery(scheduleQuery);
  // Shown once all of it is known: figures that change would shift what stands beside them.
  const isKnown = ![overview, schedule, earnings].some(isPending);
  const today = overview.data ? earnedToday(overview.data, schedule.data, currency) : '0';
  const before = amounts.slice(0, -1);
  const settled_ms = settledOf(day, schedule.data, serverNow());
  const pace = paceOf(today, before.slice(-DAYS_COMPARED), settled_ms);
  return (
    <div className={classes.pace}>
      {isKnown && <Sparkline values={[...before, today].slice(-DAYS_DRAWN).map(Number)} />}
      {isKnown && pace && <Forecast pace={pace} currency={currency} />}
    </div>
  );
}
