/** Whether rules pay rewards, for what, and when they are paid next. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { HOUR_MS } from './rules.ts';
import type { RulesBody } from './rules-schema.ts';
import type { RewardPeriod } from './settlements.ts';

const DAY_MS = 24 * HOUR_MS;

/** What the active rules pay for; without active rules nothing. */
interface PaidKinds {
  readonly hasUptime: boolean;
  readonly hasTraffic: boolean;
  /** A part of what referees earn by the other two. */
  readonly hasReferral: boolean;
}

export interface RewardSchedule extends PaidKinds {
  /** The active rules pay something: for hours online or for traffic. */
  readonly isPaying: boolean;
  readonly period: RewardPeriod;
  /** Undefined without active rules. */
  readonly nextPaymentAt: Date | undefined;
  /** End of the last hour whose rewards were computed: paid, or accrued. */
  readonly settledUntil: Date | undefined;
}

/** Null before the first rules. */
const ACTIVE_BODY = `(
    select r.body from reward_activation a join reward_rules r on r.version = a.version
    where a.hour <= :now order by a.hour desc limit 1
  ) as body`;

const READ_BODY = defineStatement('rewards_active_body', `select ${ACTIVE_BODY}`);

const READ_HOURS = defineStatement(
  'rewards_schedule',
  `select ${ACTIVE_BODY},
    (select min(hour) from reward_activation) as begins_at,
    (
      select max(hour) from reward_batch where kind = 'hour' and state <> 'open'
    ) as last_hour,
    (
      select min(hour) from (
          select hour from reward_batch where state = 'computed' and kind = 'hour' offset 0
        ) b
    ) as waiting_hour`,
);

interface Active {
  readonly body: string | null;
}

interface Hours extends Active {
  readonly begins_at: Date | null;
  readonly last_hour: Date | null;
  /** The first hour that waits for the payment of its day. */
  readonly waiting_hour: Date | null;
}

const NOTHING: PaidKinds = { hasUptime: false, hasTraffic: false, hasReferral: false };

/** Also of a rate that is written as 0.00. */
const isRate = (text: string): boolean => /[1-9]/.test(text);

function kindsOf(body: string | null): PaidKinds {
  if (body === null) return NOTHING;
  const { uptime, traffic = [], referral = [] } = JSON.parse(body) as RulesBody;
  const hasUptime = uptime !== undefined && isRate(uptime.amount);
  const hasTraffic = traffic.some(({ amount }) => isRate(amount));
  const hasReferral = (hasUptime || hasTraffic) && referral.some(({ percent }) => isRate(percent));
  return { hasUptime, hasTraffic, hasReferral };
}

/** What the network pays for now. */
export async function readPaidKinds(db: Db, now: Date): Promise<PaidKinds> {
  return kindsOf((await execute<Active>(db, READ_BODY, { now })).rows[0]?.body ?? null);
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
  const [hours] = (await execute<Hours>(db, READ_HOURS, { now })).rows;
  if (!hours?.begins_at)
    return {
      ...{ isPaying: false, ...NOTHING, period },
      ...{ nextPaymentAt: undefined, settledUntil: undefined },
    };
  const settled_ms = hours.last_hour === null ? 0 : hours.last_hour.getTime() + HOUR_MS;
  const next_ms = Math.max(hours.begins_at.getTime(), settled_ms);
  const unpaid_ms = Math.min(next_ms, hours.waiting_hour?.getTime() ?? next_ms);
  const end_ms =
    period === 'day' ? (Math.floor(unpaid_ms / DAY_MS) + 1) * DAY_MS : next_ms + HOUR_MS;
  const due_ms = end_ms + grace_s * 1000;
  const kinds = kindsOf(hours.body);
  return {
    isPaying: kinds.hasUptime || kinds.hasTraffic,
    ...kinds,
    period,
    // One that is late is paid next.
    nextPaymentAt: new Date(Math.max(due_ms, now.getTime())),
    settledUntil: hours.last_hour === null ? undefined : new Date(settled_ms),
  };
}
