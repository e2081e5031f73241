import unseen from '../components/visually-hidden.module.css';
import { useTranslation } from '../i18n/index.ts';
import { amountText, readableText, splitAmount } from '../lib/money-text.ts';
import type { Account } from './queries.ts';

/** With more decimals an amount is not typed, but taken whole by the button of the field. */
const DECIMALS_TYPED = 6;

/**
 * What can be taken from a wallet, as the hint of the field for it. A long one is cut, and exact
 * for screen readers, under the pointer, and in the field once all of it is taken.
 */
export function Available({ balance, currency }: Pick<Account, 'balance' | 'currency'>) {
  const { t } = useTranslation('wallets');
  const exact = amountText(balance, currency);
  const isShort = (splitAmount(balance)?.decimals.length ?? 0) <= DECIMALS_TYPED;
  if (isShort) return t('available', { amount: exact });
  return (
    <span title={exact}>
      <span aria-hidden="true">{t('available', { amount: readableText(balance, currency) })}</span>
      <span className={unseen.unseen}>{t('available', { amount: exact })}</span>
    </span>
  );
}
