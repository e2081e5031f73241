import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Amount } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { useTranslation } from '../i18n/index.ts';
import { counterpartyText } from '../i18n/labels.ts';
import { sumAmounts, toUnits } from '../lib/money-text.ts';
import { HouseTransfer } from './books/house-transfer.tsx';
import dense from './dense-table.module.css';
import classes from './operator.module.css';
import { type HouseAccount, houseQuery } from './queries.ts';

/** An account of the house leads to its statement; what people have is no account. */
function AccountName({ account, currency }: Pick<HouseAccount, 'account' | 'currency'>) {
  const { t } = useTranslation('operator');
  if (account === 'users') return t('ledger.allPeople');
  const name = counterpartyText(t, account);
  return (
    <Link
      to="/operator"
      search={{ view: 'ledger', house: account, currency }}
      className={dense.open}
      aria-label={t('statements.open', { account: name, currency })}
    >
      {name}
    </Link>
  );
}

function CurrencyBooks({
  currency,
  accounts,
}: {
  readonly currency: string;
  readonly accounts: readonly HouseAccount[];
}) {
  const { t } = useTranslation('operator');
  const sum = sumAmounts(accounts.map(({ balance }) => balance));
  const isBalanced = toUnits(sum) === 0n;
  return (
    <table className={dense.table}>
      <caption className={classes.books} data-balanced={isBalanced}>
        <Icon name={isBalanced ? 'check' : 'close'} size={18} />
        {isBalanced ? t('ledger.balanced', { currency }) : t('ledger.unbalanced', { currency })}
      </caption>
      <tbody>
        {accounts.map(({ account, balance }) => (
          <tr key={account}>
            <td className={classes.account}>
              <AccountName account={account} currency={currency} />
            </td>
            <td className={dense.amount}>
              <Amount value={balance} size="sm" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * The books, added up here: what the house has and what all people have make zero in each currency.
 */
export function BooksSection() {
  const { t } = useTranslation('operator');
  const house = useQuery(houseQuery);
  return (
    <Section
      title={t('ledger.books')}
      lead={t('ledger.booksLead')}
      actions={
        <>
          <HouseTransfer />
          <Button
            variant="default"
            size="sm"
            isBusy={house.isFetching}
            onClick={() => void house.refetch()}
          >
            {t('ledger.checkAgain')}
          </Button>
        </>
      }
    >
      <QueryBoundary query={house} skeleton={<SkeletonLines count={3} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="shield" title={t('ledger.noPostings')}>
              {t('ledger.noPostingsLead')}
            </EmptyState>
          ) : (
            [...new Set(list.map(({ currency }) => currency))].map((currency) => (
              <CurrencyBooks
                key={currency}
                currency={currency}
                accounts={list.filter((entry) => entry.currency === currency)}
              />
            ))
          )
        }
      </QueryBoundary>
    </Section>
  );
}
