import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { EmptyState, Page, Section } from '../components/layout.tsx';
import { useTranslation } from '../i18n/index.ts';
import { useMayOperate } from '../session/use-may-operate.ts';
import { DEPOSITS, HELD_REWARDS, useReads } from './allows.tsx';
import { ApplicationsView } from './applications/applications-view.tsx';
import { AuditSection } from './audit/audit-section.tsx';
import { BooksView } from './books/books-view.tsx';
import { BrandSection } from './brand/brand-section.tsx';
import { ChainsSection } from './chains/chains-section.tsx';
import { UnsweptSection } from './chains/unswept-section.tsx';
import { DevicesSection } from './devices/devices-section.tsx';
import { requestElevation } from './elevation.ts';
import { ElevationPrompt } from './elevation-prompt.tsx';
import { MoneySection } from './money/money-section.tsx';
import frame from './operator-nav.module.css';
import { OperatorNav, type View } from './operator-nav.tsx';
import { OverviewSection } from './overview/overview-section.tsx';
import { PayoutsSection } from './payouts/payouts-section.tsx';
import { PersonView } from './person/person-view.tsx';
import { PricesView } from './prices/prices-view.tsx';
import { RulesSection } from './rules/rules-section.tsx';
import { SettlementsSection } from './settlements/settlements-section.tsx';
import { readStatementFilter } from './statements/statement-filter.ts';
import { StatementView } from './statements/statement-view.tsx';
import { TransfersSection } from './transfers/transfers-section.tsx';
import { UsersSection } from './users-section.tsx';
import { WebhooksSection } from './webhooks/webhooks-section.tsx';

/** People, or the one person whom the address names. */
function PeopleView() {
  const { person } = useSearch({ from: '/operator' });
  return person === undefined ? <UsersSection /> : <PersonView key={person} userId={person} />;
}

/** The books, or the one account of the house that the address names. */
function LedgerView() {
  const search = useSearch({ from: '/operator' });
  const { house, currency } = search;
  if (house === undefined || currency === undefined) return <BooksView />;
  return (
    <StatementView
      key={`${house} ${currency}`}
      account={{ house, currency }}
      filter={readStatementFilter({ ...search })}
    />
  );
}

const VIEWS = {
  overview: { scopes: ['operator:overview'], content: <OverviewSection /> },
  users: { scopes: ['operator:users'], content: <PeopleView /> },
  devices: { scopes: ['operator:users'], content: <DevicesSection /> },
  money: {
    scopes: [...DEPOSITS, ...HELD_REWARDS, 'operator:rewards', 'operator:withdrawals'],
    content: <MoneySection />,
  },
  transfers: {
    scopes: ['operator:ledger', 'operator:purchases'],
    content: <TransfersSection />,
  },
  payouts: { scopes: ['operator:payouts'], content: <PayoutsSection /> },
  settlements: { scopes: ['operator:rules'], content: <SettlementsSection /> },
  prices: { scopes: ['operator:prices'], content: <PricesView /> },
  chains: {
    scopes: ['operator:chains'],
    content: (
      <>
        <ChainsSection />
        <UnsweptSection />
      </>
    ),
  },
  ledger: { scopes: ['operator:ledger'], content: <LedgerView /> },
  rules: { scopes: ['operator:rules'], content: <RulesSection /> },
  applications: { scopes: ['operator:clients'], content: <ApplicationsView /> },
  webhooks: { scopes: ['operator:webhooks'], content: <WebhooksSection /> },
  brand: { scopes: ['operator:brand'], content: <BrandSection /> },
  audit: { scopes: ['operator:audit'], content: <AuditSection /> },
} as const satisfies Record<View, { scopes: readonly string[]; content: ReactNode }>;

/** Who may operate only confirms the identity anew; others learn whom to ask. */
function NoView() {
  const { t } = useTranslation('operator');
  const mayOperate = useMayOperate();
  return (
    <Section>
      <EmptyState
        icon={mayOperate ? 'key' : 'gauge'}
        title={t(mayOperate ? 'confirmTitle' : 'notAllowed')}
        action={
          <Button onClick={() => void requestElevation().catch(() => undefined)}>
            {t('confirm')}
          </Button>
        }
      >
        {t(mayOperate ? 'confirmLead' : 'notAllowedLead')}
      </EmptyState>
    </Section>
  );
}

/** Pages for people who run the network, as far as their token allows. */
export function OperatorPage() {
  const { t } = useTranslation('operator');
  const { view: chosen } = useSearch({ from: '/operator' });
  const reads = useReads();
  const allowed = (Object.keys(VIEWS) as View[]).filter((view) => VIEWS[view].scopes.some(reads));
  const view = allowed.find((name) => name === chosen) ?? allowed[0];
  return (
    <Page title={t('title')}>
      <ElevationPrompt hasNotice={view !== undefined} />
      {view === undefined ? (
        <NoView />
      ) : (
        <div className={frame.frame}>
          <OperatorNav views={allowed} current={view} />
          <div className={frame.content} data-actions="below">
            {VIEWS[view].content}
          </div>
        </div>
      )}
    </Page>
  );
}
