/** Reads the query of the bill endpoints. */
import type { Db } from '../db/index.ts';
import { type BillFilter, type Business, type Currency, findBusiness, findCurrency, listBusinesses } from '../ledger/index.ts';
import { dayRange } from '../lib/calendar.ts';
import { invalidField } from '../lib/failures.ts';
import type { BillFilterQuery } from './schemas.ts';

/** A currency named in a query or body. @throws `invalid_parameter` */
export async function requireCurrency(db: Db, code: string, field = 'currency'): Promise<Currency> {
  const currency = await findCurrency(db, code);
  if (!currency) throw invalidField(field, 'unknown_currency', 'is not a currency of this service; see GET /currencies');
  return currency;
}

export async function requireBusiness(db: Db, code: string, field = 'businessId'): Promise<Business> {
  const business = await findBusiness(db, code);
  if (business) return business;
  const known = await listBusinesses(db);
  throw invalidField(field, 'unknown_business', `must be one of ${known.map((one) => one.code).join(', ')}`);
}

/** @throws `invalid_parameter` naming the parameter */
export async function readBillFilter(db: Db, query: BillFilterQuery): Promise<BillFilter> {
  const { currency, businessId, amountDirection, beginTime, endTime } = query;
  if (currency !== undefined) await requireCurrency(db, currency);
  if (businessId !== undefined) await requireBusiness(db, businessId);
  return {
    ...(currency !== undefined && { currency }),
    ...(businessId !== undefined && { businessId }),
    ...(amountDirection !== undefined && { direction: amountDirection }),
    ...dayRange(beginTime, endTime, 'beginTime'),
  };
}
