import { useQuery } from '@tanstack/react-query';
import { Amount } from '../components/amount.tsx';
import { useToday } from '../hooks/use-today.ts';
import { useTranslation } from '../i18n/index.ts';
import { serverNow } from '../lib/server-clock.ts';
import { lastDays } from '../lib/time-text.ts';
import { earnedToday } from './accrued.ts';
import { DAYS_SHOWN } from './earnings-section.tsx';
import classes from './home.module.css';
import { paceOf, shareOfDay } from './pace.ts';
import { earningsQuery, scheduleQuery, useOverview } from './queries.ts';

const DAYS_COMPARED = 7;
const DAYS_DRAWN = 14;

/** The days of a fortnight as a line; the last one is today. */
function Sparkline({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(...values);
  if (values.length < 2 || most <= 0) return null;
  const points = values.map((value, at) => `${at},${1 - Math.max(0, value) / most}`).join(' ');
  return (
    <svg
      className={classes.sparkline}
      viewBox={`0 -0.05 ${values.length - 1} 1.1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points} />
    </svg>
  );
}

/** How today goes: a line of the last days, and where it leads at this pace. */
export function TodayPace({ currency }: { readonly currency: string }) {
  const { t } = useTranslation('home');
  useToday();
  const earnings = useQuery(earningsQuery(lastDays(2 * DAYS_SHOWN)));
  const amounts = (earnings.data ?? [])
    .filter((point) => point.currency === currency)
    .map(({ amount }) => amount);
  const overview = useOverview();
  const schedule = useQuery(scheduleQuery);
  // Shown once all of it is known: figures that change would shift what stands beside them.
  const isKnown = !overview.isPending && !schedule.isPending;
  const today = overview.data ? earnedToday(overview.data, schedule.data, currency) : '0';
  const before = amounts.slice(0, -1);
  const pace = paceOf(today, before.slice(-DAYS_COMPARED), shareOfDay(serverNow()));
  return (
    <div className={classes.pace}>
      {isKnown && <Sparkline values={[...before, today].slice(-DAYS_DRAWN).map(Number)} />}
      {isKnown && pace && (
        <p title={t('forecastHow')}>
          {pace.change !== undefined && (
            <strong data-down={pace.change < 0 || undefined}>
              {pace.change < 0 ? '▼' : '▲'} {Math.abs(pace.change)} %
            </strong>
          )}
          <span>
            ≈ <Amount value={pace.forecast} currency={currency} /> {t('forecast')}
          </span>
          <span className={classes.average}>
            {t('average')} <Amount value={pace.average} currency={currency} />
          </span>
        </p>
      )}
    </div>
  );
}
