/** Bills as they are stored: entries with their transfers, and the filters on them. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { entriesBetween, entryAt, TRANSFER_OF_ENTRY } from './packed-entries.ts';
import { type ReferenceData, referenceOf } from './reference-data.ts';
import type { AccountRef } from './types.ts';
import { getWalletCode, readWalletId, toWalletId } from './wallet-ids.ts';

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
  /** The device that earned it. */
  readonly nodeId: string | null;
  /** The other side: `user:ID`, or the name of the house's account. */
  readonly counterparty: string;
  readonly reference: string | null;
  readonly remark: string | null;
  readonly eventAt: Date;
  readonly createdAt: Date;
  readonly transferId: number;
}

export interface BillRow {
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
  readonly node_id: string | null;
  readonly reference: string | null;
  readonly remark: string | null;
}

/** Columns of a bill: of its entry `e` and its transfer `t`. */
export const BILL_COLUMNS = `e.direction, e.currency_id, e.business_id, e.amount,
    e.balance_after, e.created_at, e.transfer_id, t.debit_wallet, t.credit_wallet, t.event_at,
    t.reward_type, t.node_id, t.reference, t.remark`;
/** The bills of a wallet in a range of positions (low, high]. @param wallet,low,high as SQL */
export const billsBetween = (wallet: string, low: string, high: string): string =>
  `${entriesBetween(wallet, low, high)} e cross join ${TRANSFER_OF_ENTRY} t`;
/** Of the wallet `:wallet_id`, from `:low` to `:high`. */
export const BILLS = billsBetween(':wallet_id::bigint', ':low::bigint', ':high::bigint');
/**
 * A binary search along the positions of the wallet `:wallet_id`: how many of its first entries
 * were posted before an instant.
 * @param name of the table that it makes; the answer is its row whose ends are the same
 * @param entries,instant as SQL
 */
const searchPosition = (
  name: string,
  entries: string,
  instant: string,
): string => `${name} (low, high) as (
    select 0::bigint, ${entries}
    union all
    select case when e.created_at < ${instant} then s.middle else s.low end,
      case when e.created_at < ${instant} then s.high else s.middle - 1 end
    from (select low, high, (low + high + 1) / 2 as middle from ${name} where low < high) s
    cross join lateral ${entryAt(':wallet_id::bigint', 's.middle')} e
  )`;
/**
 * The same of several wallets at once, as `search`: for each the answer is its row whose ends are
 * the same.
 * @param start as SQL: `wallet_id` and `entries`
 */
export const searchPositions = (start: string): string => `search (wallet_id, low, high) as (
    select wallet_id, 0::bigint, entries from ${start}
    union all
    select s.wallet_id, case when e.created_at < :instant then s.middle else s.low end,
      case when e.created_at < :instant then s.high else s.middle - 1 end
    from (
      select wallet_id, low, high, (low + high + 1) / 2 as middle from search where low < high
    ) s cross join lateral ${entryAt('s.wallet_id', 's.middle')} e
  )`;

const COUNT_BEFORE = defineStatement(
  'bills_before',
  `with recursive ${searchPosition('search', ':entries::bigint', ':instant')}
  select low from search where low = high`,
);

/** How many entries a wallet has. */
export const ENTRIES =
  'select coalesce(sum(seq), 0)::bigint as entries from account where wallet_id = :wallet_id';
const COUNT_ENTRIES = defineStatement('bills_entries', ENTRIES);
/** Where a search for an end of a range ends; an end that is null is not looked for. */
const searchedEntries = (instant: string): string =>
  `(select case when ${instant}::timestamptz is null then 0 else entries end from wallet)`;
/** Both ends of a range of time in one statement. */
const RANGE = defineStatement(
  'bills_range',
  `with recursive wallet as (${ENTRIES}),
  ${searchPosition('since', searchedEntries(':from'), ':from')},
  ${searchPosition('until', searchedEntries(':before'), ':before')}
  select (select low from since where low = high) as low,
    case when :before is null then (select entries from wallet)
      else (select low from until where low = high) end as high`,
);

function counterpartyOf(reference: ReferenceData, walletId: number): string {
  const { kindId, userId } = readWalletId(walletId);
  return userId === null ? (reference.kindsById.get(kindId)?.code ?? 'house') : `user:${userId}`;
}

function toBill(reference: ReferenceData, row: BillRow): Bill {
  const currency = reference.currenciesById.get(row.currency_id);
  const business = reference.businessesById.get(row.business_id);
  if (!currency || !business)
    throw new Error(`the transfer ${row.transfer_id} names what does not exist`);
  return {
    id: row.transfer_id * 2 + (row.direction - 1),
    currency: currency.code,
    scale: currency.scale,
    businessId: business.code,
    direction: row.direction,
    amount: BigInt(row.amount),
    balanceAfter: BigInt(row.balance_after),
    rewardType: row.reward_type,
    nodeId: row.node_id,
    counterparty: counterpartyOf(
      reference,
      row.direction === 1 ? row.debit_wallet : row.credit_wallet,
    ),
    reference: row.reference,
    remark: row.remark,
    eventAt: row.event_at,
    createdAt: row.created_at,
    transferId: row.transfer_id,
  };
}

/** Rows as bills. */
export async function toBills(db: Db, rows: readonly BillRow[]): Promise<Bill[]> {
  const reference = await referenceOf(db, {
    currencies: rows.map((row) => row.currency_id),
    businesses: rows.map((row) => row.business_id),
    kinds: rows.map(
      (row) => readWalletId(row.direction === 1 ? row.debit_wallet : row.credit_wallet).kindId,
    ),
  });
  return rows.map((row) => toBill(reference, row));
}

/** How many of a wallet's first entries were posted before an instant. */
export async function countBefore(
  db: Db,
  walletId: number,
  entries: number,
  instant: Date,
): Promise<number> {
  const values = { wallet_id: walletId, entries, instant };
  return (await execute<{ low: number }>(db, COUNT_BEFORE, values)).rows[0]?.low ?? 0;
}

/** Positions (low, high] of what was posted in a range of time. */
export async function readRange(
  db: Db,
  walletId: number,
  { from, before }: BillFilter,
): Promise<{ low: number; high: number }> {
  if (!from && !before) {
    const counted = await execute<{ entries: number }>(db, COUNT_ENTRIES, { wallet_id: walletId });
    return { low: 0, high: counted.rows[0]?.entries ?? 0 };
  }
  const values = { wallet_id: walletId, from: from ?? null, before: before ?? null };
  const { rows } = await execute<{ low: number; high: number }>(db, RANGE, values);
  return rows[0] ?? { low: 0, high: 0 };
}

/** A filter by what never changes: ids, or null for anything. */
export interface BillSelection {
  readonly walletId: number;
  readonly currencyId: number | null;
  readonly businessId: number | null;
  readonly direction: number | null;
}

/** What a filter asks for, resolved: also a range of positions. */
export interface BillScope extends BillSelection {
  readonly low: number;
  readonly high: number;
}

/** Resolves what a filter names. `shard` picks the shard of a house account. */
export async function resolveFilter(
  db: Db,
  account: AccountRef,
  filter: BillFilter,
  shard = 0,
): Promise<BillSelection> {
  const { currency, businessId } = filter;
  const reference = await referenceOf(db, {
    kinds: [getWalletCode(account)],
    ...(currency !== undefined && { currencies: [currency] }),
    ...(businessId !== undefined && { businesses: [businessId] }),
  });
  const kind = reference.kinds.get(getWalletCode(account));
  if (!kind) throw new Error(`there is no account of the kind ${getWalletCode(account)}`);
  return {
    walletId: toWalletId(account, kind, shard),
    // An id that no row has stands for an unknown name.
    currencyId: currency === undefined ? null : (reference.currencies.get(currency)?.id ?? 0),
    businessId: businessId === undefined ? null : (reference.businesses.get(businessId)?.id ?? 0),
    direction: filter.direction ?? null,
  };
}

/** Resolves a filter on an account's bills. `shard` picks the shard of a house account. */
export async function readScope(
  db: Db,
  account: AccountRef,
  filter: BillFilter,
  shard = 0,
): Promise<BillScope> {
  const selection = await resolveFilter(db, account, filter, shard);
  return { ...selection, ...(await readRange(db, selection.walletId, filter)) };
}
