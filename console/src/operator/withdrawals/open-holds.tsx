/** What is held now, of all people: oldest first, so that none is forgotten. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { QueryBoundary, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import table from '../dense-table.module.css';
import { DenseTable, RowOpener } from '../dense-table.tsx';
import classes from '../money-lists.module.css';
import { PersonName } from '../person-name.tsx';
import { referenceText } from '../reference-text.ts';
import { openHoldsQuery, type Withdrawal } from './queries.ts';
import { WithdrawalSheet } from './withdrawal-sheet.tsx';

interface RowProps {
  readonly hold: Withdrawal;
  readonly onOpen: () => void;
}

function Row({ hold, onOpen }: RowProps) {
  const { t } = useTranslation('operator');
  const { expires_at: until } = hold;
  const number = t('person.withdrawals.number', { id: String(hold.id) });
  return (
    <tr>
      <td className={classes.time}>
        <DateTime iso={hold.created_at} isShort />
      </td>
      <td className={classes.what}>
        <RowOpener label={t('holds.openRow', { number })} onOpen={onOpen}>
          {number}
        </RowOpener>
        <span className={table.small}>
          {[hold.remark, referenceText(t, hold.reference)].filter(Boolean).join(' · ')}
        </span>
      </td>
      <td className={classes.who}>
        <PersonName userId={hold.user_id} />
      </td>
      <td className={classes.state}>
        {until === undefined ? (
          t('holds.endless')
        ) : (
          <>
            <span className={table.narrow}>{t('person.withdrawals.until')} </span>
            <DateTime iso={until} isShort />
          </>
        )}
      </td>
      <td className={`${table.amount} ${classes.amount}`}>
        <Amount value={hold.remaining} currency={hold.currency} size="sm" isInColumn />
      </td>
    </tr>
  );
}

function HoldTable({
  holds,
  onOpen,
}: {
  readonly holds: readonly Withdrawal[];
  readonly onOpen: (id: number) => void;
}) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('holds.open')}
      columns={[
        { key: 'since', label: t('holds.since'), className: classes.time },
        { key: 'what', label: t('transfers.reference'), className: classes.what },
        { key: 'who', label: t('payouts.person'), className: classes.who },
        { key: 'until', label: t('holds.until'), className: classes.state },
        {
          key: 'amount',
          label: t('money.amount'),
          className: `${table.amount} ${classes.amount}`,
        },
      ]}
    >
      {holds.map((hold) => (
        <Row key={hold.id} hold={hold} onOpen={() => onOpen(hold.id)} />
      ))}
    </DenseTable>
  );
}

export function OpenHolds() {
  const { t } = useTranslation('operator');
  const found = useInfiniteQuery(openHoldsQuery);
  const [opened, setOpened] = useState<number>();
  const list = found.data?.pages.flatMap(({ holds }) => holds) ?? [];
  return (
    <div className={classes.below}>
      <QueryBoundary query={found} skeleton={<SkeletonLines count={2} />}>
        {() => (
          <>
            {list.length === 0 ? (
              <p className={classes.none}>{t('holds.none')}</p>
            ) : (
              <HoldTable holds={list} onOpen={setOpened} />
            )}
            <div className={classes.more}>
              {found.hasNextPage && <MoreButton query={found} label={t('audit.more')} />}
            </div>
          </>
        )}
      </QueryBoundary>
      {opened !== undefined && <WithdrawalSheet id={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}
