/** Payouts of a person; one opens with all that speaks for and against it. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { operatorPayoutReasonText, payoutStatusText } from '../../i18n/labels.ts';
import { PayoutReview } from '../payouts/payout-review.tsx';
import type { ReviewedPayout } from '../payouts/queries.ts';
import { useReasonsText } from '../payouts/reasons-text.ts';
import { payoutsOfQuery } from './money-queries.ts';
import classes from './person.module.css';

interface ItemProps {
  readonly payout: ReviewedPayout;
  readonly onOpen: () => void;
}

function PayoutItem({ payout, onOpen }: ItemProps) {
  const { t } = useTranslation('operator');
  const reasonsText = useReasonsText();
  const id = String(payout.id);
  return (
    <li>
      <span>
        <button
          type="button"
          className={classes.open}
          aria-label={t('payouts.openName', { id })}
          onClick={onOpen}
        >
          {t('payouts.sheet', { id })}
        </button>
        <span className={classes.small}>
          {payoutStatusText(t, payout.status)} · {payout.network_name} ·{' '}
          <DateTime iso={payout.requested_at} isShort />
        </span>
        <span className={classes.small}>
          {payout.status === 'in_review'
            ? reasonsText(payout)
            : operatorPayoutReasonText(t, payout.reason_code)}
        </span>
      </span>
      <Amount value={payout.arrives} currency={payout.currency} size="sm" />
    </li>
  );
}

export function PayoutsSection({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('operator');
  const payouts = useInfiniteQuery(payoutsOfQuery(userId));
  const [openedId, setOpened] = useState<number>();
  const list = payouts.data?.pages.flatMap(({ records }) => records) ?? [];
  const opened = list.find(({ id }) => id === openedId);
  return (
    <Section title={t('person.payouts.title')}>
      <QueryBoundary query={payouts} skeleton={<SkeletonLines count={2} />}>
        {() =>
          list.length === 0 ? (
            <p className={classes.none}>{t('person.payouts.none')}</p>
          ) : (
            <>
              <ul className={classes.bills} aria-label={t('person.payouts.title')}>
                {list.map((payout) => (
                  <PayoutItem key={payout.id} payout={payout} onOpen={() => setOpened(payout.id)} />
                ))}
              </ul>
              {payouts.hasNextPage && <MoreButton query={payouts} label={t('payouts.more')} />}
            </>
          )
        }
      </QueryBoundary>
      {opened && <PayoutReview payout={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}
