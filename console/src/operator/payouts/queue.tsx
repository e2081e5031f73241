import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Select } from '../../components/field.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { payoutReasonText, payoutStatusText } from '../../i18n/labels.ts';
import classes from '../operator.module.css';
import { PersonLink } from '../person-link.tsx';
import { PayoutReview } from './payout-review.tsx';
import { type PayoutStatus, queueQuery, type ReviewedPayout } from './queries.ts';
import { useReasonsText } from './reasons-text.ts';

const STATUSES: readonly PayoutStatus[] = [
  'in_review',
  'requested',
  'approved',
  'signed',
  'sent',
  'confirmed',
  'failed',
  'cancelled',
  'rejected',
];

function QueueItem({
  payout,
  onOpen,
}: {
  readonly payout: ReviewedPayout;
  readonly onOpen: () => void;
}) {
  const { t } = useTranslation('operator');
  const reasonsText = useReasonsText();
  return (
    <li className={classes.item}>
      <span className={classes.text}>
        <Amount value={payout.arrives} currency={payout.currency} />
        <span className={classes.small}>
          <PersonLink id={String(payout.user_id)}>
            {t('payouts.ofPerson', { id: String(payout.user_id) })}
          </PersonLink>{' '}
          · {payout.network_name} · <DateTime iso={payout.requested_at} isShort />
        </span>
        <span className={classes.small}>
          {payout.status === 'in_review'
            ? reasonsText(payout)
            : payoutReasonText(t, payout.reason_code)}
        </span>
      </span>
      <Button
        variant="default"
        size="xs"
        aria-label={t('payouts.openName', { id: String(payout.id) })}
        onClick={onOpen}
      >
        {t('payouts.open')}
      </Button>
    </li>
  );
}

/** Payouts by their status, oldest first: those in review wait for an operator. */
export function Queue() {
  const { t } = useTranslation('operator');
  const [status, setStatus] = useState<PayoutStatus>('in_review');
  const queue = useInfiniteQuery(queueQuery(status));
  const [openedId, setOpened] = useState<number>();
  const opened = queue.data?.pages
    .flatMap(({ records }) => records)
    .find(({ id }) => id === openedId);
  return (
    <Section title={t('payouts.queue')} lead={t('payouts.queueLead')}>
      <Select
        label={t('payouts.status')}
        value={status}
        onChange={(event) => {
          setStatus(event.currentTarget.value as PayoutStatus);
          // What left the list before while it was open does not open again in its next one.
          setOpened(undefined);
        }}
        options={STATUSES.map((value) => ({ value, label: payoutStatusText(t, value) }))}
      />
      <QueryBoundary query={queue} skeleton={<SkeletonLines count={2} />}>
        {({ pages }) =>
          pages[0]?.records.length === 0 ? (
            <EmptyState icon="check" title={t('payouts.none')} />
          ) : (
            <>
              <ul className={classes.list} aria-label={t('payouts.queue')}>
                {pages
                  .flatMap(({ records }) => records)
                  .map((payout) => (
                    <QueueItem
                      key={payout.id}
                      payout={payout}
                      onOpen={() => setOpened(payout.id)}
                    />
                  ))}
              </ul>
              {queue.hasNextPage && <MoreButton query={queue} label={t('payouts.more')} />}
            </>
          )
        }
      </QueryBoundary>
      {opened && <PayoutReview payout={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}
