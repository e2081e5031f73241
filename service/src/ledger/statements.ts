/**
 * Statements: what an account had, what happened, what it has; and the accounts of the house side
 * by side.
 */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { MAX_MINOR } from '../lib/money.ts';
import { type Bill, type BillFilter, readScope } from './bill-mapping.ts';
import { BLOCK } from './insert-batch.ts';
import { type BillPage, readBills } from './read-bills.ts';
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
 * the last full block that has one. Going back entry by entry would read all of a long history for
 * a currency that is rare in it.
 * @param wallet, position, currency as SQL
 */
export const lastEntry = (wallet: string, position: string, currency: string): string => `(
    select * from (
      (select * from entry where wallet_id = ${wallet}
        and position > ${position} / ${BLOCK} * ${BLOCK} and position <= ${position}
          and currency_id = ${currency}
        order by position desc limit 1)
      union all
      (select e.* from (select max(block) as block from entry_count_block
        where wallet_id = ${wallet} and block < ${position} / ${BLOCK}
          and currency_id = ${currency}) b
        cross join lateral (select * from entry where wallet_id = ${wallet}
          and position > b.block * ${BLOCK} and position <= (b.block + 1) * ${BLOCK}
          and currency_id = ${currency} order by position desc limit 1) e)
    ) found order by position desc limit 1
  )`;

const BALANCE_AT = defineStatement(
  'ledger_balance_at',
  `select balance_after
  from ${lastEntry(':wallet_id::bigint', ':position::bigint', ':currency_id::smallint')} e`,
);

/** A page of the statement of an account in one currency, in a range of time. */
export interface StatementPage extends Pick<BillFilter, 'from' | 'before'>, BillPage {
  readonly currency: Currency;
}

/** One page of an account's statement in one currency. */
export async function readStatement(
  db: Db,
  account: AccountRef,
  page: StatementPage,
): Promise<Statement> {
  const { currency, from, before, shard } = page;
  const filter = { currency: currency.code, ...(from && { from }), ...(before && { before }) };
  const { walletId, low, high } = await readScope(db, account, filter, shard);
  const balanceAt = async (position: number): Promise<bigint> => {
    const values = { wallet_id: walletId, position, currency_id: currency.id };
    const { rows } = await execute<{ balance_after: string }>(db, BALANCE_AT, values);
    return BigInt(rows[0]?.balance_after ?? 0);
  };
  const { bills, total } = await readBills(db, account, filter, page);
  return { opening: await balanceAt(low), closing: await balanceAt(high), bills, total };
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
