import { type Db, defineStatement, execute } from '../db/index.ts';
import { consumeRateLimit } from '../http/index.ts';
import type { Currency } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { newId } from '../lib/ids.ts';
import { AMOUNT_MAX, formatAmount, parseAmount } from '../lib/money.ts';
import { toQuote } from './conversions.ts';
import { requireCurrency } from './filters.ts';
import { findPrice, PRICE_SCALE, valueBelow } from './prices.ts';
import type { QuoteOrder } from './schemas.ts';

const QUOTE_LIFE_MS = 60_000;
/** A price older than this does not convert. */
const PRICE_AGE_MAX_MS = 600_000;
/** Each quote is a row, whatever the balance of the user. */
const QUOTES_PER_MINUTE = { name: 'conversion-quote', hits: 30, window_s: 60 };

/** Until when an offer holds: never longer than its price does. @throws `price_too_old` */
function expiryOf(now: Date, pricedAt: Date): Date {
  const expiresAt_ms = Math.min(
    now.getTime() + QUOTE_LIFE_MS,
    pricedAt.getTime() + PRICE_AGE_MAX_MS,
  );
  if (expiresAt_ms <= now.getTime())
    throw failure('price_too_old', { detail: 'The price is 10 minutes old, or older.' });
  return new Date(expiresAt_ms);
}

/**
 * What an amount brings, never rounded up. @throws `invalid_parameter` when that is nothing, or
 * more than one posting moves
 */
function amountAt(amount: bigint, currency: Currency, price: bigint, to: Currency): bigint {
  const toAmount = valueBelow(amount, currency.scale, price, to.scale);
  if (toAmount <= 0n)
    throw fieldError('amount', 'too_small', `is worth less than the smallest amount of ${to.code}`);
  if (toAmount > AMOUNT_MAX)
    throw fieldError('amount', 'too_large', `is worth more ${to.code} than one transfer can move`);
  return toAmount;
}

const INSERT_QUOTE = defineStatement(
  'conversion_insert_quote',
  `insert into conversion
    (id, user_id, currency_id, to_currency_id, amount, to_amount, price, priced_at, source,
      created_at, expires_at)
  values (:id, :user, :currency, :to_currency, :amount, :to_amount, :price, :priced_at, :source,
    :now, :expires_at)`,
);

/** Quotes a conversion at the current price, for a minute at most. It moves no money. */
export async function quoteConversion(db: Db, clock: Clock, userId: number, order: QuoteOrder) {
  await consumeRateLimit(db, clock, QUOTES_PER_MINUTE, String(userId));
  const currency = await requireCurrency(db, order.currency);
  const to =
    order.to_currency === undefined
      ? currency
      : await requireCurrency(db, order.to_currency, 'to_currency');
  const amount = parseAmount(order.amount, currency.scale);
  if (amount <= 0n) throw fieldError('amount', 'not_positive', 'must be above 0');
  if (amount > AMOUNT_MAX)
    throw fieldError(
      'amount',
      'too_large',
      `must be at most ${formatAmount(AMOUNT_MAX, currency.scale)}`,
    );
  const price = await findPrice(db, clock, currency, to);
  if (!price)
    throw failure('no_price', { detail: `There is no price of ${currency.code} in ${to.code}.` });
  const now = clock.now();
  const expiresAt = expiryOf(now, price.pricedAt);
  const toAmount = amountAt(amount, currency, price.price, to);
  const offer = { id: newId(), priceText: formatAmount(price.price, PRICE_SCALE), expiresAt };
  await execute(db, INSERT_QUOTE, {
    id: offer.id,
    user: userId,
    currency: currency.id,
    to_currency: to.id,
    amount,
    to_amount: toAmount,
    price: offer.priceText,
    priced_at: price.pricedAt,
    source: price.source,
    now,
    expires_at: offer.expiresAt,
  });
  return toQuote({
    id: offer.id,
    currency: currency.code,
    scale: currency.scale,
    to_currency: to.code,
    to_scale: to.scale,
    amount: String(amount),
    to_amount: String(toAmount),
    price: offer.priceText,
    priced_at: price.pricedAt,
    expires_at: offer.expiresAt,
  });
}
