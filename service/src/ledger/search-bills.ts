/**
 * Looks through the bills of a wallet, newest first, for what no index names: a bounded number of
 * them at once, from any place on.
 */
import { type Db, defineStatement, execute, plainArray } from '../db/index.ts';
import {
  BILL_COLUMNS,
  BILLS,
  type Bill,
  type BillFilter,
  type BillRow,
  type BillScope,
  readScope,
  toBills,
} from './bill-mapping.ts';
import { entryAt, transferById } from './packed-entries.ts';
import type { AccountRef } from './types.ts';

/** Bills that one search looks through at most. */
const LOOKED_THROUGH = 2000;
/** Positions read at once: most searches end with what is new. */
const PIECE = 500;

type PlacedRow = BillRow & { readonly position: number };

const BY_PLACE = defineStatement(
  'bills_searched',
  `select e.position, ${BILL_COLUMNS} from ${BILLS}
   order by e.position desc`,
);

/** A transfer names the places of its two entries. */
const BY_NUMBER = defineStatement(
  'bills_numbered',
  `select e.position, ${BILL_COLUMNS} from unnest(:ids::bigint[]) as asked (id)
   cross join lateral ${transferById('asked.id')} t
   cross join lateral ${entryAt(
     ':wallet_id::bigint',
     'case t.debit_wallet when :wallet_id then t.debit_position else t.credit_position end',
   )} e
   where e.transfer_id = t.id and :wallet_id in (t.debit_wallet, t.credit_wallet)
   order by e.position desc`,
);

export interface BillSearch {
  readonly filter: BillFilter;
  readonly isMatch: (bill: Bill) => boolean;
  /** Number of a bill or of its transfer, which is found wherever it is. */
  readonly number?: number | undefined;
  /** Bills at most. */
  readonly size: number;
  /** `next` of the search before, which found the number already. */
  readonly below?: number | undefined;
}

export interface FoundBills {
  /** What the number names, then the others, newest first. */
  readonly bills: readonly Bill[];
  /** When the oldest bill that was looked at was posted; absent: there was none to look at. */
  readonly searchedBackTo?: Date;
  /** Where older bills begin that were not looked at; absent: there are none. */
  readonly next?: number;
}

interface Placed {
  readonly bill: Bill;
  readonly position: number;
}

function isIn(scope: BillScope, row: PlacedRow): boolean {
  const { currencyId, businessId, direction, low, high } = scope;
  return (
    (currencyId === null || row.currency_id === currencyId) &&
    (businessId === null || row.business_id === businessId) &&
    (direction === null || row.direction === direction) &&
    row.position > low &&
    row.position <= high
  );
}

async function place(db: Db, scope: BillScope, rows: readonly PlacedRow[]): Promise<Placed[]> {
  const wanted = rows.filter((row) => isIn(scope, row));
  const bills = await toBills(db, wanted);
  return bills.map((bill, i) => ({ bill, position: wanted[i]?.position ?? 0 }));
}

const isNumbered = ({ id, transferId }: Bill, number: number | undefined): boolean =>
  number === id || number === transferId;

async function findNumbered(db: Db, scope: BillScope, number: number): Promise<Bill[]> {
  // The two bills of a transfer have the double of its number, and the one after it.
  const ids = plainArray([...new Set([number, Math.floor(number / 2)])]);
  const values = { wallet_id: scope.walletId, ids };
  const { rows } = await execute<PlacedRow>(db, BY_NUMBER, values);
  const placed = await place(db, scope, rows);
  return placed.flatMap(({ bill }) => (isNumbered(bill, number) ? [bill] : []));
}

/** From `high` down, until enough are found, or enough were looked at. */
async function lookThrough(
  db: Db,
  scope: BillScope,
  { isMatch, number, size }: BillSearch,
): Promise<FoundBills> {
  const { walletId, low, high } = scope;
  const lowest = Math.max(low, high - LOOKED_THROUGH);
  const found: Bill[] = [];
  let searchedBackTo: Date | undefined;
  for (let top = high; top > lowest; top -= PIECE) {
    const range = { wallet_id: walletId, low: Math.max(lowest, top - PIECE), high: top };
    const { rows } = await execute<PlacedRow>(db, BY_PLACE, range);
    searchedBackTo = rows.at(-1)?.created_at ?? searchedBackTo;
    for (const { bill, position } of await place(db, scope, rows)) {
      if (isNumbered(bill, number) || !isMatch(bill)) continue;
      found.push(bill);
      if (found.length < size) continue;
      const hasOlder = position - 1 > low;
      return { bills: found, searchedBackTo: bill.createdAt, ...(hasOlder && { next: position }) };
    }
  }
  return {
    bills: found,
    ...(searchedBackTo && { searchedBackTo }),
    ...(lowest > low && { next: lowest + 1 }),
  };
}

/**
 * Looks through at most 2,000 bills of an account. What the number names comes with the first
 * search, however old it is.
 */
export async function searchBills(
  db: Db,
  account: AccountRef,
  search: BillSearch,
): Promise<FoundBills> {
  const { filter, number, below } = search;
  const scope = await readScope(db, account, filter);
  const isFirst = below === undefined;
  const numbered = number === undefined || !isFirst ? [] : await findNumbered(db, scope, number);
  const high = isFirst ? scope.high : Math.min(scope.high, below - 1);
  const found = await lookThrough(db, { ...scope, high }, search);
  return { ...found, bills: [...numbered, ...found.bills] };
}
