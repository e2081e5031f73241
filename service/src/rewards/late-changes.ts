/** What a correction computes: devices whose usage of an hour is not that of its lines. */
import { defineStatement, executeUnprepared, type Transaction } from '../db/index.ts';
import { referrersOf } from './referral-reward-query.ts';
import { HOUR_MS, type ReferralLevel } from './rules.ts';
import type { Settlement } from './settlements.ts';

/**
 * Hours in which traffic or time online changed after they were computed: also in the ten minutes
 * before, which is longer than any transaction. An hour that was computed since the last
 * corrections is read from its beginning, because they left it out while it was open. Of an hour
 * that is read from the archive, what was settled is not here any more: it must not be paid again.
 */
const LATE_HOURS = defineStatement(
  'rewards_late_hours',
  `with computed as (
    select id, hour, created_at - interval '10 minutes' as from_at,
      :since::timestamptz is null or coalesce(computed_at >= :since, false) as is_new
    from reward_batch where kind = 'hour' and state <> 'open' and moved_at is null
  ),
  changed as (
    select case when :since::timestamptz is null then '-infinity'
        else least(:since, (select min(from_at) from computed where is_new))
      end as from_at
  )
  select c.hour, c.id as batch,
    case when c.is_new then c.from_at else greatest(c.from_at, :since) end as "from"
  from (
      select hour, changed_at from traffic_hour
      where changed_at >= (select from_at from changed) and changed_at < :until
      union all
      select hour, changed_at from late_uptime
      where changed_at >= (select from_at from changed) and changed_at < :until
    ) t
    join computed c on c.hour = t.hour
  where t.changed_at >= c.from_at and (c.is_new or t.changed_at >= :since)
  group by 1, 2, 3 order by 1`,
);

/** What device `t` used in the hour, as the quantities of its lines. */
const USED = `select 'UPTIME' as reward_type, '' as part,
        least(online_ms, ${HOUR_MS})::numeric as quantity
      from device_hour where device_id = t.device_id and hour = :hour and online_ms > 0
      union all
      select 'TRAFFIC', category, bytes from traffic_hour
      where hour = :hour and device_id = t.device_id and bytes > 0`;

/**
 * Most reports of an hour come shortly before it is computed, and its lines have them: the time of
 * a change cannot tell, because changes commit later, but quantities do. A device whose line was
 * refused is computed again. Each device is looked up by its user: the lines of an hour are those
 * of the network. The sum keeps the key of the settlement out, which leads to all of them.
 */
const QUEUE_CHANGED = defineStatement(
  'rewards_queue_changed',
  `insert into reward_late (batch_id, user_id, device_id, level)
  select :correction, d.user_id, t.device_id, 0
  from (
      select device_id from traffic_hour
      where hour = :hour and changed_at >= :from and changed_at < :until
      union
      select device_id from late_uptime
      where hour = :hour and changed_at >= :from and changed_at < :until
    ) t
    cross join lateral (select user_id from device where id = t.device_id offset 0) d
  where exists (
    select from (${USED}) used
    where not exists (
      select from reward_line l
      where l.user_id = d.user_id and l.hour = :hour and l.batch_id + 0 = :batch
        and l.device_id = t.device_id and l.reward_type = used.reward_type
        and l.part = used.part and l.quantity = used.quantity
        and not exists (
          select from reward_refusal r where r.batch_id = l.batch_id and r.leaf = l.leaf
        )
    )
  )`,
);

export interface LateHour {
  readonly hour: Date;
  /** The settlement of the hour. */
  readonly batch: number;
  /** Changes from here on may be missing in its lines. */
  readonly from: Date;
}

/** The hours that a correction may have to correct, in their order. */
export async function listLateHours(
  tx: Transaction,
  { since, until }: Pick<Settlement, 'since' | 'until'>,
): Promise<LateHour[]> {
  return (await executeUnprepared<LateHour>(tx, LATE_HOURS, { since, until })).rows;
}

/** Queues the devices of an hour that changed after it was computed. @returns how many */
export async function queueChangedDevices(
  tx: Transaction,
  late: LateHour,
  { id, until }: Pick<Settlement, 'id' | 'until'>,
): Promise<number> {
  return (await executeUnprepared(tx, QUEUE_CHANGED, { ...late, correction: id, until })).rowCount;
}

/** A share is rounded once for all referees of a level: a referrer is computed whole. */
const QUEUE_REFERRERS = defineStatement(
  'rewards_queue_referrers',
  `with recursive lineage as (
    ${referrersOf(
      'lineage',
      `select distinct user_id from reward_line
      where batch_id = :batch and leaf >= :first and level = 0`,
      ':levels::int',
    )}
  )
  insert into reward_late (batch_id, user_id, device_id, level)
  select distinct :batch::bigint, referrer, 0, level from lineage`,
);

/**
 * Queues the referrers of the users whose devices have new lines.
 * @param first leaf from which on the lines are of the hour
 */
export async function queueReferrers(
  tx: Transaction,
  batch: number,
  first: number,
  referral: readonly ReferralLevel[],
): Promise<void> {
  if (referral.length === 0) return;
  const levels = Math.max(...referral.map(({ level }) => level));
  await executeUnprepared(tx, QUEUE_REFERRERS, { batch, first, levels });
}

export interface Late {
  readonly userId: number;
  /** 0: a referrer. */
  readonly deviceId: number;
  /** 0: a device. */
  readonly level: number;
}

/** All that is queued for the next users. */
const TAKE_LATE = defineStatement(
  'rewards_take_late',
  `delete from reward_late where batch_id = :batch and user_id <= (
      select max(user_id) from (
          select distinct user_id from reward_late where batch_id = :batch
          order by user_id limit :users
        ) bucket
    )
  returning user_id as "userId", device_id as "deviceId", level::int as level`,
);

/** Takes a bucket of users from the queue, with all that is queued for them. */
export async function takeLate(tx: Transaction, batch: number, users: number): Promise<Late[]> {
  return (await executeUnprepared<Late>(tx, TAKE_LATE, { batch, users })).rows;
}
