import { useState } from 'react';
import { useCurrencies } from '../api/currencies.ts';
import { Button } from '../components/button.tsx';
import { Text } from '../components/text.tsx';
import { useTranslation } from '../i18n/index.ts';
import { ConversionForm, type FormDraft } from '../wallets/conversion-form.tsx';
import type { ConversionQuote } from '../wallets/queries.ts';
import { QuoteStep } from '../wallets/quote-step.tsx';

interface Props {
  /** Of the rewards. */
  readonly currency: string;
  readonly onDone: (conversion: ConversionQuote) => void;
  readonly onBack: () => void;
}

/** Rewards become a currency that has a network. */
export function ConvertFirst({ currency, onDone, onBack }: Props) {
  const { t } = useTranslation('withdraw');
  const targets = (useCurrencies().data ?? [])
    .filter(({ open_networks }) => open_networks.length > 0)
    .map(({ code }) => code);
  const [draft, setDraft] = useState<FormDraft>({
    currency,
    amount: '',
    toCurrency: '',
    isChanged: true,
  });
  const [quote, setQuote] = useState<ConversionQuote>();
  if (quote) return <QuoteStep quote={quote} onDone={onDone} onBack={() => setQuote(undefined)} />;
  return (
    <>
      <Text isSmall>{t('convertFirst', { currency })}</Text>
      <ConversionForm draft={draft} targets={targets} onDraft={setDraft} onQuote={setQuote} />
      <Button variant="subtle" onClick={onBack}>
        {t('common:back')}
      </Button>
    </>
  );
}
