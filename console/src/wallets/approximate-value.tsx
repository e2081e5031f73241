import { useQuery } from '@tanstack/react-query';
import { Amount } from '../components/amount.tsx';
import unseen from '../components/visually-hidden.module.css';
import { useTranslation } from '../i18n/index.ts';
import { toUnits, valueAt } from '../lib/money-text.ts';
import classes from './approximate-value.module.css';
import { assetQuery, type Wallet } from './queries.ts';

interface Props {
  readonly amount: string;
  readonly currency: string;
  /** Prices do not depend on it: the one whose prices the page has loaded. */
  readonly wallet?: Wallet;
}

/**
 * Asks for the prices with the page. A sheet or a step that opens later then has its values at
 * once, and nothing moves in it.
 */
export function usePrices() {
  return useQuery(assetQuery('asset'));
}

/**
 * What an amount is worth at the current price: beside the exact amount, never in its place.
 * Nothing where no price is known, and of nothing.
 */
export function ApproximateValue({ amount, currency, wallet = 'asset' }: Props) {
  const { t } = useTranslation('wallets');
  const { data } = useQuery(assetQuery(wallet));
  const price = data?.assets.find((entry) => entry.currency === currency)?.price;
  if (!data || typeof price !== 'string' || currency === data.quote_currency) return null;
  const value = valueAt(amount, price);
  if (toUnits(value) === 0n) return null;
  return (
    <span className={classes.value}>
      <span aria-hidden="true">≈ </span>
      <span className={unseen.unseen}>{t('about')} </span>
      <Amount value={value} currency={data.quote_currency} size="sm" digits="readable" />
    </span>
  );
}

interface ValuedProps {
  readonly value: string;
  readonly currency: string;
  readonly digits?: 'exact';
  readonly size?: 'hero';
  readonly isSigned?: boolean;
  readonly isInColumn?: boolean;
  readonly wallet?: Wallet;
}

/** An amount, and about what it is worth: beside it, or below it where both do not fit. */
export function ValuedAmount({ wallet, ...amount }: ValuedProps) {
  return (
    <span className={classes.valued}>
      <Amount {...amount} />
      <ApproximateValue
        amount={amount.value}
        currency={amount.currency}
        {...(wallet && { wallet })}
      />
    </span>
  );
}
