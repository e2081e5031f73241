/**
 * Bills, newest first, by page number. Entries of a wallet stand at dense positions in order of time, so an unfiltered
 * page is a range of positions whatever its depth; filtered pages are found through the counts of full blocks.
 */
import type { Db } from '../db/index.ts';
import { type Reference, referenceOf } from './reference.ts';
import type { AccountRef } from './types.ts';
import { codeOf, readWalletId, walletOf } from './wallet-ids.ts';
import { BLOCK } from './write-books.ts';

export interface BillFilter {
  readonly currency?: string;
  /** 1 credit, 2 debit. */
  readonly direction?: number;
  readonly businessId?: string;
  /** Instants of posting: `from <= t < before`. */
  readonly from?: Date;
  readonly before?: Date;
}

export interface Bill {
  readonly id: number;
  readonly currency: string;
  readonly scale: number;
  readonly businessId: string;
  readonly direction: number;
  readonly amount: bigint;
  readonly balanceAfter: bigint;
  readonly rewardType: string | null;
  /** The other side: `user:ID`, or the name of the house's account. */
  readonly counterparty: string;
  readonly reference: string | null;
  readonly remark: string | null;
  readonly eventAt: Date;
  readonly createdAt: Date;
  readonly transferId: number;
}

interface BillRow {
  readonly direction: number;
  readonly currency_id: number;
  readonly business_id: number;
  readonly amount: string;
  readonly balance_after: string;
  readonly created_at: Date;
  readonly transfer_id: number;
  readonly debit_wallet: number;
  readonly credit_wallet: number;
  readonly event_at: Date;
  readonly reward_type: string | null;
  readonly reference: string | null;
  readonly remark: string | null;
}

const BILL = `select e.direction, e.currency_id, e.business_id, e.amount, e.balance_after, e.created_at, e.transfer_id,
    t.debit_wallet, t.credit_wallet, t.event_at, t.reward_type, t.reference, t.remark
  from entry e join transfer t on t.id = e.transfer_id`;
const BY_POSITION = `${BILL} where e.wallet_id = $1 and e.position > $2 and e.position <= $3 order by e.position desc`;

/** How many of the first `$2` entries were posted before `$3`: a binary search along the positions. */
const COUNT_BEFORE = `with recursive search (low, high) as (
    select 0::bigint, $2::bigint
    union all
    select case when e.created_at < $3 then s.middle else s.low end, case when e.created_at < $3 then s.high else s.middle - 1 end
    from (select low, high, (low + high + 1) / 2 as middle from search where low < high) s
    join entry e on e.wallet_id = $1 and e.position = s.middle
  ) select low from search where low = high`;

const MATCHES = '($4::smallint is null or currency_id = $4) and ($5::smallint is null or business_id = $5) and ($6::smallint is null or direction = $6)';

/** How many entries match in each block of the range ($2, $3]: full blocks by their counts, the two ends entry by entry. */
const MATCHING_BLOCKS = `select block, sum(matching) as matching from (
    select block, entries as matching from entry_block
    where wallet_id = $1 and block >= ($2::bigint + ${BLOCK - 1}) / ${BLOCK} and block < $3::bigint / ${BLOCK} and ${MATCHES}
    union all
    select (position - 1) / ${BLOCK}, 1 from entry
    where wallet_id = $1 and position > $2 and position <= least($3, ($2::bigint + ${BLOCK - 1}) / ${BLOCK} * ${BLOCK}) and ${MATCHES}
    union all
    select (position - 1) / ${BLOCK}, 1 from entry
    where wallet_id = $1 and position > greatest($2, $3::bigint / ${BLOCK} * ${BLOCK}, ($2::bigint + ${BLOCK - 1}) / ${BLOCK} * ${BLOCK}) and position <= $3 and ${MATCHES}
  ) b group by block`;

const BLOCK_PAGE = `with block as (${MATCHING_BLOCKS}),
  placed as (select block, sum(matching) over (order by block desc) - matching as before, matching from block),
  total as (select coalesce(sum(matching), 0) as total from block)
  select total.total::bigint as total, p.block, p.before::bigint as before
  from total left join placed p on p.before < $7::bigint + $8::int and p.before + p.matching > $7 order by p.block desc`;

const BY_FILTER = `select e.direction, e.currency_id, e.business_id, e.amount, e.balance_after, e.created_at, e.transfer_id,
    t.debit_wallet, t.credit_wallet, t.event_at, t.reward_type, t.reference, t.remark
  from unnest($9::bigint[]) as b (block)
  join entry e on e.wallet_id = $1 and e.position > greatest($2, b.block * ${BLOCK}) and e.position <= least($3, (b.block + 1) * ${BLOCK})
    and ($4::smallint is null or e.currency_id = $4) and ($5::smallint is null or e.business_id = $5) and ($6::smallint is null or e.direction = $6)
  join transfer t on t.id = e.transfer_id
  order by e.position desc offset $7 limit $8`;

function counterpartyOf(reference: Reference, walletId: number): string {
  const { kindId, userId } = readWalletId(walletId);
  return userId === null ? (reference.kindsById.get(kindId)?.code ?? 'house') : `user:${userId}`;
}

function toBill(reference: Reference, row: BillRow): Bill {
  const currency = reference.currenciesById.get(row.currency_id);
  const business = reference.businessesById.get(row.business_id);
  if (!currency || !business) throw new Error(`the transfer ${row.transfer_id} names what does not exist`);
  return {
    id: row.transfer_id * 2 + (row.direction - 1),
    currency: currency.code,
    scale: currency.scale,
    businessId: business.code,
    direction: row.direction,
    amount: BigInt(row.amount),
    balanceAfter: BigInt(row.balance_after),
    rewardType: row.reward_type,
    counterparty: counterpartyOf(reference, row.direction === 1 ? row.debit_wallet : row.credit_wallet),
    reference: row.reference,
    remark: row.remark,
    eventAt: row.event_at,
    createdAt: row.created_at,
    transferId: row.transfer_id,
  };
}

/** Positions ($low, $high] of what was posted in the time asked for. */
async function readRange(db: Db, walletId: number, { from, before }: BillFilter): Promise<{ low: number; high: number }> {
  const { rows } = await db.prepared<{ entries: number }>(
    'bills_entries',
    'select coalesce(sum(seq), 0)::bigint as entries from account where wallet_id = $1',
    [walletId],
  );
  const entries = rows[0]?.entries ?? 0;
  const countBefore = async (instant: Date): Promise<number> =>
    (await db.prepared<{ low: number }>('bills_before', COUNT_BEFORE, [walletId, entries, instant])).rows[0]?.low ?? 0;
  return { low: from ? await countBefore(from) : 0, high: before ? await countBefore(before) : entries };
}

async function readFiltered(
  db: Db,
  where: readonly [walletId: number, low: number, high: number, currencyId: number | null, businessId: number | null, direction: number | null],
  skip: number,
  size: number,
): Promise<{ rows: BillRow[]; total: number }> {
  const page = await db.prepared<{ total: number; block: number | null; before: number | null }>('bills_blocks', BLOCK_PAGE, [...where, skip, size]);
  const total = page.rows[0]?.total ?? 0;
  const blocks = page.rows.flatMap((row) => row.block ?? []);
  const before = page.rows[0]?.before;
  if (blocks.length === 0 || before === null || before === undefined) return { rows: [], total };
  const { rows } = await db.prepared<BillRow>('bills_filtered', BY_FILTER, [...where, skip - before, size, blocks]);
  return { rows, total };
}

/** A page of bills and how many there are on all pages. */
export async function readBills(db: Db, account: AccountRef, filter: BillFilter, current: number, size: number): Promise<{ bills: Bill[]; total: number }> {
  const reference = await referenceOf(db, (known) => filter.currency !== undefined && !known.currencies.has(filter.currency));
  const kind = reference.kinds.get(codeOf(account));
  if (!kind) throw new Error(`there is no account of the kind ${codeOf(account)}`);
  const currencyId = filter.currency === undefined ? null : (reference.currencies.get(filter.currency)?.id ?? 0);
  const businessId = filter.businessId === undefined ? null : (reference.businesses.get(filter.businessId)?.id ?? 0);
  const walletId = walletOf(account, kind, 0);
  const { low, high } = await readRange(db, walletId, filter);
  const skip = (current - 1) * size;
  if (currencyId === null && businessId === null && filter.direction === undefined) {
    const top = high - skip;
    const { rows } = top > low ? await db.prepared<BillRow>('bills_page', BY_POSITION, [walletId, Math.max(low, top - size), top]) : { rows: [] };
    return { bills: rows.map((row) => toBill(reference, row)), total: high - low };
  }
  const { rows, total } = await readFiltered(db, [walletId, low, high, currencyId, businessId, filter.direction ?? null], skip, size);
  return { bills: rows.map((row) => toBill(reference, row)), total };
}
