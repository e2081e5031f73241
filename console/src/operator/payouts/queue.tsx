import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Select } from '../../components/field.tsx';
import form from '../../components/form.module.css';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { operatorPayoutReasonText, payoutStatusText } from '../../i18n/labels.ts';
import table from '../dense-table.module.css';
import { DenseTable, RowOpener } from '../dense-table.tsx';
import { PersonName } from '../person-name.tsx';
import rows from '../rows.module.css';
import { FindPayout } from './find-payout.tsx';
import { PayoutReview } from './payout-review.tsx';
import { type PayoutStatus, queueQuery, type ReviewedPayout } from './queries.ts';
import own from './queue.module.css';
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

/** Its place on a phone, and its width elsewhere. */
const COLUMNS = {
  payout: `${rows.main} ${own.payout}`,
  person: `${rows.side} ${own.person}`,
  why: `${rows.note} ${own.why}`,
  time: `${rows.time} ${own.time}`,
  amount: `${table.amount} ${rows.state} ${own.amount}`,
} as const;

function QueueRow({
  payout,
  onOpen,
}: {
  readonly payout: ReviewedPayout;
  readonly onOpen: () => void;
}) {
  const { t } = useTranslation('operator');
  const reasonsText = useReasonsText();
  const id = String(payout.id);
  return (
    <tr>
      <td className={COLUMNS.payout}>
        <RowOpener label={t('payouts.openName', { id })} onOpen={onOpen}>
          {t('payouts.sheet', { id })}
        </RowOpener>
        <span className={table.small}>{payout.network_name}</span>
      </td>
      <td className={COLUMNS.person}>
        <PersonName userId={payout.user_id} />
      </td>
      <td className={COLUMNS.why}>
        {payout.status === 'in_review'
          ? reasonsText(payout)
          : operatorPayoutReasonText(t, payout.reason_code)}
      </td>
      <td className={COLUMNS.time}>
        <DateTime iso={payout.requested_at} isShort />
      </td>
      <td className={COLUMNS.amount}>
        <Amount value={payout.arrives} currency={payout.currency} digits="readable" size="sm" />
      </td>
    </tr>
  );
}

/** What waits for an operator. */
export const FIRST_SHOWN = 'in_review';

/** Payouts by their status, oldest first: those in review wait for an operator. */
export function Queue() {
  const { t } = useTranslation('operator');
  const [status, setStatus] = useState<PayoutStatus>(FIRST_SHOWN);
  const queue = useInfiniteQuery(queueQuery(status));
  const [openedId, setOpened] = useState<number>();
  const opened = queue.data?.pages
    .flatMap(({ records }) => records)
    .find(({ id }) => id === openedId);
  return (
    <Section title={t('payouts.queue')} lead={t('payouts.queueLead')}>
      <search className={`${form.filters} ${form.inRow}`}>
        <FindPayout />
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
      </search>
      <QueryBoundary query={queue} skeleton={<SkeletonLines count={2} />}>
        {({ pages }) =>
          pages[0]?.records.length === 0 ? (
            <EmptyState icon="check" title={t('payouts.none')} />
          ) : (
            <>
              <DenseTable
                label={t('payouts.queue')}
                columns={[
                  {
                    key: 'payout',
                    label: t('audit.subjects.payouts'),
                    className: COLUMNS.payout,
                  },
                  { key: 'person', label: t('payouts.person'), className: COLUMNS.person },
                  { key: 'why', label: t('payouts.why'), className: COLUMNS.why },
                  { key: 'time', label: t('payouts.requestedAt'), className: COLUMNS.time },
                  { key: 'amount', label: t('money.amount'), className: COLUMNS.amount },
                ]}
              >
                {pages
                  .flatMap(({ records }) => records)
                  .map((payout) => (
                    <QueueRow key={payout.id} payout={payout} onOpen={() => setOpened(payout.id)} />
                  ))}
              </DenseTable>
              {queue.hasNextPage && <MoreButton query={queue} label={t('payouts.more')} />}
            </>
          )
        }
      </QueryBoundary>
      {opened && <PayoutReview payout={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}
