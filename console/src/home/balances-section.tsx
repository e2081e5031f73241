/** The balances of both wallets: a table, or a list where two amounts do not fit a line. */
import { Link } from '@tanstack/react-router';
import { useCurrencies } from '../api/currencies.ts';
import { Amount } from '../components/amount.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { useMedia } from '../components/use-media.ts';
import { useTranslation } from '../i18n/index.ts';
import { ApproximateValue } from '../wallets/approximate-value.tsx';
import classes from './home.module.css';
import { type Balance, useOverview } from './queries.ts';

/** Wide enough for two amounts beside each other. */
const COLUMNS = '(min-width: 30.01em)';

/** An exact amount, and below it about what it is worth. */
function BalanceFigure({
  amount,
  currency,
}: {
  readonly amount: string;
  readonly currency: string;
}) {
  return (
    <span className={classes.balance}>
      <Amount value={amount} isInColumn />
      <ApproximateValue amount={amount} currency={currency} />
    </span>
  );
}

/**
 * On a phone each amount has a line of its own: of two beside each other the second could be cut.
 */
function BalanceList({ balances }: { readonly balances: readonly Balance[] }) {
  const { t } = useTranslation('home');
  return (
    <ul className={classes.balanceList}>
      {balances.map(({ currency, balance, bonus_balance }) => (
        <li key={currency}>
          <h3>{currency}</h3>
          <dl>
            {(
              [
                ['asset', balance],
                ['bonus', bonus_balance],
              ] as const
            ).map(([wallet, amount]) => (
              <div key={wallet}>
                <dt>{t(wallet)}</dt>
                <dd>
                  <BalanceFigure amount={amount} currency={currency} />
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function BalanceTable({ balances }: { readonly balances: readonly Balance[] }) {
  const { t } = useTranslation('home');
  return (
    <div className={classes.scrolled}>
      <table className={classes.balances}>
        <thead>
          <tr>
            <th scope="col">{t('currency')}</th>
            <th scope="col">{t('asset')}</th>
            <th scope="col">{t('bonus')}</th>
          </tr>
        </thead>
        <tbody>
          {balances.map(({ currency, balance, bonus_balance }) => (
            <tr key={currency}>
              <th scope="row">{currency}</th>
              {[balance, bonus_balance].map((amount, at) => (
                <td key={at === 0 ? 'asset' : 'bonus'}>
                  <BalanceFigure amount={amount} currency={currency} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Balances() {
  const { t } = useTranslation('home');
  const overview = useOverview();
  const codes = useCurrencies().data?.map(({ code }) => code) ?? [];
  const Shown = useMedia(COLUMNS) ? BalanceTable : BalanceList;
  return (
    <Section title={t('balances')} actions={<Link to="/wallets">{t('toWallets')}</Link>}>
      <QueryBoundary query={overview} skeleton={<SkeletonLines count={3} />}>
        {(data) => (
          <Shown
            balances={data.balances.toSorted(
              (one, other) => codes.indexOf(one.currency) - codes.indexOf(other.currency),
            )}
          />
        )}
      </QueryBoundary>
    </Section>
  );
}
