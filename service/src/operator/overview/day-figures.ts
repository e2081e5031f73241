/** Joins, rewards and deposits of the last days, from the ends of accounts: no bill is read. */
import { countJoinsByDay } from '../../community/index.ts';
import type { Db } from '../../db/index.ts';
import { listCurrencies, readHouseBalancesAt } from '../../ledger/index.ts';
import { addDays, listDays, startOfDay, toDay } from '../../lib/calendar.ts';
import { exactAmount } from '../../lib/exact-json.ts';
import type { DayFigures } from './schemas.ts';

const DAYS = 30;
/** A posting that began before the end of a day is recorded on that day, and commits later. */
const FINAL_AFTER_MS = 600_000;

/** What users got came from these. */
const SOURCES = { rewards: 'reward_pool', deposits: 'deposit_clearing' } as const;
type Source = keyof typeof SOURCES;
type Balances = ReadonlyMap<string, bigint>;

/** Ends of days do not change; each instance keeps those that it has read. */
export type EndsOfDays = Map<string, Balances>;

async function readEnd(
  db: Db,
  ends: EndsOfDays,
  { source, day, now }: { readonly source: Source; readonly day: string; readonly now: Date },
): Promise<Balances> {
  const key = `${source} ${day}`;
  const known = ends.get(key);
  if (known) return known;
  const bound = startOfDay(addDays(day, 1));
  const balances = await readHouseBalancesAt(db, SOURCES[source], bound);
  if (now.getTime() > bound.getTime() + FINAL_AFTER_MS) ends.set(key, balances);
  return balances;
}

/** Forgets days that are not shown any more. */
function forgetBefore(ends: EndsOfDays, day: string): void {
  for (const key of ends.keys()) if ((key.split(' ')[1] ?? '') < day) ends.delete(key);
}

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

export async function readDayFigures(db: Db, ends: EndsOfDays, now: Date): Promise<DayFigures[]> {
  const today = toDay(now);
  const eve = addDays(today, -DAYS);
  const days = listDays(addDays(eve, 1), today);
  forgetBefore(ends, eve);
  const joined = await countJoinsByDay(db, days);
  const scales = new Map((await listCurrencies(db)).map(({ code, scale }) => [code, scale]));
  const figures: DayFigures[] = [];
  let previous = {
    rewards: await readEnd(db, ends, { source: 'rewards', day: eve, now }),
    deposits: await readEnd(db, ends, { source: 'deposits', day: eve, now }),
  };
  for (const [i, date] of days.entries()) {
    const end = {
      rewards: await readEnd(db, ends, { source: 'rewards', day: date, now }),
      deposits: await readEnd(db, ends, { source: 'deposits', day: date, now }),
    };
    figures.push({
      date,
      joined: joined[i] ?? 0,
      rewards: subtract(previous.rewards, end.rewards, scales),
      deposits: subtract(previous.deposits, end.deposits, scales),
    });
    previous = end;
  }
  return figures;
}
