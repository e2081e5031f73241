import { useQuery } from '@tanstack/react-query';
import { useCurrencies } from '../api/currencies.ts';
import { Button } from '../components/button.tsx';
import { Select, TextInput } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { EmptyState, isPending, QueryBoundary, SkeletonLines } from '../components/layout.tsx';
import { NavButton } from '../components/nav-button.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { toUnits } from '../lib/money-text.ts';
import { usePrices } from './approximate-value.tsx';
import { Available } from './available.tsx';
import { type Account, accountsQuery, type ConversionQuote, requestQuote } from './queries.ts';

/** What the user has entered. */
export interface FormDraft {
  readonly currency: string;
  readonly amount: string;
  readonly toCurrency: string;
  /** The user returned from an offer to change it. */
  readonly isChanged: boolean;
}

interface Props {
  readonly draft: FormDraft;
  /** Currencies that may be chosen; absent: all. */
  readonly targets?: readonly string[];
  readonly onDraft: (draft: FormDraft) => void;
  readonly onQuote: (quote: ConversionQuote) => void;
}

function findSource(funded: readonly Account[], currency: string) {
  return (
    funded.find((account) => account.currency === currency) ??
    funded[0] ?? { currency: '', balance: '0' }
  );
}

/** The chosen currency, else the one of wallet totals, else any other than the source. */
function findTarget(
  codes: readonly string[],
  from: string,
  chosen: string,
  display: string | undefined,
): string {
  if (codes.includes(chosen)) return chosen;
  if (display !== undefined && display !== from && codes.includes(display)) return display;
  return codes.find((code) => code !== from) ?? from;
}

function NothingToConvert() {
  const { t } = useTranslation('wallets');
  return (
    <EmptyState
      icon="swap"
      title={t('nothingToConvert')}
      action={<NavButton to="/devices/add">{t('earnFirst')}</NavButton>}
    >
      {t('nothingToConvertLead')}
    </EmptyState>
  );
}

function Fields({
  funded,
  draft,
  targets,
  onDraft,
  onQuote,
}: Props & { readonly funded: readonly Account[] }) {
  const { t } = useTranslation('wallets');
  const submission = useSubmission();
  const all = (useCurrencies().data ?? []).map(({ code }) => code);
  const codes = targets ?? all;
  const { currency: from, balance: available } = findSource(funded, draft.currency);
  const display = usePrices().data?.quote_currency;
  const toCurrency = findTarget(codes, from, draft.toCurrency, display);
  const setAmount = (amount: string): void => onDraft({ ...draft, amount });
  const submit = (): void => {
    const amount = draft.amount.trim();
    // A comma separates decimals in some countries and thousands in others: it is not accepted.
    if (!/^\d+(\.\d+)?$/.test(amount)) submission.refuse({ amount: t('amountInvalid') });
    else if (toUnits(amount) > toUnits(available))
      submission.refuse({ amount: t('common:problem.insufficient_funds') });
    else
      submission.submit(async () =>
        onQuote(await requestQuote({ currency: from, amount, to_currency: toCurrency })),
      );
  };
  return (
    <Form submission={submission} submitLabel={t('seeOffer')} onSubmit={submit}>
      <Select
        label={t('convertFrom')}
        value={from}
        onChange={(event) =>
          onDraft({ ...draft, currency: event.currentTarget.value, toCurrency: '' })
        }
        options={funded.map((account) => account.currency)}
      />
      <TextInput
        name="amount"
        label={t('amount')}
        description={<Available balance={available} currency={from} />}
        inputMode="decimal"
        autoComplete="off"
        autoFocus={draft.isChanged}
        value={draft.amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        trailing={
          <Button variant="subtle" size="xs" onClick={() => setAmount(available)}>
            {t('max')}
          </Button>
        }
      />
      <Select
        name="to_currency"
        label={t('convertTo')}
        value={toCurrency}
        onChange={(event) => onDraft({ ...draft, toCurrency: event.currentTarget.value })}
        options={codes}
      />
    </Form>
  );
}

/** What to convert, into what. */
export function ConversionForm(props: Props) {
  const accounts = useQuery(accountsQuery('bonus'));
  const funded = accounts.data?.filter((account) => !/^-|^0(\.0+)?$/.test(account.balance)) ?? [];
  // They name the currency that is offered first.
  if (isPending(usePrices())) return <SkeletonLines count={3} />;
  return (
    <QueryBoundary query={accounts} skeleton={<SkeletonLines count={3} />}>
      {() => (funded.length === 0 ? <NothingToConvert /> : <Fields {...props} funded={funded} />)}
    </QueryBoundary>
  );
}
