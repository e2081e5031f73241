/** Quotes as they are stored. */
import { type Db, queryNamed, type RetentionRule } from '../db/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { parseAmount } from '../lib/money.ts';
import { PRICE_SCALE } from './prices.ts';

export interface ConversionRow {
  readonly id: string;
  readonly currency: string;
  readonly scale: number;
  readonly to_currency: string;
  readonly to_scale: number;
  readonly amount: string;
  readonly to_amount: string;
  readonly price: string;
  readonly priced_at: Date;
  readonly expires_at: Date;
  readonly converted_at: Date | null;
  /** Key of the request that accepted it. */
  readonly idempotency_key: string | null;
}

const COLUMNS = `v.id, c.code as currency, c.scale, t.code as to_currency,
    t.scale as to_scale, v.amount, v.to_amount, v.price, v.priced_at, v.expires_at,
    v.converted_at, v.idempotency_key`;

const FROM = `from conversion v
    join currency c on c.id = v.currency_id
    join currency t on t.id = v.to_currency_id`;

/**
 * SQL: the hash of all terms of a conversion, and of the key that accepted it. Both transfers
 * carry it as their request hash, which is sealed: a term that is changed later no longer fits.
 * Computed by the database both times, so that nothing depends on how a driver prints a value.
 */
export function termsHash(row: string, key: string): string {
  const values = [
    ...['id', 'user_id', 'currency_id', 'to_currency_id'].map((column) => `${row}.${column}`),
    ...['amount', 'to_amount', 'price', 'source'].map((column) => `${row}.${column}::text`),
    ...['priced_at', 'created_at', 'expires_at'].map(
      (column) => `extract(epoch from ${row}.${column})::text`,
    ),
    key,
  ];
  return `substr(sha256(convert_to(json_build_array(${values.join(', ')})::text, 'UTF8')), 1, 16)`;
}

export interface LockedConversion extends ConversionRow {
  /** Hash of its terms and of the key that asks for it now. */
  readonly terms_hash: string;
}

const LOCK_CONVERSION = `select ${COLUMNS},
    encode(${termsHash('v', ':key::text')}, 'hex') as terms_hash
  ${FROM} where v.id = :id and v.user_id = :user_id for update of v`;

/** A user's quote, locked, so that it is accepted once. */
export async function lockConversion(
  db: Db,
  userId: number,
  { id, key }: { readonly id: string; readonly key: string },
): Promise<LockedConversion | undefined> {
  return (await queryNamed<LockedConversion>(db, LOCK_CONVERSION, { id, user_id: userId, key }))
    .rows[0];
}

/** The quote that a user accepted under a key. */
export async function findTaken(
  db: Db,
  userId: number,
  key: string,
): Promise<ConversionRow | undefined> {
  return (
    await queryNamed<ConversionRow>(
      db,
      `select ${COLUMNS} ${FROM} where v.user_id = :user_id and v.idempotency_key = :key`,
      { user_id: userId, key },
    )
  ).rows[0];
}

export function toQuote(row: Omit<ConversionRow, 'converted_at' | 'idempotency_key'>) {
  return {
    quote_id: row.id,
    currency: row.currency,
    amount: exactAmount(BigInt(row.amount), row.scale),
    to_currency: row.to_currency,
    to_amount: exactAmount(BigInt(row.to_amount), row.to_scale),
    price: exactAmount(parseAmount(row.price, PRICE_SCALE), PRICE_SCALE),
    priced_at: row.priced_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

/** An expired quote answers `quote_expired` for an hour; accepted ones stay. */
export const WALLETS_RETENTION: readonly RetentionRule[] = [
  {
    table: 'conversion',
    reason: 'Quotes that were not accepted; accepted ones are part of the books.',
    since: 'expires_at',
    kept_s: 3600,
    rowsPerDay: 1_000_000,
    where: 'converted_at is null',
  },
];
