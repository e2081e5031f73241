/** The newest bills of one balance of a person. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { QueryBoundary, SkeletonLines } from '../../components/layout.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { businessText, rewardTypeText } from '../../i18n/labels.ts';
import { signedAmount } from '../../wallets/bill-row.tsx';
import { Pager } from '../pager.tsx';
import type { StatementBill } from '../statements/queries.ts';
import { TransferSheet } from '../transfers/transfer-sheet.tsx';
import classes from './person.module.css';
import { type Account, fetchStatement } from './queries.ts';

interface Props {
  readonly account: Account;
  readonly onClose: () => void;
}

export function ActivitySheet({ account, onClose }: Props) {
  const { t } = useTranslation('operator');
  const [page, setPage] = useState(1);
  const [opened, setOpened] = useState<number>();
  const { userId, wallet, currency } = account;
  const whatOf = ({ reward_type: type, business_id: business }: StatementBill): string =>
    type === undefined ? businessText(t, business) : rewardTypeText(t, type);
  const statement = useQuery({
    queryKey: ['operator', 'users', 'one', userId, 'statement', wallet, currency, page],
    queryFn: ({ signal }) => fetchStatement(account, page, signal),
  });
  return (
    <Sheet
      title={`${t.find('operator', `person.walletName.${wallet}`) ?? wallet} · ${currency}`}
      onClose={onClose}
    >
      <QueryBoundary query={statement} skeleton={<SkeletonLines count={6} />}>
        {({ records, pages }) => (
          <>
            <ul className={classes.bills}>
              {records.map((bill) => (
                <li key={bill.id}>
                  <span>
                    <button
                      type="button"
                      className={classes.openBill}
                      aria-label={t('statements.openBill', {
                        what: whatOf(bill),
                        id: bill.transfer_id,
                      })}
                      onClick={() => setOpened(bill.transfer_id)}
                    >
                      {whatOf(bill)}
                    </button>
                    <span className={classes.small}>
                      <DateTime iso={bill.created_at} isShort /> · #{bill.transfer_id}
                      {bill.remark !== undefined && ` · ${bill.remark}`}
                    </span>
                  </span>
                  <Amount value={signedAmount(bill)} isSigned size="sm" />
                </li>
              ))}
            </ul>
            {records.length === 0 && <p className={classes.none}>{t('person.noActivity')}</p>}
            <Pager page={page} pages={pages} onPage={setPage} />
          </>
        )}
      </QueryBoundary>
      {opened !== undefined && <TransferSheet id={opened} onClose={() => setOpened(undefined)} />}
    </Sheet>
  );
}
