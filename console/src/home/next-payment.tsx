import { useQuery } from '@tanstack/react-query';
import { RelativeTime } from '../components/date-time.tsx';
import { useTranslation } from '../i18n/index.ts';
import classes from './home.module.css';
import { scheduleQuery, useOverview } from './queries.ts';

/** When the next rewards are paid, or that this network pays none yet. */
export function NextPayment() {
  const { t } = useTranslation('home');
  const schedule = useQuery(scheduleQuery);
  // Rendered again with each overview, so that the time stays right.
  useOverview();
  return (
    <p className={classes.next}>
      {schedule.data?.is_paying === false && t('notPaying')}
      {schedule.data?.is_paying === true && schedule.data.next_payment_at !== undefined && (
        <>
          {t('nextPayment')} <RelativeTime iso={schedule.data.next_payment_at} />
        </>
      )}
    </p>
  );
}
