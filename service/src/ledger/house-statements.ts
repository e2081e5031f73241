/** The statement of an account of the house as a whole: its shards of all shards merged by time. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { type BillFilter, type BillRow, searchPositions, toBills } from './bill-mapping.ts';
import { BLOCK, newestBetween, TRANSFER_OF_ENTRY } from './packed-entries.ts';
import { referenceOf } from './reference-data.ts';
import { lastEntry, type Statement, type StatementPage } from './statements.ts';
import type { HouseAccount } from './types.ts';
import { SHARDS, toHouseWalletId } from './wallet-ids.ts';

/** A page is found by merging what is newer in every shard, so its cost grows with its depth. */
export const MERGED_MAX = 10_000;

type Range = Pick<BillFilter, 'from' | 'before'>;

const ENTRIES = defineStatement(
  'house_entries',
  `select w.wallet_id, a.entries from unnest(:wallets::bigint[]) as w (wallet_id)
  cross join lateral (select coalesce(sum(seq), 0)::bigint as entries from account
    where wallet_id = w.wallet_id) a order by w.wallet_id desc`,
);

/** How many of the first entries of each shard were posted before an instant. */
const COUNT_BEFORE = defineStatement(
  'house_entries_before',
  `with recursive ${searchPositions(
    'unnest(:wallets::bigint[], :entries::bigint[]) as w (wallet_id, entries)',
  )}
  select wallet_id, low as entries from search where low = high`,
);

interface ShardEntries {
  readonly wallet_id: number;
  readonly entries: number;
}

async function countBefore(
  db: Db,
  shards: readonly ShardEntries[],
  instant: Date,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await execute<ShardEntries>(db, COUNT_BEFORE, {
    wallets: shards.map(({ wallet_id }) => wallet_id),
    entries: shards.map(({ entries }) => entries),
    instant,
  });
  return new Map(rows.map(({ wallet_id, entries }) => [wallet_id, entries]));
}

/** Of one shard: the positions (low, high] of the range. */
interface ShardScope {
  readonly walletId: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Positions of every shard, ends of one moment: what is posted afterwards stands behind them, so
 * all that follows sees the same books.
 */
export async function readScopes(
  db: Db,
  house: HouseAccount,
  { from, before }: Range,
): Promise<ShardScope[]> {
  const kind = (await referenceOf(db, { kinds: [house] })).kinds.get(house);
  if (!kind) throw new Error(`there is no account of the kind ${house}`);
  const wallets = Array.from({ length: SHARDS }, (_, shard) => toHouseWalletId(kind.id, shard));
  const { rows } = await execute<ShardEntries>(db, ENTRIES, { wallets });
  const lows = from && (await countBefore(db, rows, from));
  const highs = before && (await countBefore(db, rows, before));
  return rows.map(({ wallet_id: walletId, entries }) => ({
    walletId,
    low: lows?.get(walletId) ?? 0,
    high: highs ? (highs.get(walletId) ?? 0) : entries,
  }));
}

export const SCOPES = `unnest(:wallets::bigint[], :lows::bigint[], :highs::bigint[])
    as shard (wallet_id, low, high)`;
const lastBefore = (position: string): string =>
  lastEntry('shard.wallet_id', `shard.${position}`, ':currency_id::smallint');
/**
 * Entries of an account count themselves, so the last ones before both ends tell how many stand
 * between.
 */
const ENDS = defineStatement(
  'house_ends',
  `select coalesce(sum(o.balance_after), 0)::text as opening,
  coalesce(sum(c.balance_after), 0)::text as closing,
    coalesce(sum(coalesce(c.seq, 0) - coalesce(o.seq, 0)), 0)::bigint as total
  from ${SCOPES} left join lateral ${lastBefore('low')} o on true
    left join lateral ${lastBefore('high')} c on true`,
);

// Within a shard time never runs backwards, so this order keeps each shard's own.
const ORDER = 'created_at desc, wallet_id desc, position desc';
/**
 * As many entries of each shard as the page could be made of: those that are not counted yet, then
 * of full blocks that have some.
 */
const DEPTH = ':skip::int + :size::int';
const newestOf = (low: string, high: string): string =>
  newestBetween({
    ...{ wallet: 'shard.wallet_id', low: `greatest(shard.low, ${low})`, high },
    ...{ currency: ':currency_id', limit: DEPTH },
  });
const NEWEST = `(
    (select * from ${newestOf(`shard.high / ${BLOCK} * ${BLOCK}`, 'shard.high')} n)
    union all
    select e.* from (
      select block, sum(entries) over (order by block desc) - entries as newer from (
        select block, sum(entries) as entries from entry_count_block
        where wallet_id = shard.wallet_id and block < shard.high / ${BLOCK}
          and block >= shard.low / ${BLOCK} and currency_id = :currency_id
        group by block order by block desc limit ${DEPTH}
      ) counted
    ) b cross join lateral ${newestOf(`b.block * ${BLOCK}`, `(b.block + 1) * ${BLOCK}`)} e
    where b.newer < ${DEPTH}
  )`;
/**
 * The balance after a bill is the closing one less all that is newer: an entry itself knows its
 * shard's only.
 */
const MERGED = defineStatement(
  'house_page',
  `with newest as (
    select e.* from ${SCOPES} cross join lateral (select * from ${NEWEST} n order by position desc
      limit ${DEPTH}) e
  ), page as (
    select direction, currency_id, business_id, amount, created_at, transfer_id, wallet_id,
      position, other_wallet, event_at, reward_type, node_id,
        :closing::numeric - coalesce(sum(case direction when 1 then amount else -amount end)
          over (order by ${ORDER} rows between unbounded preceding and 1 preceding),
            0) as balance_after
      from newest order by ${ORDER} offset :skip limit :size
  )
  select e.direction, e.currency_id, e.business_id, e.amount, e.balance_after, e.created_at,
    e.transfer_id,
      t.debit_wallet, t.credit_wallet, t.event_at, t.reward_type, t.node_id, t.reference,
      t.remark
    from page e cross join ${TRANSFER_OF_ENTRY} t
      order by ${ORDER}`,
);

interface HouseEnds {
  readonly opening: string;
  readonly closing: string;
  readonly total: number;
}

/**
 * One page of the statement of a whole account of the house in one currency.
 * @returns undefined when the page is deeper than `MERGED_MAX` bills
 */
export async function readHouseStatement(
  db: Db,
  house: HouseAccount,
  page: StatementPage,
): Promise<Statement | undefined> {
  const { currency, current, size } = page;
  const scopes = await readScopes(db, house, page);
  const values = {
    wallets: scopes.map(({ walletId }) => walletId),
    lows: scopes.map(({ low }) => low),
    highs: scopes.map(({ high }) => high),
    currency_id: currency.id,
  };
  const [ends] = (await execute<HouseEnds>(db, ENDS, values)).rows;
  const { opening = '0', closing = '0', total = 0 } = ends ?? {};
  const skip = (current - 1) * size;
  if (skip < total && skip + size > MERGED_MAX) return undefined;
  const wanted = { ...values, skip, size, closing };
  const rows = skip < total ? (await execute<BillRow>(db, MERGED, wanted)).rows : [];
  const bills = await toBills(db, rows);
  return { opening: BigInt(opening), closing: BigInt(closing), bills, total };
}
