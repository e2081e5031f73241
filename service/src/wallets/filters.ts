/** Reads the query of the bill endpoints. */
import type { Db } from '../db/index.ts';
import {
  type BillFilter,
  type Currency,
  type ReferenceData,
  referenceOf,
  type TransactionType,
} from '../ledger/index.ts';
import { dayRange } from '../lib/calendar.ts';
import { fieldError } from '../lib/failures.ts';
import type { BillFilterQuery } from './schemas.ts';

/** A currency among what is known, named in a query or body. @throws `invalid_parameter` */
export function currencyIn(names: ReferenceData, code: string, field = 'currency'): Currency {
  const currency = names.currencies.get(code);
  if (!currency)
    throw fieldError(
      field,
      'unknown_currency',
      'is not a currency of this service; see GET /currencies',
    );
  return currency;
}

/** A transaction type among what is known. @throws `invalid_parameter` with the list */
export function businessIn(
  names: ReferenceData,
  code: string,
  field = 'businessId',
): TransactionType {
  const business = names.businesses.get(code);
  if (!business)
    throw fieldError(
      field,
      'unknown_business',
      `must be one of ${[...names.businesses.keys()].join(', ')}`,
    );
  return business;
}

/** A currency named in a query or body. @throws `invalid_parameter` */
export async function requireCurrency(db: Db, code: string, field?: string): Promise<Currency> {
  return currencyIn(await referenceOf(db, { currencies: [code] }), code, field);
}

/** @throws `invalid_parameter` naming the parameter */
export async function readBillFilter(db: Db, query: BillFilterQuery): Promise<BillFilter> {
  const { currency, businessId, amountDirection, beginTime, endTime } = query;
  if (currency !== undefined) await requireCurrency(db, currency);
  if (businessId !== undefined)
    businessIn(await referenceOf(db, { businesses: [businessId] }), businessId);
  return {
    ...(currency !== undefined && { currency }),
    ...(businessId !== undefined && { businessId }),
    ...(amountDirection !== undefined && { direction: amountDirection }),
    ...dayRange(beginTime, endTime, 'beginTime'),
  };
}
