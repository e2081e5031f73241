/** The bills of one balance of a person, newest first; many of one kind and day are one entry. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { DateOnly, DateTime } from '../../components/date-time.tsx';
import { Icon } from '../../components/icon.tsx';
import { QueryBoundary, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { businessText, rewardTypeText } from '../../i18n/labels.ts';
import type { Translate } from '../../i18n/translate.ts';
import { signedAmount } from '../../wallets/bill-values.ts';
import rows from '../rows.module.css';
import type { StatementBill } from '../statements/queries.ts';
import { TransferSheet } from '../transfers/transfer-sheet.tsx';
import { groupBills, totalOf } from './group-bills.ts';
import classes from './person.module.css';
import { type Account, activityQuery } from './queries.ts';

function whatOf(t: Translate<'operator'>, bill: StatementBill): string {
  const { reward_type: type, business_id: business } = bill;
  return type === undefined ? businessText(t, business) : rewardTypeText(t, type);
}

interface EntryProps {
  readonly bill: StatementBill;
  readonly onOpen: (transferId: number) => void;
}

function Entry({ bill, onOpen }: EntryProps) {
  const { t } = useTranslation('operator');
  const { transfer_id: id, created_at: at, remark } = bill;
  const what = whatOf(t, bill);
  return (
    <li>
      <div className={classes.bill}>
        <span>
          <button
            type="button"
            className={classes.openBill}
            aria-label={t('statements.openBill', { what, id })}
            onClick={() => onOpen(id)}
          >
            {what}
          </button>
          <span className={classes.small}>
            <DateTime iso={at} isShort /> · #{id}
            {remark !== undefined && ` · ${remark}`}
          </span>
        </span>
        <Amount value={signedAmount(bill)} isSigned size="sm" />
      </div>
    </li>
  );
}

interface GroupProps extends Pick<EntryProps, 'onOpen'> {
  readonly first: StatementBill;
  readonly bills: readonly StatementBill[];
  /** Further entries of it may not be read yet. */
  readonly isOpenEnded: boolean;
}

function Group({ first, bills, isOpenEnded, onOpen }: GroupProps) {
  const { t } = useTranslation('operator');
  const [isUnfolded, setUnfolded] = useState(false);
  const count = bills.length;
  return (
    <li>
      <div className={classes.bill}>
        <span>
          <button
            type="button"
            className={classes.openBill}
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            {whatOf(t, first)} <Icon name="chevron" size={14} />
          </button>
          <span className={classes.small}>
            <DateOnly iso={first.created_at} /> ·{' '}
            {t(isOpenEnded ? 'statements.entriesSoFar' : 'statements.entries', { count })}
          </span>
        </span>
        <Amount value={totalOf(bills)} isSigned size="sm" />
      </div>
      {isUnfolded && (
        <ul className={classes.bills}>
          {bills.map((bill) => (
            <Entry key={bill.id} bill={bill} onOpen={onOpen} />
          ))}
        </ul>
      )}
    </li>
  );
}

interface ListProps extends Pick<EntryProps, 'onOpen'> {
  readonly bills: readonly StatementBill[];
  readonly hasMore: boolean;
}

function Entries({ bills, hasMore, onOpen }: ListProps) {
  const { t } = useTranslation('operator');
  if (bills.length === 0) return <p className={classes.none}>{t('person.noActivity')}</p>;
  return (
    <ul className={classes.bills}>
      {groupBills(bills).map(([first, ...others], at, all) => {
        if (first === undefined) return null;
        if (others.length === 0) return <Entry key={first.id} bill={first} onOpen={onOpen} />;
        return (
          <Group
            key={first.id}
            first={first}
            bills={[first, ...others]}
            isOpenEnded={hasMore && at === all.length - 1}
            onOpen={onOpen}
          />
        );
      })}
    </ul>
  );
}

interface Props {
  readonly account: Account;
  readonly onClose: () => void;
}

export function ActivitySheet({ account, onClose }: Props) {
  const { t } = useTranslation('operator');
  const [opened, setOpened] = useState<number>();
  const { wallet, currency } = account;
  const activity = useInfiniteQuery(activityQuery(account));
  return (
    <Sheet
      title={`${t.find('operator', `person.walletName.${wallet}`) ?? wallet} · ${currency}`}
      onClose={onClose}
    >
      <QueryBoundary query={activity} skeleton={<SkeletonLines count={6} />}>
        {({ pages }) => (
          <>
            <Entries
              bills={pages.flatMap(({ bills }) => bills)}
              hasMore={activity.hasNextPage}
              onOpen={setOpened}
            />
            <div className={rows.more}>
              {activity.hasNextPage && <MoreButton query={activity} label={t('payouts.more')} />}
            </div>
          </>
        )}
      </QueryBoundary>
      {opened !== undefined && <TransferSheet id={opened} onClose={() => setOpened(undefined)} />}
    </Sheet>
  );
}
