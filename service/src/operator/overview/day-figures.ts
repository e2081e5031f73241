/** Joins, rewards and deposits of the last days, from the ends of accounts: no bill is read. */
import { countJoinsByDay } from '../../community/index.ts';
import type { Db } from '../../db/index.ts';
import { listCurrencies, readPaidDays } from '../../ledger/index.ts';
import { addDays, listDays, toDay } from '../../lib/calendar.ts';
import { exactAmount } from '../../lib/exact-json.ts';
import type { DayFigures } from './schemas.ts';

const DAYS = 30;

/** Currencies of which nothing was paid are left out. */
function show(
  paid: ReadonlyMap<string, bigint> | undefined,
  scales: ReadonlyMap<string, number>,
): DayFigures['rewards'] {
  return [...scales].flatMap(([currency, scale]) => {
    const amount = paid?.get(currency) ?? 0n;
    return amount === 0n ? [] : [{ currency, amount: exactAmount(amount, scale) }];
  });
}

export async function readDayFigures(db: Db, now: Date): Promise<DayFigures[]> {
  const today = toDay(now);
  const days = listDays(addDays(today, 1 - DAYS), today);
  const joined = await countJoinsByDay(db, days);
  const scales = new Map((await listCurrencies(db)).map(({ code, scale }) => [code, scale]));
  const rewards = await readPaidDays(db, 'reward_pool', days, now);
  const deposits = await readPaidDays(db, 'deposit_clearing', days, now);
  return days.map((date, i) => ({
    date,
    joined: joined[i] ?? 0,
    rewards: show(rewards[i], scales),
    deposits: show(deposits[i], scales),
  }));
}
