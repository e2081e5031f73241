/** Whether rules pay rewards, and when the next hour is paid. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { HOUR_MS } from './rules.ts';

export interface RewardSchedule {
  /** Rules are active; without them devices earn nothing. */
  readonly isPaying: boolean;
  /** Undefined without active rules. */
  readonly nextPaymentAt: Date | undefined;
  /** End of the last hour that was settled. */
  readonly settledUntil: Date | undefined;
}

const READ_HOURS = defineStatement(
  'rewards_schedule',
  `select (select min(hour) from reward_activation) as begins_at,
    (select max(hour) from reward_batch where kind = 'hour') as last_hour`,
);

interface Hours {
  readonly begins_at: Date | null;
  readonly last_hour: Date | null;
}

const NONE: RewardSchedule = {
  isPaying: false,
  nextPaymentAt: undefined,
  settledUntil: undefined,
};

/** Whether devices earn something: rules have become active. */
export async function isPayingRewards(db: Db, now: Date): Promise<boolean> {
  return (await readSchedule(db, now, 0)).isPaying;
}

/** @param grace_s how long after its end an hour waits for reports */
export async function readSchedule(db: Db, now: Date, grace_s: number): Promise<RewardSchedule> {
  const [hours] = (await execute<Hours>(db, READ_HOURS, {})).rows;
  if (!hours?.begins_at) return NONE;
  const settled_ms = hours.last_hour === null ? 0 : hours.last_hour.getTime() + HOUR_MS;
  const next_ms = Math.max(hours.begins_at.getTime(), settled_ms);
  const due_ms = next_ms + HOUR_MS + grace_s * 1000;
  return {
    isPaying: hours.begins_at <= now,
    // An hour that is late is paid next.
    nextPaymentAt: new Date(Math.max(due_ms, now.getTime())),
    settledUntil: hours.last_hour === null ? undefined : new Date(settled_ms),
  };
}
