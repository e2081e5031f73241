/** The home of operators: how the network is doing, and what waits for a person. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Amount, amountText } from '../../components/amount.tsx';
import { DateTime, RelativeTime, UtcDay } from '../../components/date-time.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { sumAmounts } from '../../lib/money-text.ts';
import { Alerts } from './alerts.tsx';
import { DayBars } from './day-bars.tsx';
import classes from './overview.module.css';
import { type DayFigures, type Overview, overviewQuery } from './queries.ts';
import { Queues } from './queues.tsx';

interface TileProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
}

function Tile({ name, value, note }: TileProps) {
  return (
    <div className={classes.tile}>
      <dt>{name}</dt>
      <dd className={classes.figure}>{value}</dd>
      {note !== undefined && <dd className={classes.note}>{note}</dd>}
    </div>
  );
}

/** What the last check of the books has covered, and found. */
function VerificationNote({ last }: { readonly last: Overview['last_verification'] }) {
  const { t } = useTranslation('operator');
  if (last === undefined) return t('overview.neverVerified');
  const parts = last.parts.map((part) => t.find('operator', `overview.part.${part}`) ?? part);
  return (
    <>
      <span data-failed={last.findings > 0 || undefined}>
        {last.findings === 0
          ? t('overview.agrees')
          : t('overview.findings', { count: last.findings })}
      </span>{' '}
      {last.since === undefined ? (
        t('overview.verifiedAll')
      ) : (
        <>
          {t('overview.verifiedSince')} <DateTime iso={last.since} isShort />
        </>
      )}
      {` · ${parts.join(t('devices:comma'))}`}
    </>
  );
}

/** What waits for a decision, with the page where it is made. */
function WaitingTiles({ overview }: { readonly overview: Overview }) {
  const { t, language } = useTranslation('operator');
  const number = new Intl.NumberFormat(language);
  const payouts = overview.payouts_waiting
    .filter(({ reason }) => !/^(approved_by_|taken_by|in_pool|in_block)/.test(reason))
    .reduce((sum, { count }) => sum + count, 0);
  const tiles = [
    { name: 'payoutsWaiting', count: payouts, view: 'payouts', link: 'openPayouts' },
    { name: 'depositsOnHold', count: overview.deposits_on_hold, view: 'money', link: 'openMoney' },
    { name: 'heldReferees', count: overview.held_referees, view: 'money', link: 'openMoney' },
  ] as const;
  return tiles.map(({ name, count, view, link }) => (
    <Tile
      key={name}
      name={t(`overview.${name}`)}
      value={number.format(count)}
      note={
        <Link to="/operator" search={{ view }}>
          {t(`overview.${link}`)}
        </Link>
      }
    />
  ));
}

function Tiles({ overview }: { readonly overview: Overview }) {
  const { t, language } = useTranslation('operator');
  const number = new Intl.NumberFormat(language);
  const today = overview.days.at(-1);
  const last = overview.last_verification;
  return (
    <dl className={classes.tiles}>
      <Tile
        name={t('overview.people')}
        value={number.format(overview.people)}
        note={t('overview.joinedToday', { count: today?.joined ?? 0 })}
      />
      <Tile
        name={t('overview.connected')}
        value={number.format(overview.connected_devices)}
        note={t('overview.now')}
      />
      <WaitingTiles overview={overview} />
      <Tile
        name={t('overview.lastVerify')}
        value={last === undefined ? '–' : <RelativeTime iso={last.at} />}
        note={<VerificationNote last={last} />}
      />
      <Tile
        name={t('overview.lastHead')}
        value={
          overview.last_signed_head === undefined ? '–' : <UtcDay day={overview.last_signed_head} />
        }
        note={t('overview.lastHeadNote')}
      />
    </dl>
  );
}

interface FlowProps {
  readonly title: string;
  readonly none: string;
  readonly days: readonly DayFigures[];
  readonly amountsOf: (day: DayFigures) => DayFigures['rewards'];
}

/** What came in on each day, a chart for each currency. */
function Flow({ title, none, days, amountsOf }: FlowProps) {
  const { t } = useTranslation('operator');
  const currencies = [...new Set(days.flatMap((day) => amountsOf(day).map((a) => a.currency)))];
  const amountOf = (day: DayFigures, currency: string): string =>
    amountsOf(day).find((amount) => amount.currency === currency)?.amount ?? '0';
  return (
    <Section title={title}>
      {currencies.length === 0 && <p className={classes.none}>{none}</p>}
      {currencies.map((currency) => {
        const values = days.map((day) => ({ date: day.date, value: amountOf(day, currency) }));
        const today = values.at(-1)?.value ?? '0';
        return (
          <div key={currency} className={classes.flow}>
            <p className={classes.flowHead}>
              <span>
                {t('overview.today')} <Amount value={today} currency={currency} />
              </span>
              <span>
                {t('overview.days30')}{' '}
                <Amount value={sumAmounts(values.map(({ value }) => value))} currency={currency} />
              </span>
            </p>
            <DayBars
              label={`${title} · ${currency}`}
              days={values}
              textOf={(value) => amountText(value, currency)}
            />
          </div>
        );
      })}
    </Section>
  );
}

function Joined({ days }: { readonly days: readonly DayFigures[] }) {
  const { t } = useTranslation('operator');
  return (
    <Section title={t('overview.joined')}>
      <p className={classes.flowHead}>
        <span>{t('overview.joinedToday', { count: days.at(-1)?.joined ?? 0 })}</span>
        <span>
          {t('overview.joined30', { count: days.reduce((sum, { joined }) => sum + joined, 0) })}
        </span>
      </p>
      <DayBars
        label={t('overview.joined')}
        days={days.map(({ date, joined }) => ({ date, value: String(joined) }))}
        textOf={(value) => t('overview.joinedOnDay', { count: Number(value) })}
      />
    </Section>
  );
}

export function OverviewSection() {
  const { t } = useTranslation('operator');
  const overview = useQuery(overviewQuery);
  return (
    <QueryBoundary query={overview} skeleton={<SkeletonLines count={4} height={120} />}>
      {(data) => (
        <>
          <Alerts alerts={data.alerts} />
          <Tiles overview={data} />
          <div className={classes.pair}>
            <Flow
              title={t('overview.rewards')}
              none={t('overview.noRewards')}
              days={data.days}
              amountsOf={({ rewards }) => rewards}
            />
            <Flow
              title={t('overview.deposits')}
              none={t('overview.noDeposits')}
              days={data.days}
              amountsOf={({ deposits }) => deposits}
            />
          </div>
          <div className={classes.pair}>
            <Joined days={data.days} />
            <Queues overview={data} />
          </div>
        </>
      )}
    </QueryBoundary>
  );
}
