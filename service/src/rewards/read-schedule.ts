/** Whether rules pay rewards, and when they are paid next. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { HOUR_MS } from './rules.ts';
import type { RewardPeriod } from './settlements.ts';

const DAY_MS = 24 * HOUR_MS;

export interface RewardSchedule {
  /** Rules are active; without them devices earn nothing. */
  readonly isPaying: boolean;
  readonly period: RewardPeriod;
  /** Undefined without active rules. */
  readonly nextPaymentAt: Date | undefined;
  /** End of the last hour whose rewards were computed: paid, or accrued. */
  readonly settledUntil: Date | undefined;
}

const READ_HOURS = defineStatement(
  'rewards_schedule',
  `select (select min(hour) from reward_activation) as begins_at,
    (
      select max(hour) from reward_batch where kind = 'hour' and state <> 'open'
    ) as last_hour,
    (
      select min(hour) from (
          select hour from reward_batch where state = 'computed' and kind = 'hour' offset 0
        ) b
    ) as waiting_hour`,
);

interface Hours {
  readonly begins_at: Date | null;
  readonly last_hour: Date | null;
  /** The first hour that waits for the payment of its day. */
  readonly waiting_hour: Date | null;
}

const NONE = {
  isPaying: false,
  nextPaymentAt: undefined,
  settledUntil: undefined,
} as const;

/** Whether devices earn something: rules have become active. */
export async function isPayingRewards(db: Db, now: Date): Promise<boolean> {
  const sql = 'select from reward_activation where hour <= $1 limit 1';
  return (await db.query(sql, [now])).rowCount > 0;
}

export interface ScheduleSettings {
  /** How long after its end an hour waits for reports. */
  readonly grace_s: number;
  readonly period: RewardPeriod;
}

export async function readSchedule(
  db: Db,
  now: Date,
  { grace_s, period }: ScheduleSettings,
): Promise<RewardSchedule> {
  const [hours] = (await execute<Hours>(db, READ_HOURS, {})).rows;
  if (!hours?.begins_at) return { ...NONE, period };
  const settled_ms = hours.last_hour === null ? 0 : hours.last_hour.getTime() + HOUR_MS;
  const next_ms = Math.max(hours.begins_at.getTime(), settled_ms);
  const unpaid_ms = Math.min(next_ms, hours.waiting_hour?.getTime() ?? next_ms);
  const end_ms =
    period === 'day' ? (Math.floor(unpaid_ms / DAY_MS) + 1) * DAY_MS : next_ms + HOUR_MS;
  const due_ms = end_ms + grace_s * 1000;
  return {
    isPaying: hours.begins_at <= now,
    period,
    // One that is late is paid next.
    nextPaymentAt: new Date(Math.max(due_ms, now.getTime())),
    settledUntil: hours.last_hour === null ? undefined : new Date(settled_ms),
  };
}
