/** Whether rules pay rewards, and when the next hour is paid. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { HOUR_MS } from './rules.ts';

export interface RewardSchedule {
  /** Rules are active; without them devices earn nothing. */
  readonly isPaying: boolean;
  /** Undefined without active rules. */
  readonly nextPaymentAt: Date | undefined;
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

/** @param grace_s how long after its end an hour waits for reports */
export async function readSchedule(db: Db, now: Date, grace_s: number): Promise<RewardSchedule> {
  const [hours] = (await execute<Hours>(db, READ_HOURS, {})).rows;
  if (!hours?.begins_at) return { isPaying: false, nextPaymentAt: undefined };
  const next_ms = Math.max(
    hours.begins_at.getTime(),
    hours.last_hour === null ? 0 : hours.last_hour.getTime() + HOUR_MS,
  );
  const due_ms = next_ms + HOUR_MS + grace_s * 1000;
  return {
    isPaying: hours.begins_at <= now,
    // An hour that is late is paid next.
    nextPaymentAt: new Date(Math.max(due_ms, now.getTime())),
  };
}
