/** What accounts of the house had at the ends of days: kept once a day is over. */
import { type Db, defineStatement, execute, transaction } from '../db/index.ts';
import { addDays, listDays, startOfDay, toDay } from '../lib/calendar.ts';
import { readHouseBalancesAt } from './house-balances-at.ts';
import { getLedgerContext } from './ledger-context.ts';
import { referenceOf } from './reference-data.ts';
import type { HouseAccount } from './types.ts';

/** Accounts whose ends of days are kept: what users get comes from these. */
export const DAILY_ACCOUNTS = ['reward_pool', 'deposit_clearing'] as const satisfies HouseAccount[];
export type DailyAccount = (typeof DAILY_ACCOUNTS)[number];

/** A posting that began before the end of a day is recorded on that day, and commits later. */
const FINAL_AFTER_MS = 600_000;
/** Days before the first one that is kept: an overview shows no more. */
const FIRST_DAYS = 31;

export type Balances = ReadonlyMap<string, bigint>;

const READ = defineStatement(
  'house_balance_days',
  `select d.day::text, c.code as currency, d.balance::text from house_balance_day d
    join wallet_kind k on k.id = d.kind_id join currency c on c.id = d.currency_id
  where k.code = :account and d.day between :first::date and :last::date`,
);

interface Row {
  readonly day: string;
  readonly currency: string;
  readonly balance: string;
}

/**
 * Balances of an account at the ends of consecutive days; a currency may be absent.
 * @param until what is posted from here on is left out; absent: nothing is
 */
export async function readHouseBalanceDays(
  db: Db,
  account: DailyAccount,
  days: readonly string[],
  until?: Date,
): Promise<Balances[]> {
  const range = { account, first: days[0] ?? '', last: days.at(-1) ?? '' };
  const { rows } = await execute<Row>(db, READ, range);
  const kept = Map.groupBy(rows, ({ day }) => day);
  const balances: Balances[] = [];
  for (const day of days) {
    const own = kept.get(day);
    const end = startOfDay(addDays(day, 1));
    balances.push(
      own
        ? new Map(own.map(({ currency, balance }) => [currency, BigInt(balance)]))
        : await readHouseBalancesAt(db, account, until && until < end ? until : end),
    );
  }
  return balances;
}

const KEEP = defineStatement(
  'ledger_keep_house_balances',
  `insert into house_balance_day (kind_id, day, currency_id, balance)
  select :kind_id, :day, c.id, b.balance
  from unnest(:currencies::text[], :balances::numeric[]) as b (code, balance)
    join currency c on c.code = b.code
  on conflict (kind_id, day, currency_id) do nothing`,
);

async function keepDay(db: Db, day: string): Promise<void> {
  await transaction(db, async (tx) => {
    const { kinds } = await referenceOf(tx, { kinds: DAILY_ACCOUNTS });
    for (const account of DAILY_ACCOUNTS) {
      const balances = await readHouseBalancesAt(tx, account, startOfDay(addDays(day, 1)));
      await execute(tx, KEEP, {
        kind_id: kinds.get(account)?.id ?? 0,
        day,
        currencies: [...balances.keys()],
        balances: [...balances.values()].map(String),
      });
    }
  });
}

/**
 * Job: keeps the days that are over since the last one that was kept. Safe to run on any instance
 * at any time: the end of a day does not change.
 * @returns whether a day was kept
 */
export async function keepHouseBalances(db: Db): Promise<boolean> {
  const now = getLedgerContext(db).clock.now();
  const last = addDays(toDay(new Date(now.getTime() - FINAL_AFTER_MS)), -1);
  const { rows } = await db.query<{ day: string | null }>(
    'select max(day)::text as day from house_balance_day',
  );
  const kept = rows[0]?.day ?? addDays(last, -FIRST_DAYS);
  if (kept >= last) return false;
  for (const day of listDays(addDays(kept, 1), last)) await keepDay(db, day);
  return true;
}
