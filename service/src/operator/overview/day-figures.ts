/** Joins, rewards and deposits of the last days, from the ends of accounts: no bill is read. */
import { countJoinsByDay } from '../../community/index.ts';
import type { Db } from '../../db/index.ts';
import { listCurrencies, readHouseBalanceDays } from '../../ledger/index.ts';
import { addDays, listDays, toDay } from '../../lib/calendar.ts';
import { exactAmount } from '../../lib/exact-json.ts';
import type { DayFigures } from './schemas.ts';

const DAYS = 30;
type Balances = ReadonlyMap<string, bigint>;
const NOTHING: Balances = new Map();

/** What left a source between two ends, by currency; currencies without any are left out. */
function subtract(
  before: Balances,
  after: Balances,
  scales: ReadonlyMap<string, number>,
): DayFigures['rewards'] {
  return [...scales].flatMap(([currency, scale]) => {
    const amount = (before.get(currency) ?? 0n) - (after.get(currency) ?? 0n);
    return amount === 0n ? [] : [{ currency, amount: exactAmount(amount, scale) }];
  });
}

export async function readDayFigures(db: Db, now: Date): Promise<DayFigures[]> {
  const today = toDay(now);
  const eve = addDays(today, -DAYS);
  const days = listDays(addDays(eve, 1), today);
  const joined = await countJoinsByDay(db, days);
  const scales = new Map((await listCurrencies(db)).map(({ code, scale }) => [code, scale]));
  // What users got came from these.
  const rewards = await readHouseBalanceDays(db, 'reward_pool', [eve, ...days]);
  const deposits = await readHouseBalanceDays(db, 'deposit_clearing', [eve, ...days]);
  const change = (ends: readonly Balances[], i: number): DayFigures['rewards'] =>
    subtract(ends[i] ?? NOTHING, ends[i + 1] ?? NOTHING, scales);
  return days.map((date, i) => ({
    date,
    joined: joined[i] ?? 0,
    rewards: change(rewards, i),
    deposits: change(deposits, i),
  }));
}
