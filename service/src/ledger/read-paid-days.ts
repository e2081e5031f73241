/** What users got from an account of the house on each of some days. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { addDays, startOfDay } from '../lib/calendar.ts';
import { type Balances, type DailyAccount, readHouseBalanceDays } from './house-balance-days.ts';
import { referenceOf } from './reference-data.ts';
import { SHARDS, toHouseWalletId } from './wallet-ids.ts';

/**
 * Postings of the last moments are left out: of one that commits between the statements here, its
 * balance would be known, and not what it was.
 */
const SETTLES_MS = 5000;

/** By the partial index of transfers between accounts of the house: some for each settlement. */
const MOVED = defineStatement(
  'house_moved_days',
  `select to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, c.code as currency,
    sum(case when t.credit_wallet between :low and :high then t.amount else 0 end
      - case when t.debit_wallet between :low and :high then t.amount else 0 end)::text as amount
  from transfer t join currency c on c.id = t.currency_id
  where t.debit_wallet < 0 and t.credit_wallet < 0
    and t.created_at >= :from and t.created_at < :before
  group by 1, 2`,
);

interface Moved {
  readonly day: string;
  readonly currency: string;
  readonly amount: string;
}

/** What an account got from others of the house, less what these got from it, by day. */
async function readMoved(
  db: Db,
  account: DailyAccount,
  from: Date,
  before: Date,
): Promise<ReadonlyMap<string, Balances>> {
  const kind = (await referenceOf(db, { kinds: [account] })).kinds.get(account);
  if (!kind) throw new Error(`there is no account of the kind ${account}`);
  const { rows } = await execute<Moved>(db, MOVED, {
    low: toHouseWalletId(kind.id, SHARDS - 1),
    high: toHouseWalletId(kind.id, 0),
    from,
    before,
  });
  return new Map(
    [...Map.groupBy(rows, ({ day }) => day)].map(([day, moved]) => [
      day,
      new Map(moved.map(({ currency, amount }) => [currency, BigInt(amount)])),
    ]),
  );
}

/**
 * What left an account on consecutive days, less what came back, by currency. What was moved
 * between accounts of the house is no payment: each settlement is funded from the treasury.
 */
export async function readPaidDays(
  db: Db,
  account: DailyAccount,
  days: readonly string[],
  now: Date,
): Promise<Balances[]> {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const until = new Date(now.getTime() - SETTLES_MS);
  const ends = await readHouseBalanceDays(db, account, [addDays(first, -1), ...days], until);
  const end = startOfDay(addDays(last, 1));
  const moved = await readMoved(db, account, startOfDay(first), end < until ? end : until);
  return days.map((day, n) => {
    const [opening, closing, ofHouse] = [ends[n], ends[n + 1], moved.get(day)];
    const currencies = new Set(
      [opening, closing, ofHouse].flatMap((of) => [...(of?.keys() ?? [])]),
    );
    return new Map(
      [...currencies].map((currency) => [
        currency,
        (opening?.get(currency) ?? 0n) -
          (closing?.get(currency) ?? 0n) +
          (ofHouse?.get(currency) ?? 0n),
      ]),
    );
  });
}
