/** The statement of an account of the house as a whole: its shards of all lanes merged by time. */
import type { Db } from '../db/index.ts';
import { type BillFilter, type BillRow, type BillScope, countBefore, toBills } from './bill-rows.ts';
import { countBills } from './read-bills.ts';
import { referenceOf } from './reference.ts';
import type { Statement } from './statements.ts';
import type { Currency, HouseAccount } from './types.ts';
import { LANES, walletOfHouse } from './wallet-ids.ts';

/** A page is found by merging what is newer in every lane, so its cost grows with its depth. */
export const MERGED_MAX = 10_000;

type Range = Pick<BillFilter, 'from' | 'before'>;

const ENTRIES = `select w.wallet_id, coalesce(sum(a.seq), 0)::bigint as entries
  from unnest($1::bigint[]) as w (wallet_id) left join account a on a.wallet_id = w.wallet_id group by w.wallet_id order by w.wallet_id desc`;

/** Positions of every lane, ends of one moment: what is posted afterwards stands behind them, so all that follows sees the same books. */
async function readScopes(db: Db, house: HouseAccount, currency: Currency, { from, before }: Range): Promise<BillScope[]> {
  const kind = (await referenceOf(db, { kinds: [house] })).kinds.get(house);
  if (!kind) throw new Error(`there is no account of the kind ${house}`);
  const wallets = Array.from({ length: LANES }, (_, lane) => walletOfHouse(kind.id, lane));
  const { rows } = await db.query<{ wallet_id: number; entries: number }>(ENTRIES, [wallets]);
  return Promise.all(
    rows.map(async ({ wallet_id: walletId, entries }) => ({
      walletId,
      low: from ? await countBefore(db, walletId, entries, from) : 0,
      high: before ? await countBefore(db, walletId, entries, before) : entries,
      currencyId: currency.id,
      businessId: null,
      direction: null,
    })),
  );
}

const SCOPES = 'unnest($1::bigint[], $2::bigint[], $3::bigint[]) as lane (wallet_id, low, high)';
const balanceAt = (position: string): string => `lateral (select balance_after from entry
  where wallet_id = lane.wallet_id and position <= lane.${position} and currency_id = $4 order by position desc limit 1)`;
const BALANCES = `select coalesce(sum(o.balance_after), 0)::text as opening, coalesce(sum(c.balance_after), 0)::text as closing
  from ${SCOPES} left join ${balanceAt('low')} o on true left join ${balanceAt('high')} c on true`;

// Within a lane time never runs backwards, so this order keeps each lane's own.
const ORDER = 'created_at desc, wallet_id desc, position desc';
/** The balance after a bill is the closing one less all that is newer: an entry itself knows its shard's only. */
const MERGED = `with newest as (
    select e.* from ${SCOPES} cross join lateral (
      select * from entry where wallet_id = lane.wallet_id and position > lane.low and position <= lane.high and currency_id = $4
      order by position desc limit $5::int + $6::int
    ) e
  ), page as (
    select direction, currency_id, business_id, amount, created_at, transfer_id, wallet_id, position,
        $7::numeric - coalesce(sum(case direction when 1 then amount else -amount end)
          over (order by ${ORDER} rows between unbounded preceding and 1 preceding), 0) as balance_after
      from newest order by ${ORDER} offset $5 limit $6
  )
  select e.direction, e.currency_id, e.business_id, e.amount, e.balance_after, e.created_at, e.transfer_id,
      t.debit_wallet, t.credit_wallet, t.event_at, t.reward_type, t.reference, t.remark
    from page e cross join lateral (select * from transfer where id = e.transfer_id limit 1) t order by ${ORDER}`;

/**
 * One page of the statement of a whole account of the house in one currency.
 * @returns undefined when the page is deeper than `MERGED_MAX` bills
 */
export async function readHouseStatement(
  db: Db,
  house: HouseAccount,
  currency: Currency,
  range: Range,
  { current, size }: { readonly current: number; readonly size: number },
): Promise<Statement | undefined> {
  const scopes = await readScopes(db, house, currency, range);
  const counts = await Promise.all(scopes.map((scope) => countBills(db, scope)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const where = [scopes.map(({ walletId }) => walletId), scopes.map(({ low }) => low), scopes.map(({ high }) => high), currency.id];
  const { rows: balances } = await db.query<{ opening: string; closing: string }>(BALANCES, where);
  const { opening = '0', closing = '0' } = balances[0] ?? {};
  const skip = (current - 1) * size;
  if (skip < total && skip + size > MERGED_MAX) return undefined;
  const { rows } = skip < total ? await db.query<BillRow>(MERGED, [...where, skip, size, closing]) : { rows: [] };
  return { opening: BigInt(opening), closing: BigInt(closing), bills: await toBills(db, rows), total };
}
