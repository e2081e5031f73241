import { useQuery } from '@tanstack/react-query';
import { Amount } from '../components/amount.tsx';
import { RelativeTime } from '../components/date-time.tsx';
import { useTranslation } from '../i18n/index.ts';
import { toUnits } from '../lib/money-text.ts';
import classes from './home.module.css';
import { scheduleQuery, useOverview } from './queries.ts';

/** What has accrued and when it is paid, or that this network pays no rewards yet. */
export function NextPayment() {
  const { t } = useTranslation('home');
  const schedule = useQuery(scheduleQuery);
  // Rendered again with each overview, so that the time stays right.
  const accrued = useOverview().data?.accrued.filter(({ amount }) => toUnits(amount) !== 0n) ?? [];
  return (
    <p className={classes.next}>
      {schedule.data?.is_paying === false && t('notPaying')}
      {schedule.data?.is_paying === true && schedule.data.next_payment_at !== undefined && (
        <>
          {accrued.map(({ currency, amount }) => (
            <span key={currency}>
              {t('accrued')} <Amount value={amount} currency={currency} /> ·{' '}
            </span>
          ))}
          {t('nextPayment')} <RelativeTime iso={schedule.data.next_payment_at} />
        </>
      )}
    </p>
  );
}
