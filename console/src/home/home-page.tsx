import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCurrencies } from '../api/currencies.ts';
import { useDevices } from '../devices/queries.ts';
import { useTranslation } from '../i18n/index.ts';
import { dayBefore, todayUtc } from '../lib/time-text.ts';
import { Amount } from '../parts/amount.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loaded, Section, SkeletonLines } from '../parts/layout.tsx';
import { EarningsSection } from './earnings-section.tsx';
import classes from './home.module.css';
import { type Balance, earningsQuery, overviewQuery } from './queries.ts';
import { RewardTypes } from './reward-types.tsx';

/** The currency that rewards are paid in. */
function useRewardCurrency(): string {
  const currencies = useCurrencies();
  return currencies.data?.find((currency) => currency.is_reward_currency)?.code ?? currencies.data?.[0]?.code ?? '';
}

function amountOf(list: readonly { readonly currency: string; readonly amount: string }[] | undefined, currency: string): string {
  return list?.find((entry) => entry.currency === currency)?.amount ?? '0';
}

function Hero({ currency }: { readonly currency: string }) {
  const { t } = useTranslation('home');
  const today = todayUtc();
  const overview = useQuery(overviewQuery);
  const earnings = useQuery(earningsQuery({ beginDate: dayBefore(today, 29), endDate: today }));
  const todays = earnings.data?.filter((point) => point.date === today);
  const others = overview.data?.total_earnings.filter((entry) => entry.currency !== currency && !/^-?0(\.0+)?$/.test(entry.amount)) ?? [];
  return (
    <section className={classes.hero} aria-label={t('earnings')}>
      <div>
        <h1 className={classes.heroLabel}>{t('today')}</h1>
        <div className={classes.heroFigure}>
          <Loaded query={{ ...earnings, data: todays }} skeleton={<SkeletonLines count={1} height={52} />}>
            {(points) => <Amount value={amountOf(points, currency)} currency={currency} size="hero" />}
          </Loaded>
        </div>
      </div>
      <dl className={classes.heroFacts}>
        <div>
          <dt>{t('yesterday')}</dt>
          <dd>
            {overview.data ? (
              <Amount value={amountOf(overview.data.yesterday_earnings, currency)} currency={currency} size="lg" />
            ) : (
              <SkeletonLines count={1} height={28} />
            )}
          </dd>
        </div>
        <div>
          <dt>{t('total')}</dt>
          <dd>
            {overview.data ? (
              <Amount value={amountOf(overview.data.total_earnings, currency)} currency={currency} size="lg" />
            ) : (
              <SkeletonLines count={1} height={28} />
            )}
          </dd>
        </div>
        {others.map((entry) => (
          <div key={entry.currency}>
            <dt>{t('totalIn', { currency: entry.currency })}</dt>
            <dd>
              <Amount value={entry.amount} currency={entry.currency} size="lg" />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** For somebody who has no device, adding one comes before everything that cannot be there without it. */
function FirstDevice() {
  const { t } = useTranslation('home');
  return (
    <div className={classes.wide}>
      <Section>
        <Empty
          icon="device"
          title={t('noDevices')}
          action={
            <Link to="/devices/add">
              <Icon name="plus" size={18} /> {t('addDevice')}
            </Link>
          }
        >
          {t('noDevicesLead')}
        </Empty>
      </Section>
    </div>
  );
}

function DevicesCard() {
  const { t } = useTranslation('home');
  const devices = useDevices();
  const overview = useQuery(overviewQuery);
  return (
    <Section title={t('network')} actions={<Link to="/devices">{t('allDevices')}</Link>}>
      <Loaded query={devices} skeleton={<SkeletonLines count={2} />}>
        {(list) => (
          <dl className={classes.facts}>
            <div>
              <dt>{t('online')}</dt>
              <dd>
                <strong>{list.filter((device) => device.status === 'online').length}</strong> / {list.length}
              </dd>
            </div>
            <div>
              <dt>{t('traffic')}</dt>
              <dd>{overview.data ? <Amount value={overview.data.traffic_gb} currency="GB" /> : '…'}</dd>
            </div>
          </dl>
        )}
      </Loaded>
    </Section>
  );
}

function BalanceRow({ balance }: { readonly balance: Balance }) {
  const { t } = useTranslation('home');
  return (
    <li>
      <span className={classes.code}>{balance.currency}</span>
      <span className={classes.pair}>
        <span>
          <span className={classes.small}>{t('asset')}</span>
          <Amount value={balance.balance} />
        </span>
        <span>
          <span className={classes.small}>{t('bonus')}</span>
          <Amount value={balance.bonus_balance} />
        </span>
      </span>
    </li>
  );
}

function Balances() {
  const { t } = useTranslation('home');
  const overview = useQuery(overviewQuery);
  return (
    <Section title={t('balances')} actions={<Link to="/wallets">{t('toWallets')}</Link>}>
      <Loaded query={overview} skeleton={<SkeletonLines count={3} />}>
        {(data) => (
          <ul className={classes.balances}>
            {data.balances.map((balance) => (
              <BalanceRow key={balance.currency} balance={balance} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

/** Today's earnings in one glance, then everything around them. */
export function HomePage() {
  const currency = useRewardCurrency();
  const devices = useDevices();
  const isWithoutDevices = devices.data?.length === 0;
  return (
    <div className={classes.page}>
      <Hero currency={currency} />
      {isWithoutDevices && <FirstDevice />}
      <div className={classes.wide}>
        <EarningsSection currency={currency} />
      </div>
      {!isWithoutDevices && <DevicesCard />}
      <RewardTypes />
      <div className={classes.wide}>
        <Balances />
      </div>
    </div>
  );
}
