/** Prices: units of one currency for one unit of another, each with a source and a time. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import type { Currency } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { fieldError } from '../lib/failures.ts';
import { divideHalfEven, formatAmount, parseAmount, parseRounded } from '../lib/money.ts';

/** Decimals that a price keeps. */
export const PRICE_SCALE = 30;
const PRICE_UNIT = 10n ** BigInt(PRICE_SCALE);
const PRICE_MAX = 10n ** 78n;
/** A clock of a price source may be a little ahead. */
const AHEAD_MS = 60_000;

export interface Price {
  readonly currency: string;
  readonly quoteCurrency: string;
  /** With `PRICE_SCALE` decimals. */
  readonly price: bigint;
  readonly pricedAt: Date;
  readonly source: string;
}

export interface NewPrice {
  readonly currency: Currency;
  readonly quoteCurrency: Currency;
  readonly price: bigint;
  readonly pricedAt: Date;
  readonly source: string;
}

function checkRange(price: bigint): bigint {
  if (price <= 0n || price >= PRICE_MAX)
    throw fieldError('price', 'out_of_range', 'must be at least 10^-30 and below 10^48');
  return price;
}

/** Reads a price as operators set it. @throws `invalid_parameter` */
export function parsePrice(text: string): bigint {
  return checkRange(parseAmount(text, PRICE_SCALE, 'price'));
}

/** Reads a price of a feed, which may have more decimals. @throws `invalid_parameter` */
export function parseFedPrice(text: string): bigint {
  return checkRange(parseRounded(text, PRICE_SCALE, 'price'));
}

const SET_PRICE = defineStatement(
  'price_set',
  `insert into price as p
    (currency_id, quote_currency_id, price, priced_at, source, updated_at)
  values (:currency, :quote_currency, :price, :priced_at, :source, :now)
  on conflict (currency_id, quote_currency_id) do update
    set price = excluded.price, priced_at = excluded.priced_at, source = excluded.source,
      updated_at = excluded.updated_at
    where excluded.priced_at >= p.priced_at`,
);

/**
 * Stores a price unless a newer one is stored. @throws `invalid_parameter` for an equal pair, or a
 * time in the future
 */
export async function setPrice(
  db: Db,
  clock: Clock,
  { currency, quoteCurrency, price, pricedAt, source }: NewPrice,
): Promise<void> {
  const now = clock.now();
  if (currency.id === quoteCurrency.id)
    throw fieldError('quote_currency', 'same_currency', 'must differ from the currency');
  if (pricedAt.getTime() > now.getTime() + AHEAD_MS)
    throw fieldError('priced_at', 'in_future', 'is in the future');
  await execute(db, SET_PRICE, {
    currency: currency.id,
    quote_currency: quoteCurrency.id,
    price: formatAmount(price, PRICE_SCALE),
    priced_at: pricedAt,
    source,
    now,
  });
}

interface PriceRow extends Omit<Price, 'price'> {
  readonly price: string;
}

const PRICES = `select c.code as currency, q.code as "quoteCurrency", p.price,
    p.priced_at as "pricedAt", p.source
  from price p
    join currency c on c.id = p.currency_id
    join currency q on q.id = p.quote_currency_id`;

function toPrice(row: PriceRow): Price {
  return { ...row, price: parseAmount(row.price, PRICE_SCALE) };
}

export async function listPrices(db: Db, quoteCurrency?: string): Promise<Price[]> {
  const { rows } = await db.prepared<PriceRow>(
    'prices',
    `${PRICES} where $1::text is null or q.code = $1 order by c.code, q.code`,
    [quoteCurrency ?? null],
  );
  return rows.map(toPrice);
}

const FIND_PRICE = defineStatement(
  'price',
  `${PRICES} where p.currency_id = :currency_id and p.quote_currency_id = :quote_currency_id`,
);

/** The price of one currency in another; a currency in itself is worth 1, now. */
export async function findPrice(
  db: Db,
  clock: Clock,
  currency: Currency,
  quoteCurrency: Currency,
): Promise<Price | undefined> {
  if (currency.id === quoteCurrency.id)
    return {
      currency: currency.code,
      quoteCurrency: quoteCurrency.code,
      price: PRICE_UNIT,
      pricedAt: clock.now(),
      source: 'identity',
    };
  const row = (
    await execute<PriceRow>(db, FIND_PRICE, {
      currency_id: currency.id,
      quote_currency_id: quoteCurrency.id,
    })
  ).rows[0];
  return row && toPrice(row);
}

/** An amount at a price, rounded down: what a conversion pays. */
export function valueBelow(
  amount: bigint,
  scale: number,
  price: bigint,
  quoteScale: number,
): bigint {
  return (amount * price * 10n ** BigInt(quoteScale)) / (10n ** BigInt(scale) * PRICE_UNIT);
}

/** An amount at a price, rounded half to even, once: what a wallet is worth. */
export function valueAt(amount: bigint, scale: number, price: bigint, quoteScale: number): bigint {
  return divideHalfEven(
    amount * price * 10n ** BigInt(quoteScale),
    10n ** BigInt(scale) * PRICE_UNIT,
  );
}
