import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isUnsettled } from '../api/problem.ts';
import { Amount } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { DateTime } from '../components/date-time.tsx';
import { Facts } from '../components/description-list.tsx';
import form from '../components/form.module.css';
import { Failure } from '../components/form.tsx';
import { Text } from '../components/text.tsx';
import { useBack } from '../hooks/use-close-on-back.ts';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { joinSentences } from '../i18n/sentences.ts';
import { serverNow_ms } from '../lib/server-clock.ts';
import { acceptQuote, type ConversionQuote } from './queries.ts';
import classes from './wallets.module.css';

const SECOND_MS = 1000;

/** Seconds until a time of the service, counting down. */
export function useSecondsUntil(iso: string): number {
  const [now_ms, setNow] = useState(serverNow_ms);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow_ms()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  // The service's time is known to the second.
  return Math.max(0, Math.floor((Date.parse(iso) - now_ms) / SECOND_MS));
}

function QuoteFacts({ quote }: { readonly quote: ConversionQuote }) {
  const { t } = useTranslation('wallets');
  return (
    <Facts
      facts={[
        [
          t('youGive'),
          <Amount digits="exact" key="give" value={quote.amount} currency={quote.currency} />,
        ],
        [
          t('price'),
          quote.to_currency !== quote.currency && (
            <Amount
              digits="exact"
              key="price"
              value={quote.price}
              currency={`${quote.to_currency} / ${quote.currency}`}
            />
          ),
        ],
        [t('pricedAt'), <DateTime key="at" iso={quote.priced_at} />],
      ]}
    />
  );
}

interface Props {
  readonly quote: ConversionQuote;
  readonly onDone: (quote: ConversionQuote) => void;
  readonly onBack: () => void;
}

/**
 * The offer of a conversion, which the user accepts. Without a response it is unknown whether the
 * conversion took place: then only the same offer can be sent again.
 */
export function QuoteStep({ quote, onDone, onBack }: Props) {
  const { t, language } = useTranslation('wallets');
  const client = useQueryClient();
  const submission = useSubmission();
  const [isUnknown, setUnknown] = useState(false);
  const left_s = useSecondsUntil(quote.expires_at);
  useBack(onBack, isUnknown);
  const result = useRef<HTMLHeadingElement>(null);
  // The result replaces the form: screen readers continue there.
  useLayoutEffect(() => result.current?.focus(), []);
  const accept = (): void =>
    submission.submit(async () => {
      try {
        onDone(await acceptQuote(quote.quote_id));
      } catch (error) {
        setUnknown(isUnsettled(error));
        void client.invalidateQueries({ queryKey: ['wallets'] });
        throw error;
      }
    });
  // During the request the offer may expire: it may have been accepted.
  const expiryText =
    left_s > 0 ? t('offerHolds', { count: left_s }) : !submission.isPending && t('offerOver');
  return (
    <div className={form.form}>
      <h2 ref={result} tabIndex={-1} className={classes.offer}>
        <span className={classes.label}>{t('youGet')}</span>
        <Amount digits="exact" value={quote.to_amount} currency={quote.to_currency} size="hero" />
      </h2>
      <QuoteFacts quote={quote} />
      <Text isSmall isDimmed role="timer">
        {submission.message === '' && expiryText}
      </Text>
      <Failure>
        {joinSentences(
          language,
          submission.message,
          isUnknown && submission.message !== '' && t('outcomeOpen'),
        )}
      </Failure>
      <div className={form.two}>
        <Button variant="default" onClick={onBack} disabled={submission.isPending || isUnknown}>
          {t('changeOrder')}
        </Button>
        <Button
          onClick={accept}
          isBusy={submission.isPending}
          disabled={left_s === 0 && !isUnknown}
        >
          {isUnknown ? t('findOut') : t('convertNow')}
        </Button>
      </div>
    </div>
  );
}
