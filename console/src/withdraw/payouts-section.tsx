import { Amount } from '../components/amount.tsx';
import { ConfirmationMeter } from '../components/confirmation-meter.tsx';
import { DateTime } from '../components/date-time.tsx';
import { EmptyState, Section } from '../components/layout.tsx';
import { PagedList, pageQuery } from '../components/paged-list.tsx';
import { useTranslation } from '../i18n/index.ts';
import { payoutStatusText } from '../i18n/labels.ts';
import { PayoutSheet } from './payout-sheet.tsx';
import { fetchPayouts, type Payout } from './queries.ts';
import classes from './withdraw.module.css';

const ROW_HEIGHT = 76;
const QUERY_KEY = ['payouts', 'list'];

export const firstPayoutsQuery = pageQuery(QUERY_KEY, fetchPayouts, 1);

const ENDED = ['confirmed', 'failed', 'cancelled', 'rejected'];

function PayoutRow({ payout, onOpen }: { readonly payout: Payout; readonly onOpen: () => void }) {
  const { t } = useTranslation('withdraw');
  return (
    <button type="button" className={classes.row} onClick={onOpen}>
      <span className={classes.rowText}>
        <span className={classes.status} data-status={payout.status}>
          {payoutStatusText(t, payout.status)}
        </span>
        <span className={classes.label}>
          {payout.status === 'sent' ? (
            <ConfirmationMeter done={payout.confirmations} needed={payout.required_confirmations} />
          ) : (
            <DateTime iso={payout.requested_at} isShort />
          )}
        </span>
      </span>
      <span className={classes.rowAmount}>
        <Amount value={payout.arrives} currency={payout.currency} digits="readable" isInColumn />
        <span className={classes.label}>{payout.address_label}</span>
      </span>
    </button>
  );
}

/** What was withdrawn, with statuses and confirmations as they come. */
export function PayoutsSection() {
  const { t } = useTranslation('withdraw');
  return (
    <Section title={t('payouts')}>
      <PagedList
        label={t('payouts')}
        queryKey={QUERY_KEY}
        fetchPage={fetchPayouts}
        rowHeight={ROW_HEIGHT}
        keyOf={(payout) => payout.id}
        isMoving={({ status }) => !ENDED.includes(status)}
        renderRow={(payout, open) => <PayoutRow payout={payout} onOpen={() => open(payout)} />}
        renderSheet={(payout, onClose) => <PayoutSheet payout={payout} onClose={onClose} />}
        renderMissing={() => <span className={classes.row} aria-hidden="true" />}
        summary={(total) => <p className={classes.label}>{t('count', { count: total })}</p>}
        empty={
          <EmptyState icon="arrowUp" title={t('none')}>
            {t('noneLead')}
          </EmptyState>
        }
      />
    </Section>
  );
}
