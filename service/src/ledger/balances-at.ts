/**
 * What a wallet had at instants, without reading what was posted between them: each entry has the
 * balance after it, and the number of its account's entries up to it.
 */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { ENTRIES } from './bill-mapping.ts';
import { entryAt } from './packed-entries.ts';
import { referenceOf } from './reference-data.ts';
import { lastEntry } from './statements.ts';
import type { AccountRef } from './types.ts';
import { getWalletCode, toWalletId } from './wallet-ids.ts';

/** One currency of a wallet at an instant. */
interface BalanceAt {
  /** Balance, held part included. */
  readonly balance: bigint;
  /** How many bills it had so far. */
  readonly bills: number;
}

interface WalletAt {
  /** How many of the wallet's entries were posted before the instant. */
  readonly position: number;
  /** By the code of the currency; only those that had a bill. */
  readonly balances: ReadonlyMap<string, BalanceAt>;
}

/** What happened in one currency of a wallet in an interval. */
export interface BalanceChange {
  readonly currency: string;
  readonly scale: number;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly bills: number;
}

/** `from <= t < before` */
export interface Interval {
  readonly from: Date;
  readonly before: Date;
}

/** A binary search for each instant, then the last entry of each currency up to its place. */
const BALANCES_AT = defineStatement(
  'balances_at',
  `with recursive wallet as (${ENTRIES}),
  search (instant, low, high) as (
    select instant, 0::bigint, entries from unnest(:instants::timestamptz[]) as i (instant), wallet
    union all
    select s.instant, case when e.created_at < s.instant then s.middle else s.low end,
      case when e.created_at < s.instant then s.high else s.middle - 1 end
    from (
      select instant, low, high, (low + high + 1) / 2 as middle from search where low < high
    ) s
    cross join lateral ${entryAt(':wallet_id::bigint', 's.middle')} e
  )
  select s.instant, s.low as position, a.currency_id, e.seq, e.balance_after
  from search s
  left join account a on a.wallet_id = :wallet_id and a.seq > 0
  left join lateral ${lastEntry(':wallet_id::bigint', 's.low', 'a.currency_id')} e on true
  where s.low = s.high`,
);

interface BalanceRow {
  readonly instant: Date;
  readonly position: number;
  readonly currency_id: number | null;
  readonly seq: number | null;
  readonly balance_after: string | null;
}

interface Currencies {
  readonly code: string;
  readonly scale: number;
}

export async function readWalletsAt(
  db: Db,
  walletId: number,
  instants: readonly Date[],
): Promise<{ at: (instant: Date) => WalletAt; currencies: readonly Currencies[] }> {
  const unique = [...new Map(instants.map((instant) => [instant.getTime(), instant])).values()];
  const values = { wallet_id: walletId, instants: unique };
  const { rows } = await execute<BalanceRow>(db, BALANCES_AT, values);
  const ids = [...new Set(rows.flatMap((row) => row.currency_id ?? []))];
  const { currenciesById } = await referenceOf(db, { currencies: ids });
  const found = new Map<number, { position: number; balances: Map<string, BalanceAt> }>();
  for (const { instant, position, currency_id, seq, balance_after } of rows) {
    const here = found.get(instant.getTime()) ?? { position, balances: new Map() };
    found.set(instant.getTime(), here);
    const code = currency_id === null ? undefined : currenciesById.get(currency_id)?.code;
    if (code === undefined || seq === null || balance_after === null) continue;
    here.balances.set(code, { balance: BigInt(balance_after), bills: seq });
  }
  return {
    at: (instant) => found.get(instant.getTime()) ?? { position: 0, balances: new Map() },
    currencies: ids.flatMap((id) => currenciesById.get(id) ?? []),
  };
}

export async function findWalletId(db: Db, account: AccountRef): Promise<number> {
  const code = getWalletCode(account);
  const kind = (await referenceOf(db, { kinds: [code] })).kinds.get(code);
  if (!kind) throw new Error(`there is no account of the kind ${code}`);
  return toWalletId(account, kind, 0);
}

const NOTHING: BalanceAt = { balance: 0n, bills: 0 };

export function compareBalances(
  currencies: readonly Currencies[],
  before: WalletAt,
  after: WalletAt,
): BalanceChange[] {
  return currencies.map(({ code, scale }) => {
    const opening = before.balances.get(code) ?? NOTHING;
    const closing = after.balances.get(code) ?? NOTHING;
    return {
      currency: code,
      scale,
      opening: opening.balance,
      closing: closing.balance,
      bills: closing.bills - opening.bills,
    };
  });
}

/** What changed in a wallet in each of the intervals; currencies without a bill are left out. */
export async function readBalanceChanges(
  db: Db,
  account: AccountRef,
  intervals: readonly Interval[],
): Promise<BalanceChange[][]> {
  const walletId = await findWalletId(db, account);
  const instants = intervals.flatMap(({ from, before }) => [from, before]);
  const { at, currencies } = await readWalletsAt(db, walletId, instants);
  return intervals.map(({ from, before }) =>
    compareBalances(currencies, at(from), at(before)).filter(({ bills }) => bills > 0),
  );
}
