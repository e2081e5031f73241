import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { EmptyState, Page, Section } from '../components/layout.tsx';
import { Segments } from '../components/segmented-control.tsx';
import { useTranslation } from '../i18n/index.ts';
import { useSession } from '../session/use-session.ts';
import { ApplicationsSection } from './applications/applications-section.tsx';
import { ChainsSection } from './chains-section.tsx';
import { requestElevation } from './elevation.ts';
import { ElevationPrompt } from './elevation-prompt.tsx';
import { LedgerSection } from './ledger-section.tsx';
import { MoneySection } from './money/money-section.tsx';
import { PayoutsSection } from './payouts/payouts-section.tsx';
import { RulesSection } from './rules-section.tsx';
import { BooksSection } from './trial-balance-section.tsx';
import { UsersSection } from './users-section.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

const VIEWS = {
  users: { scopes: ['operator:users'], content: <UsersSection /> },
  money: {
    scopes: ['operator:chains', 'operator:rules', 'operator:rewards', 'operator:prices'],
    content: <MoneySection />,
  },
  payouts: { scopes: ['operator:payouts'], content: <PayoutsSection /> },
  chains: { scopes: ['operator:chains'], content: <ChainsSection /> },
  ledger: {
    scopes: ['operator:ledger'],
    content: (
      <>
        <BooksSection />
        <LedgerSection />
      </>
    ),
  },
  rules: { scopes: ['operator:rules'], content: <RulesSection /> },
  applications: { scopes: ['operator:clients'], content: <ApplicationsSection /> },
  webhooks: { scopes: ['operator:webhooks'], content: <WebhooksSection /> },
} as const satisfies Record<string, { scopes: readonly string[]; content: ReactNode }>;

type View = keyof typeof VIEWS;

/** Pages for people who run the network, as far as their token allows. */
export function OperatorPage() {
  const { t } = useTranslation('operator');
  const session = useSession();
  const { view: chosen } = useSearch({ from: '/operator' });
  const navigate = useNavigate();
  const scopes = session.status === 'signed-in' ? session.tokens.scopes : new Set<string>();
  const allowed = (Object.keys(VIEWS) as View[]).filter((view) =>
    VIEWS[view].scopes.some((scope) => scopes.has(scope)),
  );
  const view = allowed.find((name) => name === chosen) ?? allowed[0];
  return (
    <Page title={t('title')}>
      <ElevationPrompt />
      {view === undefined ? (
        <Section>
          <EmptyState
            icon="gauge"
            title={t('notAllowed')}
            action={
              <Button onClick={() => void requestElevation().catch(() => undefined)}>
                {t('confirm')}
              </Button>
            }
          >
            {t('notAllowedLead')}
          </EmptyState>
        </Section>
      ) : (
        <>
          <Segments
            label={t('title')}
            value={view}
            onChange={(name) =>
              void navigate({ to: '/operator', search: { view: name }, replace: true })
            }
            options={allowed.map((name) => ({ value: name, label: t(`view.${name}`) }))}
          />
          {VIEWS[view].content}
        </>
      )}
    </Page>
  );
}
