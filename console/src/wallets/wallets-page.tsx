import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Amount } from '../components/amount.tsx';
import { isPending, Page, QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { NavButton } from '../components/nav-button.tsx';
import { Segments } from '../components/segmented-control.tsx';
import { useTranslation } from '../i18n/index.ts';
import { toUnits } from '../lib/money-text.ts';
import { ApproximateValue } from './approximate-value.tsx';
import { BillsSection, firstBillsQuery } from './bills-section.tsx';
import { useNamedDevices } from './device-name.tsx';
import { type Account, accountsQuery, assetQuery, type Wallet } from './queries.ts';
import classes from './wallets.module.css';

function Worth({ wallet }: { readonly wallet: Wallet }) {
  const { t } = useTranslation('wallets');
  const summary = useQuery(assetQuery(wallet));
  return (
    <div className={classes.worth}>
      <span className={classes.label}>{t('worth')}</span>
      <QueryBoundary query={summary} skeleton={<SkeletonLines count={1} height={44} />}>
        {(data) => (
          <>
            <Amount value={data.total} currency={data.quote_currency} size="hero" />
            {data.assets.some(
              ({ price, balance }) => price === null && toUnits(balance) !== 0n,
            ) && <span className={classes.label}>{t('partial')}</span>}
          </>
        )}
      </QueryBoundary>
    </div>
  );
}

interface AccountRowProps {
  readonly account: Account;
  readonly wallet: Wallet;
}

function AccountRow({ account, wallet }: AccountRowProps) {
  const { t } = useTranslation('wallets');
  const hasHold = !/^0(\.0+)?$/.test(account.hold);
  return (
    <li className={classes.account}>
      <span className={classes.code}>{account.currency}</span>
      <span className={classes.figures}>
        <Amount value={account.balance} size="lg" isInColumn />
        <ApproximateValue amount={account.balance} currency={account.currency} wallet={wallet} />
        {hasHold && (
          <span className={classes.label}>
            {t('onHold')} <Amount value={account.hold} size="sm" />{' '}
            <ApproximateValue amount={account.hold} currency={account.currency} wallet={wallet} />
          </span>
        )}
      </span>
    </li>
  );
}

const MOVES = {
  deposit: { to: '/deposits', icon: 'arrowDown' },
  withdraw: { to: '/wallets/withdraw', icon: 'arrowUp' },
  convert: { to: '/wallets/convert', icon: 'swap' },
} as const;

/** What can be done, by wallet: first what it is there for. Rewards are converted to be used. */
const ORDER: Readonly<Record<Wallet, readonly (keyof typeof MOVES)[]>> = {
  asset: ['deposit', 'withdraw', 'convert'],
  bonus: ['convert', 'withdraw', 'deposit'],
};

function Moves({ wallet }: { readonly wallet: Wallet }) {
  const { t } = useTranslation('wallets');
  return (
    <div className={`${classes.ways} ${classes.moves}`}>
      {ORDER[wallet].map((move, at) => (
        <NavButton key={move} {...MOVES[move]} variant={at === 0 ? 'filled' : 'default'}>
          {t(move)}
        </NavButton>
      ))}
    </div>
  );
}

/** What one has, what moved, and what can be done with it. */
export function WalletsPage() {
  const { t } = useTranslation('wallets');
  const navigate = useNavigate();
  const wallet: Wallet = useSearch({ from: '/wallets' }).wallet ?? 'asset';
  const accounts = useQuery(accountsQuery(wallet));
  const summary = useQuery(assetQuery(wallet));
  const bills = useQuery(firstBillsQuery(wallet));
  // Rows of rewards name their devices: a name that came later would move what is below.
  const devices = useNamedDevices(wallet === 'bonus');
  const choose = (value: string): void =>
    void navigate({
      to: '/wallets',
      search: value === 'bonus' ? { wallet: 'bonus' } : {},
      replace: true,
    });
  return (
    <Page
      title={t('title')}
      isLoading={[accounts, summary, bills, devices].some(isPending)}
      actions={
        <Segments
          label={t('title')}
          value={wallet}
          onChange={choose}
          options={[
            { value: 'asset', label: t('asset') },
            { value: 'bonus', label: t('bonus') },
          ]}
        />
      }
    >
      <Section isBare>
        <Worth wallet={wallet} />
        <Moves wallet={wallet} />
      </Section>
      <Section title={t('balances')}>
        <QueryBoundary query={accounts} skeleton={<SkeletonLines count={3} />}>
          {(list) => (
            <ul className={classes.accounts}>
              {list.map((account) => (
                <AccountRow key={account.currency} account={account} wallet={wallet} />
              ))}
            </ul>
          )}
        </QueryBoundary>
      </Section>
      <BillsSection key={wallet} wallet={wallet} />
    </Page>
  );
}
