/**
 * Bills, newest first, by page number. Entries of a wallet stand at dense positions in order of time, so an unfiltered
 * page is a range of positions whatever its depth; filtered pages are found through the counts of full blocks.
 */
import type { Db } from '../db/index.ts';
import {
  BILL,
  type Bill,
  type BillFilter,
  type BillRow,
  type BillScope,
  readScope,
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

const BLOCK_PAGE = `with block as (${MATCHING_BLOCKS}),
  placed as (select block, sum(matching) over (order by block desc rows unbounded preceding) - matching as before, matching from block),
  total as (select coalesce(sum(matching), 0) as total from block)
  select total.total, p.block, p.before
  from total left join placed p on p.before < $7::bigint + $8::int and p.before + p.matching > $7 order by p.block desc`;

/** The lateral forms keep to the index of each block and each transfer, whatever the planner believes of an array's length. */
const BY_FILTER = `select e.direction, e.currency_id, e.business_id, e.amount, e.balance_after, e.created_at, e.transfer_id,
    t.debit_wallet, t.credit_wallet, t.event_at, t.reward_type, t.reference, t.remark
  from (
    select e.* from unnest($9::bigint[]) as b (block) cross join lateral (
      select * from entry where wallet_id = $1 and position > greatest($2, b.block * ${BLOCK}) and position <= least($3, (b.block + 1) * ${BLOCK}) and ${MATCHES}
      order by position desc
    ) e order by e.position desc offset $7 limit $8
  ) e cross join lateral (select * from transfer where id = e.transfer_id limit 1) t
  order by e.position desc`;

async function readFiltered(
  db: Db,
  scope: BillScope,
  skip: number,
  size: number,
): Promise<{ rows: BillRow[]; total: number }> {
  const where = [
    scope.walletId,
    scope.low,
    scope.high,
    scope.currencyId,
    scope.businessId,
    scope.direction,
  ];
  const page = await db.prepared<{ total: number; block: number | null; before: number | null }>(
    'bills_blocks',
    BLOCK_PAGE,
    [...where, skip, size],
  );
  const total = page.rows[0]?.total ?? 0;
  const blocks = page.rows.flatMap((row) => row.block ?? []);
  const before = page.rows[0]?.before;
  if (blocks.length === 0 || before === null || before === undefined) return { rows: [], total };
  const { rows } = await db.prepared<BillRow>('bills_filtered', BY_FILTER, [
    ...where,
    skip - before,
    size,
    blocks,
  ]);
  return { rows, total };
}

async function readRows(
  db: Db,
  scope: BillScope,
  skip: number,
  size: number,
): Promise<{ rows: BillRow[]; total: number }> {
  const { walletId, low, high, currencyId, businessId, direction } = scope;
  if (currencyId !== null || businessId !== null || direction !== null)
    return readFiltered(db, scope, skip, size);
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
  const scope = await readScope(db, account, filter, shard);
  const { rows, total } = await readRows(db, scope, (current - 1) * size, size);
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
