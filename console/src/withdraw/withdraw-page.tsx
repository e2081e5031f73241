import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCurrencies } from '../api/currencies.ts';
import { useMe } from '../api/me.ts';
import { AMOUNT, AmountInText } from '../components/amount-in-text.tsx';
import { BackLink } from '../components/back-link.tsx';
import { Button } from '../components/button.tsx';
import { EmptyState, isPending, Page, Section } from '../components/layout.tsx';
import { useTranslation } from '../i18n/index.ts';
import { useProof } from '../security/reauthentication.tsx';
import { usePrices } from '../wallets/approximate-value.tsx';
import { accountsQuery } from '../wallets/queries.ts';
import { AddressesSection } from './addresses-section.tsx';
import { ConvertFirst } from './convert-first.tsx';
import { firstPayoutsQuery, PayoutsSection } from './payouts-section.tsx';
import { addressesQuery, type Payout } from './queries.ts';
import { type Draft, NO_DRAFT, type Reviewed, ReviewStep } from './review-step.tsx';
import classes from './withdraw.module.css';
import { WithdrawForm } from './withdraw-form.tsx';

/** Where the flow is. */
type Step =
  | { readonly name: 'form' }
  | { readonly name: 'convert'; readonly currency: string }
  | { readonly name: 'review'; readonly reviewed: Reviewed }
  | { readonly name: 'done'; readonly payout: Payout };

function Done({ payout, onAgain }: { readonly payout: Payout; readonly onAgain: () => void }) {
  const { t } = useTranslation('withdraw');
  return (
    <EmptyState
      icon="check"
      title={
        <AmountInText
          text={t('requested', { amount: AMOUNT })}
          value={payout.arrives}
          currency={payout.currency}
        />
      }
      action={<Button onClick={onAgain}>{t('again')}</Button>}
    >
      {t('requestedLead')}
    </EmptyState>
  );
}

/** What the page shows above and beside its lists is still being asked for. */
function useIsLoading(): boolean {
  const queries = [
    useCurrencies(),
    useMe(),
    useQuery(accountsQuery('asset')),
    useQuery(accountsQuery('bonus')),
    useQuery(addressesQuery),
    useQuery(firstPayoutsQuery),
    usePrices(),
  ];
  return queries.some(isPending);
}

/** Money leaves to an address of the user: rewards are converted first, in the same flow. */
export function WithdrawPage() {
  const { t } = useTranslation('withdraw');
  const client = useQueryClient();
  const proof = useProof();
  const [draft, setDraft] = useState<Draft>(NO_DRAFT);
  const [step, setStep] = useState<Step>({ name: 'form' });
  const toForm = (): void => setStep({ name: 'form' });
  const finish = (payout: Payout): void => {
    setDraft(NO_DRAFT);
    setStep({ name: 'done', payout });
    void client.invalidateQueries();
  };
  return (
    <Page
      title={t('title')}
      isLoading={useIsLoading()}
      back={<BackLink to="/wallets">{t('wallets:title')}</BackLink>}
    >
      <div className={classes.page}>
        <Section lead={t('lead')}>
          <div role="status">
            {step.name === 'done' && <Done payout={step.payout} onAgain={toForm} />}
          </div>
          {step.name === 'form' && (
            <WithdrawForm
              draft={draft}
              proof={proof}
              onDraft={setDraft}
              onConvert={(currency) => setStep({ name: 'convert', currency })}
              onQuote={(reviewed) => setStep({ name: 'review', reviewed })}
            />
          )}
          {step.name === 'convert' && (
            <ConvertFirst
              currency={step.currency}
              onBack={toForm}
              onDone={({ to_currency: source, to_amount: amount }) => {
                setDraft({ ...draft, source, amount });
                toForm();
                void client.invalidateQueries();
              }}
            />
          )}
          {step.name === 'review' && (
            <ReviewStep reviewed={step.reviewed} proof={proof} onBack={toForm} onDone={finish} />
          )}
        </Section>
        <div className={classes.beside}>
          <PayoutsSection />
          <AddressesSection proof={proof} />
        </div>
      </div>
      {proof.sheet}
    </Page>
  );
}
