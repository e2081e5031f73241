/**
 * Statements: what an account had, what happened, what it has; and the accounts of the house side
 * by side.
 */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { MAX_MINOR } from '../lib/money.ts';
import {
  BILL_COLUMNS,
  type Bill,
  type BillFilter,
  type BillRow,
  readScope,
  toBills,
} from './bill-mapping.ts';
import { BLOCK, entriesOfBlock, newestBetween, TRANSFER_OF_ENTRY } from './packed-entries.ts';
import type { BillPage } from './read-bills.ts';
import type { AccountRef, Currency } from './types.ts';
import { SHARDS } from './wallet-ids.ts';

export interface Statement {
  /** Balance, held part included, before the first and after the last bill of the range. */
  readonly opening: bigint;
  readonly closing: bigint;
  readonly bills: readonly Bill[];
  readonly total: number;
}

/**
 * The last entry of a currency up to a position: among those that are not counted yet, or else in
 * the last full block that has one, which an index finds at once however rare the currency is.
 * @param wallet, position, currency as SQL
 */
export const lastEntry = (wallet: string, position: string, currency: string): string => {
  const lastBetween = (low: string, high: string): string =>
    newestBetween({ wallet, low, high, currency, limit: '1' });
  return `(
    select * from (
      (select * from ${lastBetween(`${position} / ${BLOCK} * ${BLOCK}`, position)} n)
      union all
      (select e.* from (select max(block) as block from entry_count_block
        where wallet_id = ${wallet} and block < ${position} / ${BLOCK}
          and currency_id = ${currency}) b
        cross join lateral ${lastBetween(`b.block * ${BLOCK}`, `(b.block + 1) * ${BLOCK}`)} e)
    ) found order by position desc limit 1
  )`;
};

const END_AT = defineStatement(
  'statement_end',
  `select position, seq, balance_after
  from ${lastEntry(':wallet_id::bigint', ':position::bigint', ':currency_id::smallint')} e`,
);

/** A page of the statement of an account in one currency, in a range of time. */
export interface StatementPage extends Pick<BillFilter, 'from' | 'before'>, BillPage {
  readonly currency: Currency;
}

const LAST_OF_MIDDLE = lastEntry(
  ':wallet_id::bigint',
  `((s.middle + 1) * ${BLOCK})`,
  ':currency_id::smallint',
);
const OF_BLOCK = entriesOfBlock(':wallet_id::bigint', 'b.block');
/**
 * The entries of an account that it counts from `:first` to `:last` (`seq`). The blocks of these
 * two are found by a binary search along the blocks; between them, only blocks are read that have
 * the currency.
 */
const READ_STATEMENT = defineStatement(
  'statement_page',
  `with recursive search (target, low, high) as (
    select target, :low::bigint / ${BLOCK}, (:high::bigint - 1) / ${BLOCK}
    from unnest(array[:first::bigint, :last::bigint]) as t (target)
    union all
    select target, case when found.seq >= target then s.low else s.middle + 1 end,
      case when found.seq >= target then s.middle else s.high end
    from (select target, low, high, (low + high) / 2 as middle from search where low < high) s
    cross join lateral (select coalesce((select seq from ${LAST_OF_MIDDLE} e), 0) as seq) found
  ), ends as (select min(low) as bottom, max(low) as top from search where low = high),
  blocks as (
    select bottom as block from ends union select top from ends
    union select block from entry_count_block
    where wallet_id = :wallet_id and currency_id = :currency_id
      and block > (select bottom from ends) and block < (select top from ends)
  ),
  page as (
    select e.* from blocks b cross join lateral (
      select * from ${OF_BLOCK} n where currency_id = :currency_id
        and seq between :first and :last order by position desc limit ${BLOCK}
    ) e
  )
  select ${BILL_COLUMNS} from page e cross join ${TRANSFER_OF_ENTRY} t
  order by e.position desc`,
);

interface End {
  readonly position: number;
  readonly seq: number;
  readonly balance_after: string;
}

const NO_ENTRY: End = { position: 0, seq: 0, balance_after: '0' };

/** One page of an account's statement in one currency; its cost does not grow with the account. */
export async function readStatement(
  db: Db,
  account: AccountRef,
  page: StatementPage,
): Promise<Statement> {
  const { currency, from, before, shard, current, size } = page;
  const filter = { currency: currency.code, ...(from && { from }), ...(before && { before }) };
  const { walletId, low, high } = await readScope(db, account, filter, shard);
  const ids = { wallet_id: walletId, currency_id: currency.id };
  const endAt = async (position: number): Promise<End> =>
    (await execute<End>(db, END_AT, { ...ids, position })).rows[0] ?? NO_ENTRY;
  const [opening, closing] = [await endAt(low), await endAt(high)];
  const last = closing.seq - (current - 1) * size;
  const first = Math.max(opening.seq + 1, last - size + 1);
  const rows =
    last < first
      ? []
      : (
          await execute<BillRow>(db, READ_STATEMENT, {
            ...ids,
            low,
            high: closing.position,
            first,
            last,
          })
        ).rows;
  return {
    opening: BigInt(opening.balance_after),
    closing: BigInt(closing.balance_after),
    bills: await toBills(db, rows),
    total: closing.seq - opening.seq,
  };
}

export interface HouseBalance {
  readonly account: string;
  readonly currency: string;
  readonly scale: number;
  /** Credits minus debits; negative where the house has given more than it got. */
  readonly balance: bigint;
  /**
   * What can still be posted through its fullest shard, in either direction; undefined for `users`.
   */
  readonly headroom: bigint | undefined;
}

interface HouseBalanceRow extends Omit<HouseBalance, 'balance' | 'headroom'> {
  readonly balance: string;
  readonly headroom: string | null;
}

/**
 * The lateral form keeps to the range of each kind in the index, whatever the planner knows of
 * negative numbers.
 */
const HOUSE_BALANCES = `with house as (
    select k.code as account, k.id as kind_id, a.currency_id, sum(a.credits - a.debits) as balance,
      ${MAX_MINOR} - max(greatest(a.credits, a.debits)) as headroom
    from wallet_kind k cross join lateral (
      select currency_id, credits, debits from account
        where wallet_id between -(k.id * ${SHARDS} + ${SHARDS}) and -(k.id * ${SHARDS} + 1) offset 0
    ) a
    where k.is_house group by k.code, k.id, a.currency_id
  ), balances as (
    select account, currency_id, balance, headroom from house
    union all select 'users', currency_id, -sum(balance), null from house group by currency_id
  )
  select e.account, c.code as currency, c.scale, e.balance, e.headroom
  from balances e join currency c on c.id = e.currency_id order by 1, 2`;

/**
 * Every account of the house, its shards summed, and `users` for what all people have together:
 * what the house has less, because every transfer has two sides. Accounts of people are not read,
 * however many; `verify` proves that it all sums to zero.
 */
export async function readHouseBalances(db: Db): Promise<HouseBalance[]> {
  const { rows } = await db.query<HouseBalanceRow>(HOUSE_BALANCES);
  return rows.map(({ balance, headroom, ...row }) => ({
    ...row,
    balance: BigInt(balance),
    headroom: headroom === null ? undefined : BigInt(headroom),
  }));
}
