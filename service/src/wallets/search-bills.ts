/** `GET …/bills/search`: bills that a person finds by what they would type. */
import type { Db } from '../db/index.ts';
import { searchBills } from '../ledger/index.ts';
import { fieldError } from '../lib/failures.ts';
import { matchBill, readBillNumber } from './bill-text.ts';
import { readBillFilter } from './filters.ts';
import type { WalletOwner } from './schemas.ts';
import type { BillSearchPage, BillSearchQuery } from './search-schemas.ts';
import { toBillRecord } from './show-bills.ts';

const SIZE = 20;
const POSITION = /^[1-9]\d{0,14}$/;

/** @throws `invalid_parameter` */
function readCursor(cursor: string): number {
  if (!POSITION.test(cursor)) throw fieldError('cursor', 'malformed', 'must be `next` of a search');
  return Number(cursor);
}

/** @throws `invalid_parameter` naming the parameter */
export async function showFoundBills(
  db: Db,
  owner: WalletOwner,
  query: BillSearchQuery,
): Promise<BillSearchPage> {
  const { text, codes = '', cursor, size = SIZE } = query;
  if (text.trim() === '') throw fieldError('text', 'blank', 'must have a character');
  const { bills, searchedBackTo, next } = await searchBills(db, owner, {
    filter: await readBillFilter(db, query),
    isMatch: matchBill(text, new Set(codes.split(',').filter((code) => code !== ''))),
    number: readBillNumber(text),
    size,
    below: cursor === undefined ? undefined : readCursor(cursor),
  });
  return {
    records: bills.map(toBillRecord),
    ...(searchedBackTo && { searched_back_to: searchedBackTo.toISOString() }),
    ...(next !== undefined && { next: String(next) }),
  };
}
