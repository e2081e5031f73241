import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useMe } from '../api/me.ts';
import { isProblem, isUnsettled } from '../api/problem.ts';
import { Amount } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { DateTime } from '../components/date-time.tsx';
import { Facts } from '../components/description-list.tsx';
import form from '../components/form.module.css';
import { Failure } from '../components/form.tsx';
import { GroupedAddress } from '../components/grouped-address.tsx';
import { useBack } from '../hooks/use-close-on-back.ts';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { joinSentences } from '../i18n/sentences.ts';
import { networkText } from '../lib/network-text.ts';
import { SignedMismatch } from '../lib/signed-payout.ts';
import { type Proof, ProofDeclined } from '../security/reauthentication.tsx';
import type { PasskeyCredential } from '../sign-in/passkey-prompt.ts';
import { ApproximateValue, ValuedAmount } from '../wallets/approximate-value.tsx';
import { useSecondsUntil } from '../wallets/quote-step.tsx';
import {
  type Payout,
  type PayoutAddress,
  type PayoutQuote,
  requestPayout,
  type ShownOrder,
  signPayout,
} from './queries.ts';
import classes from './withdraw.module.css';

/** What the user has entered. */
export interface Draft {
  /** Currency of the asset wallet. */
  readonly source: string;
  readonly addressId: string;
  readonly amount: string;
}
export const NO_DRAFT: Draft = { source: '', addressId: '', amount: '' };

export interface Reviewed {
  readonly quote: PayoutQuote;
  readonly target: PayoutAddress;
}

/** What leaves, what of it is the fee, and what arrives: the figure that counts is the first. */
function Sums({ quote }: { readonly quote: PayoutQuote }) {
  const { t } = useTranslation('withdraw');
  const { currency, amount, fee, arrives } = quote;
  const result = useRef<HTMLHeadingElement>(null);
  // The terms replace the form: screen readers continue there.
  useLayoutEffect(() => result.current?.focus(), []);
  return (
    <div className={classes.sums}>
      <h2 ref={result} tabIndex={-1} className={classes.arrives}>
        <span className={classes.label}>{t('arrives')}</span>
        <Amount digits="exact" value={arrives} currency={currency} size="hero" />
        <ApproximateValue amount={arrives} currency={currency} />
      </h2>
      <Facts
        facts={[
          [
            t('leaves'),
            <ValuedAmount key="amount" value={amount} currency={currency} digits="exact" />,
          ],
          [t('fee'), <ValuedAmount key="fee" value={fee} currency={currency} digits="exact" />],
        ]}
      />
    </div>
  );
}

/** To where, over which network and as which token. */
function Target({ reviewed: { quote, target } }: { readonly reviewed: Reviewed }) {
  const { t } = useTranslation('withdraw');
  const { valid_until, chain_id, contract } = quote;
  return (
    <>
      <div className={classes.to}>
        <span className={classes.label}>{t('toAddress', { label: target.label })}</span>
        <GroupedAddress address={target.address} />
      </div>
      <Facts
        facts={[
          [t('network'), networkText(target.network, target.network_name)],
          [t('chainId'), chain_id !== undefined && String(chain_id)],
          [t('contract'), contract !== undefined && <GroupedAddress address={contract} />],
          [t('validUntil'), <DateTime key="until" iso={valid_until} />],
        ]}
      />
    </>
  );
}

/** The user closed the browser's prompt, or the order is not what the page shows. */
class UnsignedError extends Error {
  readonly text: 'signIn:factor.passkeyFailed' | 'orderMismatch';
  constructor(cause: unknown) {
    super('not signed');
    this.text = cause instanceof SignedMismatch ? 'orderMismatch' : 'signIn:factor.passkeyFailed';
  }
}

/** A user with a passkey signs the order with it, once for each page of terms. */
function useSignature({ quote, target }: Reviewed, order: Omit<ShownOrder, 'shown'>) {
  const me = useMe().data;
  const signed = useRef<{ readonly passkey_credential: PasskeyCredential }>(undefined);
  return async () => {
    if (!me?.two_factor_methods.includes('PASSKEY')) return undefined;
    const { currency, amount: leaves, fee, arrives, decimals } = quote;
    const { chain_id, address_prefix, contract } = quote;
    const { network, address } = target;
    const place = { network, currency, address, chain_id, address_prefix, contract };
    const shown = { ...place, leaves, fee, arrives, decimals, user_id: me.user_id };
    try {
      signed.current ??= { passkey_credential: await signPayout({ ...order, shown }) };
      return signed.current;
    } catch (error) {
      if (isProblem(error) || isUnsettled(error)) throw error;
      throw new UnsignedError(error);
    }
  };
}

interface Props {
  readonly reviewed: Reviewed;
  readonly proof: Proof;
  readonly onDone: (payout: Payout) => void;
  readonly onBack: () => void;
}

/**
 * What is about to leave, which the user confirms. Without a response it is unknown whether it was
 * requested: then only the same request can be sent again.
 */
export function ReviewStep({ reviewed, proof, onDone, onBack }: Props) {
  const { t, language } = useTranslation('withdraw');
  const { quote, target } = reviewed;
  const submission = useSubmission();
  const [isUnknown, setUnknown] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const isOver = useSecondsUntil(quote.valid_until) === 0 && !isUnknown;
  useBack(onBack, isUnknown);
  useEffect(() => window.scrollTo({ top: 0 }), []);
  const { currency, amount, quote_version } = quote;
  const body = {
    wallet: 'asset',
    currency,
    amount,
    address_id: target.id,
    quote_version,
  } as const;
  const sign = useSignature(reviewed, { body, key });
  const confirm = (): void =>
    submission.submit(async () => {
      try {
        const signed = await sign();
        onDone(await proof.run(() => requestPayout({ ...body, ...signed }, key)));
      } catch (error) {
        if (error instanceof UnsignedError) return submission.setMessage(t(error.text));
        if (error instanceof ProofDeclined) return;
        setUnknown(isUnsettled(error));
        throw error;
      }
    });
  return (
    <div className={form.form}>
      <Sums quote={quote} />
      <Target reviewed={reviewed} />
      <Failure>
        {joinSentences(
          language,
          submission.message === '' && isOver && t('termsOver'),
          submission.message,
          isUnknown && submission.message !== '' && t('outcomeOpen'),
        )}
      </Failure>
      <div className={form.two}>
        <Button variant="default" onClick={onBack} disabled={submission.isPending || isUnknown}>
          {t('wallets:changeOrder')}
        </Button>
        <Button onClick={confirm} isBusy={submission.isPending} disabled={isOver}>
          {t('confirm')}
        </Button>
      </div>
    </div>
  );
}
