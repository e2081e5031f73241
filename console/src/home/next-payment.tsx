import { useQuery } from '@tanstack/react-query';
import { Amount } from '../components/amount.tsx';
import { RelativeTime } from '../components/date-time.tsx';
import { useTranslation } from '../i18n/index.ts';
import { toUnits } from '../lib/money-text.ts';
import { ApproximateValue } from '../wallets/approximate-value.tsx';
import classes from './home.module.css';
import { scheduleQuery, useOverview } from './queries.ts';

/**
 * What has accrued and when it is paid, or that this network pays no rewards yet.
 * @param isOpen not all of it is known: what comes later would move the words behind it.
 */
export function NextPayment({ isOpen }: { readonly isOpen: boolean }) {
  const { t } = useTranslation('home');
  const schedule = useQuery(scheduleQuery);
  // Rendered again with each overview, so that the time stays right.
  const overview = useOverview();
  const accrued = overview.data?.accrued.filter(({ amount }) => toUnits(amount) !== 0n) ?? [];
  // What has accrued is paid also when the rules pay nothing any more.
  const hasNext = schedule.data?.is_paying === true || accrued.length > 0;
  const next = hasNext ? schedule.data?.next_payment_at : undefined;
  return (
    <p className={classes.next}>
      {schedule.data?.is_paying === false && next === undefined && !isOpen && t('notPaying')}
      {next !== undefined && !isOpen && (
        <>
          {accrued.map(({ currency, amount }) => (
            <span key={currency}>
              {t('accrued')} <Amount value={amount} currency={currency} />{' '}
              <ApproximateValue amount={amount} currency={currency} />
            </span>
          ))}
          <span>
            {t('nextPayment')} <RelativeTime iso={next} />
          </span>
        </>
      )}
    </p>
  );
}
