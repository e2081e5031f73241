/**
 * Bills, newest first, by page number. Entries of a wallet stand at dense positions in order of
 * time, so an unfiltered page is a range of positions whatever its depth; filtered pages are found
 * through the counts of full blocks.
 * A filter outside `entry_count_block` would read every bill of the wallet.
 */
import { type Db, defineStatement, execute } from '../db/index.ts';
import {
  BILL_COLUMNS,
  BILLS,
  type Bill,
  type BillFilter,
  type BillRow,
  type BillScope,
  type BillSelection,
  billsBetween,
  ENTRIES,
  readRange,
  readScope,
  resolveFilter,
  toBills,
} from './bill-mapping.ts';
import { BLOCK, entriesBetween, TRANSFER_OF_ENTRY } from './packed-entries.ts';
import type { AccountRef } from './types.ts';

const BY_POSITION = defineStatement(
  'bills_page',
  `select ${BILL_COLUMNS} from ${BILLS} order by e.position desc`,
);

const matches = (entry: string): string =>
  `(:currency_id::smallint is null or ${entry}.currency_id = :currency_id)
    and (:business_id::smallint is null or ${entry}.business_id = :business_id)
    and (:direction::smallint is null or ${entry}.direction = :direction)`;

const FIRST_FULL_BLOCK = `(:low::bigint + ${BLOCK - 1}) / ${BLOCK}`;
const LAST_FULL_BLOCK = `:high::bigint / ${BLOCK}`;

const FIRST_END = entriesBetween(
  ':wallet_id::bigint',
  ':low::bigint',
  `least(:high::bigint, ${FIRST_FULL_BLOCK} * ${BLOCK})`,
);
const LAST_END = entriesBetween(
  ':wallet_id::bigint',
  `greatest(:low::bigint, ${LAST_FULL_BLOCK} * ${BLOCK}, ${FIRST_FULL_BLOCK} * ${BLOCK})`,
  ':high::bigint',
);
const CHOSEN_BLOCK = entriesBetween(
  ':wallet_id::bigint',
  `greatest(:low::bigint, chosen.block * ${BLOCK})`,
  `least(:high::bigint, (chosen.block + 1) * ${BLOCK})`,
);

/**
 * How many entries match in each block of the range (low, high]: full blocks by their counts, the
 * two ends entry by entry.
 */
const MATCHING_BLOCKS = `select block, sum(matching)::int as matching from (
    select block, entries as matching from entry_count_block counted
    where wallet_id = :wallet_id and block >= ${FIRST_FULL_BLOCK} and block < ${LAST_FULL_BLOCK}
      and ${matches('counted')}
    union all
    select (position - 1) / ${BLOCK}, 1 from ${FIRST_END} e where ${matches('e')}
    union all
    select (position - 1) / ${BLOCK}, 1 from ${LAST_END} e where ${matches('e')}
  ) b group by block`;

/**
 * The total, and beside it each entry of the page: without any, one row of nulls. The lateral forms
 * keep to the index of each block and each transfer, whatever the planner believes of their number.
 */
const FILTERED_PAGE = defineStatement(
  'bills_filtered',
  `with block as (${MATCHING_BLOCKS}),
  placed as (
    select block, matching,
      sum(matching) over (order by block desc rows unbounded preceding) - matching as before
    from block
  ),
  chosen as (
    select block, before from placed
    where before < :skip::bigint + :size::int and before + matching > :skip
  ),
  page as (
    select e.* from chosen cross join lateral (
      select * from ${CHOSEN_BLOCK} b where ${matches('b')} order by position desc
    ) e order by e.position desc offset :skip - (select min(before) from chosen) limit :size
  )
  select total.total, bill.*
  from (select coalesce(sum(matching), 0)::bigint as total from block) total
  left join (
    select e.position, ${BILL_COLUMNS} from page e cross join ${TRANSFER_OF_ENTRY} t
  ) bill on true
  order by bill.position desc`,
);

type FilteredRow = BillRow & { readonly total: number; readonly position: number | null };

interface Rows {
  readonly rows: BillRow[];
  readonly total: number;
}

function toValues({ walletId, currencyId, businessId, direction, low, high }: BillScope) {
  const ids = { currency_id: currencyId, business_id: businessId, direction };
  return { wallet_id: walletId, ...ids, low, high };
}

/** The total stands in every row; a page without bills is one row of nulls. */
function toRows(rows: readonly FilteredRow[]): Rows {
  return { rows: rows.filter(({ position }) => position !== null), total: rows[0]?.total ?? 0 };
}

const NEWEST = billsBetween(
  ':wallet_id::bigint',
  'wallet.entries - :skip::bigint - :size::int',
  'wallet.entries - :skip::bigint',
);
/** A page of all bills of a wallet, with the total, as `FILTERED_PAGE`. */
const NEWEST_PAGE = defineStatement(
  'bills_newest',
  `select wallet.entries as total, bill.*
  from (${ENTRIES}) wallet left join lateral (
    select e.position, ${BILL_COLUMNS} from ${NEWEST}
  ) bill on true
  order by bill.position desc`,
);

export interface BillPage {
  readonly current: number;
  readonly size: number;
  /** Of a house account. Default: 0. */
  readonly shard?: number;
}

async function readRows(
  db: Db,
  selection: BillSelection,
  filter: BillFilter,
  { current, size }: BillPage,
): Promise<Rows> {
  const { walletId, ...ids } = selection;
  const skip = (current - 1) * size;
  const isFiltered = Object.values(ids).some((id) => id !== null);
  if (!isFiltered && !filter.from && !filter.before) {
    const values = { wallet_id: walletId, skip, size };
    return toRows((await execute<FilteredRow>(db, NEWEST_PAGE, values)).rows);
  }
  const { low, high } = await readRange(db, walletId, filter);
  if (isFiltered) {
    const values = { ...toValues({ ...selection, low, high }), skip, size };
    return toRows((await execute<FilteredRow>(db, FILTERED_PAGE, values)).rows);
  }
  const top = high - skip;
  if (top <= low) return { rows: [], total: high - low };
  const range = { wallet_id: walletId, low: Math.max(low, top - size), high: top };
  return { rows: (await execute<BillRow>(db, BY_POSITION, range)).rows, total: high - low };
}

/** A page of bills and how many there are on all pages. */
export async function readBills(
  db: Db,
  account: AccountRef,
  filter: BillFilter,
  page: BillPage,
): Promise<{ bills: Bill[]; total: number }> {
  const selection = await resolveFilter(db, account, filter, page.shard);
  const { rows, total } = await readRows(db, selection, filter, page);
  return { bills: await toBills(db, rows), total };
}

const STREAM = defineStatement(
  'bills_stream',
  `select ${BILL_COLUMNS} from ${BILLS} where ${matches('e')}
  order by e.position desc`,
);
/** Positions read at once: bounds both memory and the time of a statement. */
const PIECE = 1000;

/** All bills that match, newest first, piece by piece: what is posted meanwhile is not in it. */
export async function* streamBills(
  db: Db,
  account: AccountRef,
  filter: BillFilter,
): AsyncGenerator<Bill[]> {
  const scope = await readScope(db, account, filter);
  for (let high = scope.high; high > scope.low; high -= PIECE) {
    const piece = toValues({ ...scope, low: Math.max(scope.low, high - PIECE), high });
    const { rows } = await execute<BillRow>(db, STREAM, piece);
    if (rows.length > 0) yield await toBills(db, rows);
  }
}
