import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useCurrencies } from '../api/currencies.ts';
import { isUnsettled } from '../api/problem.ts';
import { Amount, amountText } from '../components/amount.tsx';
import { BackLink } from '../components/back-link.tsx';
import { Button } from '../components/button.tsx';
import { DateTime } from '../components/date-time.tsx';
import { Facts } from '../components/description-list.tsx';
import { Select, TextInput } from '../components/field.tsx';
import form from '../components/form.module.css';
import { Failure, Form } from '../components/form.tsx';
import { EmptyState, Page, QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { NavButton } from '../components/nav-button.tsx';
import { Text } from '../components/text.tsx';
import { useBack, whenNothingIsOpen } from '../hooks/use-close-on-back.ts';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { joinSentences } from '../i18n/sentences.ts';
import { toUnits } from '../lib/money-text.ts';
import { serviceNow_ms } from '../lib/server-clock.ts';
import { accountsQuery, askQuote, type ConversionQuote, takeQuote } from './queries.ts';
import classes from './wallets.module.css';

const SECOND_MS = 1000;
const QUOTE_CURRENCY = 'USDT';

/** Seconds until a time of the service, counting down. */
function useSecondsUntil(iso: string): number {
  const [now_ms, setNow] = useState(serviceNow_ms);
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow_ms()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  // Whole ones: the service's clock is known to the second, and may be a part of one behind.
  return Math.max(0, Math.floor((Date.parse(iso) - now_ms) / SECOND_MS));
}

interface OfferProps {
  readonly quote: ConversionQuote;
  readonly onDone: (quote: ConversionQuote) => void;
  readonly onBack: () => void;
}

/** What the conversion would bring; it is done only when it is taken. Where no answer tells whether it was, only the same offer can be asked about. */
function Offer({ quote, onDone, onBack }: OfferProps) {
  const { t, language } = useTranslation('wallets');
  const client = useQueryClient();
  const submission = useSubmission();
  const [isOpen, setOpen] = useState(false);
  const left_s = useSecondsUntil(quote.expires_at);
  useBack(onBack, isOpen);
  const result = useRef<HTMLHeadingElement>(null);
  // The order is gone: what came of it takes its place for a screen reader, too.
  useLayoutEffect(() => result.current?.focus(), []);
  const take = (): void =>
    submission.submit(async () => {
      try {
        onDone(await takeQuote(quote.quote_id));
      } catch (error) {
        setOpen(isUnsettled(error));
        void client.invalidateQueries({ queryKey: ['wallets'] });
        throw error;
      }
    });
  // While an answer is awaited the end of the offer is no news: it may be taken already.
  const holds =
    left_s > 0 ? t('offerHolds', { count: left_s }) : !submission.isPending && t('offerOver');
  return (
    <div className={form.form}>
      <h2 ref={result} tabIndex={-1} className={classes.offer}>
        <span className={classes.label}>{t('youGet')}</span>
        <Amount value={quote.to_amount} currency={quote.to_currency} size="hero" />
      </h2>
      <Facts
        facts={[
          [t('youGive'), <Amount key="give" value={quote.amount} currency={quote.currency} />],
          [
            t('price'),
            quote.to_currency !== quote.currency && (
              <Amount
                key="price"
                value={quote.price}
                currency={`${quote.to_currency} / ${quote.currency}`}
              />
            ),
          ],
          [t('pricedAt'), <DateTime key="at" iso={quote.priced_at} />],
        ]}
      />
      <Text isSmall isDimmed role="timer">
        {submission.message === '' && holds}
      </Text>
      <Failure>
        {joinSentences(
          language,
          submission.message,
          isOpen && submission.message !== '' && t('outcomeOpen'),
        )}
      </Failure>
      <div className={form.two}>
        <Button variant="default" onClick={onBack} disabled={submission.isPending || isOpen}>
          {t('changeOrder')}
        </Button>
        <Button onClick={take} isBusy={submission.isPending} disabled={left_s === 0 && !isOpen}>
          {isOpen ? t('findOut') : t('convertNow')}
        </Button>
      </div>
    </div>
  );
}

/** What is typed, as long as nothing came of it. */
interface ConversionDraft {
  readonly currency: string;
  readonly amount: string;
  readonly toCurrency: string;
  /** An offer was made for it, and did not please. */
  readonly isChanged: boolean;
}

interface OrderProps {
  readonly wish: ConversionDraft;
  readonly onWish: (wish: ConversionDraft) => void;
  readonly onQuote: (quote: ConversionQuote) => void;
}

function Order({ wish, onWish, onQuote }: OrderProps) {
  const { t } = useTranslation('wallets');
  const submission = useSubmission();
  const accounts = useQuery(accountsQuery('bonus'));
  const currencies = useCurrencies();
  const funded = accounts.data?.filter((account) => !/^-|^0(\.0+)?$/.test(account.balance)) ?? [];
  const { currency: from, balance: available } = funded.find(
    ({ currency }) => currency === wish.currency,
  ) ??
    funded[0] ?? { currency: '', balance: '0' };
  const codes = (currencies.data ?? []).map(({ code }) => code);
  // The currency that the wallet's worth is told in, else any other than that of the rewards.
  const goal =
    codes.includes(QUOTE_CURRENCY) && from !== QUOTE_CURRENCY
      ? QUOTE_CURRENCY
      : (codes.find((code) => code !== from) ?? from);
  const toCurrency = codes.includes(wish.toCurrency) ? wish.toCurrency : goal;
  const setAmount = (amount: string): void => onWish({ ...wish, amount });
  const submit = (): void => {
    const typed = wish.amount.trim();
    // A comma is a decimal mark for half of the world and a separator for the other half: neither is guessed.
    if (!/^\d+(\.\d+)?$/.test(typed)) submission.refuse({ amount: t('amountInvalid') });
    else if (toUnits(typed) > toUnits(available))
      submission.refuse({ amount: t('common:problem.insufficient_funds') });
    else
      submission.submit(async () =>
        onQuote(await askQuote({ currency: from, amount: typed, to_currency: toCurrency })),
      );
  };
  return (
    <QueryBoundary query={accounts} skeleton={<SkeletonLines count={3} />}>
      {() =>
        funded.length === 0 ? (
          <EmptyState
            icon="swap"
            title={t('nothingToConvert')}
            action={<NavButton to="/devices/add">{t('earnFirst')}</NavButton>}
          >
            {t('nothingToConvertLead')}
          </EmptyState>
        ) : (
          <Form submission={submission} submitLabel={t('seeOffer')} onSubmit={submit}>
            <Select
              label={t('convertFrom')}
              value={from}
              onChange={(event) =>
                onWish({ ...wish, currency: event.currentTarget.value, toCurrency: '' })
              }
              options={funded.map((account) => account.currency)}
            />
            <TextInput
              name="amount"
              label={t('amount')}
              description={t('available', { amount: amountText(available, from) })}
              inputMode="decimal"
              autoComplete="off"
              autoFocus={wish.isChanged}
              value={wish.amount}
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
              onChange={(event) => onWish({ ...wish, toCurrency: event.currentTarget.value })}
              options={codes}
            />
          </Form>
        )
      }
    </QueryBoundary>
  );
}

/** Rewards into the asset wallet: first an offer, then, if one takes it, the conversion. */
export function ConvertPage() {
  const { t } = useTranslation('wallets');
  const client = useQueryClient();
  const [quote, setQuote] = useState<ConversionQuote>();
  const {
    from: currency = '',
    amount = '',
    to: toCurrency = '',
  } = useSearch({ from: '/wallets/convert' });
  const [wish, setWish] = useState<ConversionDraft>({
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
  /** In the address, too: whoever has to sign in again meanwhile finds it as it was. */
  const keep = (next: ConversionDraft): void => {
    setWish(next);
    const search = {
      from: next.currency || undefined,
      amount: next.amount || undefined,
      to: next.toCurrency || undefined,
    };
    void navigate({ to: '/wallets/convert', search, replace: true, resetScroll: false });
  };
  const show = (offer: ConversionQuote): void => {
    setQuote(offer);
    setWish({ ...wish, isChanged: true });
  };
  return (
    <Page title={t('convertTitle')} back={<BackLink to="/wallets">{t('title')}</BackLink>}>
      <div className={classes.convert}>
        <Section lead={t('convertLead')}>
          <div role="status">
            {done && (
              <EmptyState
                icon="check"
                title={t('converted', { amount: amountText(done.to_amount, done.to_currency) })}
                action={<NavButton to="/wallets">{t('toWallets')}</NavButton>}
              >
                {t('convertedLead', { amount: amountText(done.amount, done.currency) })}
              </EmptyState>
            )}
          </div>
          {!done && quote && (
            <Offer quote={quote} onDone={finish} onBack={() => setQuote(undefined)} />
          )}
          {!done && !quote && <Order wish={wish} onWish={keep} onQuote={show} />}
        </Section>
      </div>
    </Page>
  );
}
