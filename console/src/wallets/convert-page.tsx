import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { AMOUNT, AmountInText } from '../components/amount-in-text.tsx';
import { BackLink } from '../components/back-link.tsx';
import { EmptyState, Page, Section } from '../components/layout.tsx';
import { NavButton } from '../components/nav-button.tsx';
import { whenNothingIsOpen } from '../hooks/use-close-on-back.ts';
import { useTranslation } from '../i18n/index.ts';
import { ConversionForm, type FormDraft } from './conversion-form.tsx';
import type { ConversionQuote } from './queries.ts';
import { QuoteStep } from './quote-step.tsx';
import classes from './wallets.module.css';

/** What was converted. */
function Converted({ conversion }: { readonly conversion: ConversionQuote }) {
  const { t } = useTranslation('wallets');
  return (
    <EmptyState
      icon="check"
      title={
        <AmountInText
          text={t('converted', { amount: AMOUNT })}
          value={conversion.to_amount}
          currency={conversion.to_currency}
        />
      }
      action={<NavButton to="/wallets">{t('toWallets')}</NavButton>}
    >
      <AmountInText
        text={t('convertedLead', { amount: AMOUNT })}
        value={conversion.amount}
        currency={conversion.currency}
      />
    </EmptyState>
  );
}

/** Converts rewards into the asset wallet: an offer first, then the conversion. */
export function ConvertPage() {
  const { t } = useTranslation('wallets');
  const client = useQueryClient();
  const [quote, setQuote] = useState<ConversionQuote>();
  const {
    from: currency = '',
    amount = '',
    to: toCurrency = '',
  } = useSearch({ from: '/wallets/convert' });
  const [draft, setDraft] = useState<FormDraft>({
    currency,
    amount,
    toCurrency,
    isChanged: false,
  });
  const navigate = useNavigate();
  const [done, setDone] = useState<ConversionQuote>();
  const finish = (conversion: ConversionQuote): void => {
    setDone(conversion);
    setQuote(undefined);
    whenNothingIsOpen(
      () => void navigate({ to: '/wallets/convert', replace: true, resetScroll: false }),
    );
    void client.invalidateQueries();
  };
  /** The address keeps the draft, also over a new sign-in. */
  const saveDraft = (next: FormDraft): void => {
    setDraft(next);
    const search = {
      from: next.currency || undefined,
      amount: next.amount || undefined,
      to: next.toCurrency || undefined,
    };
    void navigate({ to: '/wallets/convert', search, replace: true, resetScroll: false });
  };
  const show = (offer: ConversionQuote): void => {
    setQuote(offer);
    setDraft({ ...draft, isChanged: true });
  };
  return (
    <Page title={t('convertTitle')} back={<BackLink to="/wallets">{t('title')}</BackLink>}>
      <div className={classes.convert}>
        <Section lead={t('convertLead')}>
          <div role="status">{done && <Converted conversion={done} />}</div>
          {!done && quote && (
            <QuoteStep quote={quote} onDone={finish} onBack={() => setQuote(undefined)} />
          )}
          {!done && !quote && <ConversionForm draft={draft} onDraft={saveDraft} onQuote={show} />}
        </Section>
      </div>
    </Page>
  );
}
