/** A network whose rewards are paid by the day, and what it was paid. */
import type { Database } from '../../src/db/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import type { RewardPeriod } from '../../src/rewards/index.ts';
import { createNetwork, type SettledNetwork } from './settled-network.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = new Date('2026-05-01T00:00:00Z');

export interface DayBill {
  readonly day: string;
  readonly user_id: number;
  readonly reward_type: string;
  readonly node_id: string | null;
  readonly amount: string;
}

export async function createDayNetwork(database: Database, usersPerBucket: number) {
  const clock = createManualClock(START);
  const network: SettledNetwork = await createNetwork(database, clock, START);
  let days = 0;

  /** Each user is in a step of its own. */
  const deps = (db: Database = database, period: RewardPeriod = 'day') => ({
    ...{ database: db, clock, period, rewardCurrency: 'EDGE', grace_s: 600 },
    ...{ usersPerBucket, usersPerStep: 1 },
  });

  /** Usage in some hours of the next day; the clock is at the settlement of the last of these. */
  async function useDay(hours: readonly number[]): Promise<Date> {
    const day = new Date(START.getTime() + days++ * DAY_MS);
    for (const hour of hours) {
      await network.use(new Date(day.getTime() + hour * HOUR_MS));
    }
    return day;
  }

  const endDay = (day: Date): void => clock.set(new Date(day.getTime() + DAY_MS + 600_000));

  /** The bills of rewards that were earned on a day. */
  async function billsOf(day: Date): Promise<DayBill[]> {
    const { rows } = await database.query<DayBill>(
      `select event_at::date::text as day, credit_wallet / 32 as user_id, reward_type, node_id,
          (case when debit_wallet / 32 > 0 then -amount else amount end)::text as amount
        from transfer where reward_type is not null and event_at >= $1 and event_at < $2
        order by 2, 3, 4, 5`,
      [day, new Date(day.getTime() + DAY_MS)],
    );
    return rows;
  }

  /** What the lines of a day are, by user, type and device. */
  async function sumsOf(day: Date): Promise<unknown[]> {
    const { rows } = await database.query(
      `select user_id, reward_type, nullif(node_id, '') as node_id,
          abs(sum(amount))::text as amount
        from reward_line where hour >= $1 and hour < $2 and status = 'paid'
        group by 1, 2, 3 order by 1, 2, 3`,
      [day, new Date(day.getTime() + DAY_MS)],
    );
    return rows;
  }

  return { clock, network, deps, useDay, endDay, billsOf, sumsOf };
}
