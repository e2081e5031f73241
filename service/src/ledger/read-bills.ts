/**
 * Bills, newest first, by page number. Entries of a wallet stand at dense positions in order of time, so an unfiltered
 * page is a range of positions whatever its depth; filtered pages are found through the counts of full blocks.
 */
import type { Db } from '../db/index.ts';
import {
  BILL,
  BILL_COLUMNS,
  type Bill,
  type BillFilter,
  type BillRow,
  type BillScope,
  type BillSelection,
  ENTRIES,
  readRange,
  readScope,
  resolveFilter,
  toBills,
} from './bill-mapping.ts';
import { BLOCK } from './insert-batch.ts';
import type { AccountRef } from './types.ts';

const BY_POSITION = `${BILL} where e.wallet_id = $1 and e.position > $2 and e.position <= $3 order by e.position desc`;

const MATCHES =
  '($4::smallint is null or currency_id = $4) and ($5::smallint is null or business_id = $5) and ($6::smallint is null or direction = $6)';

/** How many entries match in each block of the range ($2, $3]: full blocks by their counts, the two ends entry by entry. */
const MATCHING_BLOCKS = `select block, sum(matching)::int as matching from (
    select block, entries as matching from entry_count_block
    where wallet_id = $1 and block >= ($2::bigint + ${BLOCK - 1}) / ${BLOCK} and block < $3::bigint / ${BLOCK} and ${MATCHES}
    union all
    select (position - 1) / ${BLOCK}, 1 from entry
    where wallet_id = $1 and position > $2 and position <= least($3, ($2::bigint + ${BLOCK - 1}) / ${BLOCK} * ${BLOCK}) and ${MATCHES}
    union all
    select (position - 1) / ${BLOCK}, 1 from entry
    where wallet_id = $1 and position > greatest($2, $3::bigint / ${BLOCK} * ${BLOCK}, ($2::bigint + ${BLOCK - 1}) / ${BLOCK} * ${BLOCK}) and position <= $3 and ${MATCHES}
  ) b group by block`;

/**
 * The total, and beside it each entry of the page: without any, one row of nulls. The lateral forms keep to the index of
 * each block and each transfer, whatever the planner believes of their number.
 */
const FILTERED_PAGE = `with block as (${MATCHING_BLOCKS}),
  placed as (
    select block, matching,
      sum(matching) over (order by block desc rows unbounded preceding) - matching as before
    from block
  ),
  chosen as (
    select block, before from placed
    where before < $7::bigint + $8::int and before + matching > $7
  ),
  page as (
    select e.* from chosen cross join lateral (
      select * from entry
      where wallet_id = $1 and position > greatest($2, chosen.block * ${BLOCK})
        and position <= least($3, (chosen.block + 1) * ${BLOCK}) and ${MATCHES}
      order by position desc
    ) e order by e.position desc offset $7 - (select min(before) from chosen) limit $8
  )
  select total.total, bill.*
  from (select coalesce(sum(matching), 0)::bigint as total from block) total
  left join (
    select e.position, ${BILL_COLUMNS} from page e cross join lateral (
      select * from transfer where id = e.transfer_id limit 1
    ) t
  ) bill on true
  order by bill.position desc`;

type FilteredRow = BillRow & { readonly total: number; readonly position: number | null };

interface Rows {
  readonly rows: BillRow[];
  readonly total: number;
}

/** The total stands in every row; a page without bills is one row of nulls. */
function toRows(rows: readonly FilteredRow[]): Rows {
  return { rows: rows.filter(({ position }) => position !== null), total: rows[0]?.total ?? 0 };
}

async function readFiltered(db: Db, scope: BillScope, skip: number, size: number): Promise<Rows> {
  const { rows } = await db.prepared<FilteredRow>('bills_filtered', FILTERED_PAGE, [
    scope.walletId,
    scope.low,
    scope.high,
    scope.currencyId,
    scope.businessId,
    scope.direction,
    skip,
    size,
  ]);
  return toRows(rows);
}

/** A page of all bills of a wallet, with the total, as `FILTERED_PAGE`. */
const NEWEST_PAGE = `select wallet.entries as total, bill.*
  from (${ENTRIES}) wallet left join lateral (
    select e.position, ${BILL_COLUMNS} from entry e cross join lateral (
      select * from transfer where id = e.transfer_id limit 1
    ) t
    where e.wallet_id = $1 and e.position > wallet.entries - $2::bigint - $3::int
      and e.position <= wallet.entries - $2::bigint
  ) bill on true
  order by bill.position desc`;

async function readRows(
  db: Db,
  selection: BillSelection,
  filter: BillFilter,
  skip: number,
  size: number,
): Promise<Rows> {
  const { walletId, currencyId, businessId, direction } = selection;
  const isFiltered = currencyId !== null || businessId !== null || direction !== null;
  if (!isFiltered && !filter.from && !filter.before)
    return toRows(
      (await db.prepared<FilteredRow>('bills_newest', NEWEST_PAGE, [walletId, skip, size])).rows,
    );
  const { low, high } = await readRange(db, walletId, filter);
  if (isFiltered) return readFiltered(db, { ...selection, low, high }, skip, size);
  const top = high - skip;
  const { rows } =
    top > low
      ? await db.prepared<BillRow>('bills_page', BY_POSITION, [
          walletId,
          Math.max(low, top - size),
          top,
        ])
      : { rows: [] };
  return { rows, total: high - low };
}

/** A page of bills and how many there are on all pages. `shard` picks the shard of a house account. */
export async function readBills(
  db: Db,
  account: AccountRef,
  filter: BillFilter,
  current: number,
  size: number,
  shard = 0,
): Promise<{ bills: Bill[]; total: number }> {
  const selection = await resolveFilter(db, account, filter, shard);
  const { rows, total } = await readRows(db, selection, filter, (current - 1) * size, size);
  return { bills: await toBills(db, rows), total };
}

const STREAM = `${BILL} where e.wallet_id = $1 and e.position > $2 and e.position <= $3
  and ($4::smallint is null or e.currency_id = $4) and ($5::smallint is null or e.business_id = $5) and ($6::smallint is null or e.direction = $6)
  order by e.position desc`;
/** Positions read at once: bounds both memory and the time of a statement. */
const PIECE = 1000;

/** All bills that match, newest first, piece by piece: what is posted meanwhile is not in it. */
export async function* streamBills(
  db: Db,
  account: AccountRef,
  filter: BillFilter,
): AsyncGenerator<Bill[]> {
  const { walletId, low, high, currencyId, businessId, direction } = await readScope(
    db,
    account,
    filter,
  );
  for (let top = high; top > low; top -= PIECE) {
    const { rows } = await db.prepared<BillRow>('bills_stream', STREAM, [
      walletId,
      Math.max(low, top - PIECE),
      top,
      currencyId,
      businessId,
      direction,
    ]);
    if (rows.length > 0) yield await toBills(db, rows);
  }
}
