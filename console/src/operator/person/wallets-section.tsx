/** Balances of a person, and the activity of one of them. */

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { toUnits } from '../../lib/money-text.ts';
import { ChangeButton } from '../allows.tsx';
import { ActivitySheet } from './activity-sheet.tsx';
import { AdjustForm } from './adjust-form.tsx';
import classes from './person.module.css';
import { type Account, type Wallet, walletsQuery } from './queries.ts';

type Balance = Wallet['balances'][number];

const hasAny = ({ balance, hold, deposited, withdrawal }: Balance): boolean =>
  [balance, hold, deposited, withdrawal].some((amount) => toUnits(amount) !== 0n);

interface TableProps {
  readonly userId: number;
  readonly wallets: readonly Wallet[];
  readonly onOpen: (account: Account) => void;
}

function BalanceTable({ userId, wallets, onOpen }: TableProps) {
  const { t } = useTranslation('operator');
  const rows = wallets.flatMap(({ wallet, balances }) =>
    balances.filter(hasAny).map((balance) => ({ wallet, ...balance })),
  );
  if (rows.length === 0) return <p className={classes.none}>{t('person.noMoney')}</p>;
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('person.wallet')}</th>
          <th scope="col">{t('person.available')}</th>
          <th scope="col">{t('person.held')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ wallet, currency, balance, hold }) => {
          const name = t.find('operator', `person.walletName.${wallet}`) ?? wallet;
          return (
            <tr key={`${wallet} ${currency}`}>
              <th scope="row">
                <button
                  type="button"
                  className={classes.open}
                  aria-label={t('person.openActivity', { wallet: name, currency })}
                  onClick={() => onOpen({ userId, wallet, currency })}
                >
                  {name} · {currency}
                </button>
              </th>
              <td>
                <Amount value={balance} size="sm" />
              </td>
              <td>
                <Amount value={hold} size="sm" />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function WalletsSection({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('operator');
  const wallets = useQuery(walletsQuery(userId));
  const [account, setAccount] = useState<Account>();
  const [isAdjusting, setAdjusting] = useState(false);
  return (
    <Section
      title={t('person.wallets')}
      actions={
        <ChangeButton
          scope="operator:transfers"
          variant="default"
          size="sm"
          onClick={() => setAdjusting(true)}
        >
          {t('person.adjust')}
        </ChangeButton>
      }
    >
      <QueryBoundary query={wallets} skeleton={<SkeletonLines count={2} />}>
        {({ wallets: list }) => (
          <>
            <BalanceTable userId={userId} wallets={list} onOpen={setAccount} />
            {isAdjusting && (
              <AdjustForm userId={userId} wallets={list} onClose={() => setAdjusting(false)} />
            )}
          </>
        )}
      </QueryBoundary>
      {account && <ActivitySheet account={account} onClose={() => setAccount(undefined)} />}
    </Section>
  );
}
