/** Tells each user once what a UTC day has earned, after its last hour was paid. */
import {
  type Database,
  type Db,
  defineStatement,
  execute,
  type Transaction,
  transaction,
} from '../db/index.ts';
import { addDays, toDay } from '../lib/calendar.ts';
import type { Clock } from '../lib/clock.ts';
import { formatAmount } from '../lib/money.ts';
import { addNotifications, type NewNotification } from './add-notifications.ts';
import { lockProgress, moveProgress, type Progress } from './progress.ts';

/** Users of one transaction, and transactions of one run. */
const STEP_USERS = 500;
const STEPS_MAX = 50;
/** Days that ended earlier are passed over: they are too old to be news. */
const DAYS_BACK = 3;

export interface TellDayDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly rewardCurrency: string;
  /** True once no hour of the day (`yyyy-MM-dd`) is to be paid any more. */
  isDayPaid(db: Db, day: string, now: Date): Promise<boolean>;
}

// One probe of the index for each user, whatever their history.
const SUMS = defineStatement(
  'notification-day-sums',
  `with recursive earner (id, number) as (
     (select user_id, 1 from earning_day where user_id > :after order by user_id limit 1)
     union all
     select (select e.user_id from earning_day e where e.user_id > earner.id
         order by e.user_id limit 1), number + 1
       from earner where earner.id is not null and number < ${STEP_USERS})
   select earner.id as "userId", c.scale, (
       select sum(e.amount) from earning_day e
       where e.user_id = earner.id and e.day = :day::date and e.currency_id = c.id)::text as amount
   from earner cross join (select id, scale from currency where code = :currency) as c
   where earner.id is not null order by earner.id`,
);

interface Sum {
  readonly userId: number;
  readonly scale: number;
  /** Minor units; null: nothing earned on that day. */
  readonly amount: string | null;
}

/** Tells the next users. @returns the last of them; undefined: there are no more */
async function tellUsers(
  tx: Transaction,
  { clock, rewardCurrency: currency }: TellDayDeps,
  day: string,
  after: number,
): Promise<number | undefined> {
  const { rows } = await execute<Sum>(tx, SUMS, { after, day, currency });
  const earned = rows.filter(({ amount }) => amount !== null && BigInt(amount) > 0n);
  const drafts = earned.map(({ userId, scale, amount }): NewNotification => {
    const details = { day, amount: formatAmount(amount ?? '0', scale), currency };
    const cause = `reward_day/${day}`;
    return {
      userId,
      kind: 'reward_day',
      code: 'reward_day',
      details,
      cause,
      createdAt: clock.now(),
    };
  });
  await addNotifications(tx, clock, drafts);
  return rows.length < STEP_USERS ? undefined : rows.at(-1)?.userId;
}

/** The day that comes next: of a new service, the present one. */
function nextDay({ day }: Progress, now: Date): string {
  const today = toDay(now);
  const oldest = addDays(today, -DAYS_BACK);
  if (day === null) return today;
  return day < oldest ? oldest : day;
}

/** @returns whether more may follow */
async function tellStep(deps: TellDayDeps): Promise<boolean> {
  const { database, clock, isDayPaid } = deps;
  return transaction(database, async (tx) => {
    const progress = await lockProgress(tx, 'rewards');
    if (!progress) return false;
    const day = nextDay(progress, clock.now());
    const position = day === progress.day ? progress.position : 0;
    const isPaid = await isDayPaid(tx, day, clock.now());
    const last = isPaid ? await tellUsers(tx, deps, day, position) : position;
    const next =
      last === undefined ? { day: addDays(day, 1), position: 0 } : { day, position: last };
    await moveProgress(tx, 'rewards', { ...progress, ...next });
    return isPaid;
  });
}

/** Tells what the days have earned that are paid. Any number of instances may run it. */
export async function tellDay(deps: TellDayDeps, signal?: AbortSignal): Promise<void> {
  for (let steps = 0; steps < STEPS_MAX && !signal?.aborted; steps++)
    if (!(await tellStep(deps))) return;
}
