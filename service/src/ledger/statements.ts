/** Statements: what an account had, what happened, what it has; and the accounts of the house side by side. */
import type { Db } from '../db/index.ts';
import { type Bill, type BillFilter, readScope } from './bill-rows.ts';
import { readBills } from './read-bills.ts';
import type { AccountRef, Currency } from './types.ts';

export interface Statement {
  /** Balance, held part included, before the first and after the last bill of the range. */
  readonly opening: bigint;
  readonly closing: bigint;
  readonly bills: readonly Bill[];
  readonly total: number;
}

const BALANCE_AT = 'select balance_after from entry where wallet_id = $1 and position <= $2 and currency_id = $3 order by position desc limit 1';

/** One page of an account's statement in one currency. `lane` picks the shard of a house account. */
export async function readStatement(
  db: Db,
  account: AccountRef,
  currency: Currency,
  range: Pick<BillFilter, 'from' | 'before'>,
  page: { readonly current: number; readonly size: number; readonly lane?: number },
): Promise<Statement> {
  const filter = { ...range, currency: currency.code };
  const { walletId, low, high } = await readScope(db, account, filter, page.lane);
  const balanceAt = async (position: number): Promise<bigint> =>
    BigInt((await db.query<{ balance_after: string }>(BALANCE_AT, [walletId, position, currency.id])).rows[0]?.balance_after ?? 0);
  const { bills, total } = await readBills(db, account, filter, page.current, page.size, page.lane);
  return { opening: await balanceAt(low), closing: await balanceAt(high), bills, total };
}

export interface HouseBalance {
  readonly account: string;
  readonly currency: string;
  readonly scale: number;
  /** Credits minus debits; negative where the house has given more than it got. */
  readonly balance: bigint;
}

/** Every account of the house, its lanes summed, and `users` for what all people have together: per currency it all sums to zero. */
export async function readHouseBalances(db: Db): Promise<HouseBalance[]> {
  const { rows } = await db.query<Omit<HouseBalance, 'balance'> & { balance: string }>(
    `select case when k.is_house then k.code else 'users' end as account, c.code as currency, c.scale, sum(a.credits - a.debits) as balance
     from account a join wallet_kind k on k.id = a.kind_id join currency c on c.id = a.currency_id
     group by 1, 2, 3 order by 1, 2`,
  );
  return rows.map((row) => ({ ...row, balance: BigInt(row.balance) }));
}
