/** Rows that are correct by themselves, and the readers of single fields. */
import type { ImportedPassword, PasswordImport } from '../identity/index.ts';
import type { ReferenceData } from '../ledger/index.ts';
import { fieldError } from '../lib/failures.ts';
import { AMOUNT_MAX, parseAmount } from '../lib/money.ts';
import { type FileName, IMPORTED_ID_END, type RowOf } from './schemas.ts';

export interface RowValues {
  /** Identifies the row in its file. */
  readonly key: string;
  /** The user that the row is about. */
  readonly userId: number;
  /** Order of application within the file; `null`: that of the lines. */
  readonly position: number | null;
  /** Of people: the referrer. */
  readonly referrerId?: number | undefined;
  /** Of people: what else is unique, the address in lower case and the referral code. */
  readonly emailKey?: string | undefined;
  readonly referralCode?: string | undefined;
  /** Of balances and bills: minor units, signed from the side of the user; of purchases: net. */
  readonly amount?: bigint | undefined;
  /** Currency and wallet of the amount, for the totals. */
  readonly currency?: string | undefined;
  readonly wallet?: string | undefined;
  /** Of bills: the counter of the account that the transaction type moves, and by how much. */
  readonly counter?: 'deposited' | 'withdrawn' | undefined;
  readonly counterChange?: bigint | undefined;
  readonly passwordKind?: ImportedPassword['kind'] | undefined;
  /** What is imported. */
  readonly data: Readonly<Record<string, unknown>>;
}

export type RowReaders = { readonly [Name in FileName]: (row: RowOf<Name>) => RowValues };

export interface ReaderContext {
  readonly passwords: PasswordImport;
  readonly reference: ReferenceData;
  readonly rewardCurrency: string;
  readonly now: Date;
  /** Ids from here on are refused. */
  readonly idEnd: number;
}

export function readId(text: string, field: string, end: number): number {
  const id = Number(text);
  if (id >= end)
    throw fieldError(
      field,
      'too_large',
      `must be below ${end}: ids from ${IMPORTED_ID_END} on are of users who register here`,
    );
  return id;
}

/** As for postings over HTTP: a year such as 0021 is a mistyped one. */
const EARLIEST_MS = Date.parse('2000-01-01T00:00:00Z');

/** From 16 hours on; no time zone has one, and the database takes none. */
const IMPOSSIBLE_OFFSET = /[+-](?:1[6-9]|2\d):\d\d$/;

/** Keeps the text, and with it the microseconds. */
export function readTime(text: string, field: string, now: Date): string {
  const time_ms = Date.parse(text);
  if (IMPOSSIBLE_OFFSET.test(text))
    throw fieldError(field, 'offset', 'has an offset of 16 hours or more');
  if (time_ms > now.getTime()) throw fieldError(field, 'in_future', 'is in the future');
  if (time_ms < EARLIEST_MS) throw fieldError(field, 'too_early', 'is before the year 2000');
  return text;
}

export function readMoney(
  { reference }: ReaderContext,
  { currency, amount }: { currency: string; amount: string },
  field = 'amount',
): bigint {
  const known = reference.currencies.get(currency);
  if (!known) throw fieldError('currency', 'unknown_currency', 'is unknown: add it first');
  const minor = parseAmount(amount, known.scale, field);
  if (minor > AMOUNT_MAX || minor < -AMOUNT_MAX)
    throw fieldError(field, 'too_large', 'is more than one posting can move');
  return minor;
}

export function readAbove(minor: bigint, field = 'amount'): bigint {
  if (minor <= 0n) throw fieldError(field, 'not_positive', 'must be above zero');
  return minor;
}

export function readWallet({ reference }: ReaderContext, wallet: string): string {
  if (reference.kinds.get(wallet)?.isHouse !== false)
    throw fieldError('wallet', 'unknown_wallet', 'is not a kind of wallet of users');
  return wallet;
}
