/** Which devices were online in an hour, and the limit that keeps one from being paid. */
import { HOUR_MS } from './rules.ts';

/** Reasons of work that was accepted and is paid nothing. */
const UNPAID_REASONS = "('no_rate', 'too_small', 'amount_too_large')";
/** True of work that was accepted, whatever it pays. */
export const isAccepted = (reason: string): string =>
  `(${reason} is null or ${reason} in ${UNPAID_REASONS})`;

/**
 * `network`: all devices at once, which stores no line; `bucket`: the devices of the users from
 * `:first_user` on and below `:next_user`; `correction`: the devices of `:devices`, after the hour
 * was settled.
 */
export type LinesMode = 'network' | 'bucket' | 'correction';

/** True of the users of a bucket. */
export const inBucket = (userId: string): string =>
  `${userId} >= :first_user::bigint and ${userId} < :next_user::bigint`;

const OWNERS = 'select user_id from device where id = any(:devices::bigint[])';
const uptimeLines = (users: string): string => `reward_line l
    where l.hour = :hour and l.reward_type = 'UPTIME'
      and l.user_id in (${users})`;
/** Uptime lines of the hour of users who own a device of the correction. */
const UPTIME_LINES = uptimeLines(OWNERS);

const ADDRESSES = `select d.user_id, d.id,
        coalesce(p.address, d.registered_address) collate "C" as address
      from device d left join device_presence p on p.device_id = d.id`;
/** Users who compete with the correction: for the limit of a user, or of an address. */
const COMPETITORS = `${OWNERS}
        union
        select user_id from (${ADDRESSES}) d
        where :devices_per_address::int is not null and address in (
          select address from (${ADDRESSES}) c where c.id = any(:devices::bigint[])
        )`;

const NO_DEVICES = 'select null::bigint as device_id, null::boolean as is_accepted where false';

/** Devices that were evaluated for the hour before, and whether they count in its limits. */
const EARLIER_DEVICES = `select device_id, bool_or(${isAccepted('reason')}) as is_accepted
    from (
      select l.device_id, l.reason from reward_line l
      where l.batch_id = (select id from reward_batch where kind = 'hour' and hour = :hour)
        and l.reward_type = 'UPTIME'
      union all
      select l.device_id, l.reason from ${uptimeLines(COMPETITORS)}
    ) line
    group by device_id`;

/**
 * Devices that were online, and the limit that keeps one from being paid. Devices evaluated before
 * come first; then the device that was online longest. One that is not paid for another reason does
 * not count in the limits.
 */
const CURRENT_ELIGIBILITY = `select device_id, user_id, node_id, device_type,
      least(online_ms, ${HOUR_MS})::numeric as online_ms,
      case
        when reason is null and row_number() over (
            partition by address, reason is null order by is_new, online_ms desc, device_id
          ) > :devices_per_address::int
          then 'limit_devices_per_address'
        else reason
      end as reason
    from (
      select d.id as device_id, d.user_id, d.node_id, d.device_type, h.online_ms,
        coalesce(p.address, d.registered_address) collate "C" as address,
        e.device_id is null as is_new,
        case
          when e.device_id is null and u.status <> 'active' then 'account_not_active'
          when row_number() over (
              partition by d.user_id order by e.device_id is null, h.online_ms desc, d.id
            ) > :devices_per_user::int
            then 'limit_devices_per_user'
        end as reason
      from device_hour h
        join device d on d.id = h.device_id
        join app_user u on u.id = d.user_id
        left join device_presence p on p.device_id = h.device_id
        left join earlier e on e.device_id = h.device_id
      where h.hour = :hour and h.online_ms > 0 and coalesce(e.is_accepted, true)
    ) online`;

/**
 * Devices of the whole network that are not paid, with the reason. Parameters: `:hour`,
 * `:devices_per_user`, `:devices_per_address`.
 */
export const LIMITED_DEVICES = `with earlier as (${NO_DEVICES}),
  online_device as (${CURRENT_ELIGIBILITY})
  select device_id, reason from online_device where reason is not null`;

/** True of a device `d` that may have come online after the limits per address were evaluated. */
const IS_UNEVALUATED = `exists (
          select from late_uptime late
          where late.hour = :hour and late.device_id = d.id
            and late.changed_at >= :planned_at::timestamptz - interval '10 minutes'
        )`;

/**
 * A bucket looks up each of its devices: `lateral` with `offset 0` is an index lookup, where a
 * join would read the hour of the whole network for each bucket. Limits per user concern one bucket
 * only. Limits per address do not: where there is one, `reward_limited` has all reasons.
 */
const BUCKET_ELIGIBILITY = `select device_id, user_id, node_id, device_type,
      least(online_ms, ${HOUR_MS})::numeric as online_ms,
      case when :devices_per_address::int is null then own_reason else l.reason end as reason
    from (
        select d.id as device_id, d.user_id, d.node_id, d.device_type, h.online_ms,
          case
            when u.status <> 'active' then 'account_not_active'
            when row_number() over (partition by d.user_id order by h.online_ms desc, d.id)
                > :devices_per_user::int
              then 'limit_devices_per_user'
          end as own_reason
        from bucket_device d
          join app_user u on u.id = d.user_id and ${inBucket('u.id')}
          cross join lateral (
            select h.online_ms from device_hour h
            where h.device_id = d.id and h.hour = :hour and h.online_ms > 0 offset 0
          ) h
        where :devices_per_address::int is null or not ${IS_UNEVALUATED}
      ) online
      left join lateral (
        select r.reason from reward_limited r
        where :devices_per_address::int is not null and r.batch_id = :batch
          and r.device_id = online.device_id offset 0
      ) l on true`;

/**
 * A correction keeps the eligibility that the hour was settled with; only the time online is read
 * again. Devices without a line are evaluated now, after those that have one. `exists` comes first,
 * so that the hour is read only where there is such a device.
 */
const CORRECTED_ELIGIBILITY = `select l.device_id, l.user_id, l.node_id, d.device_type,
      greatest(l.quantity, least(coalesce(h.online_ms, 0), ${HOUR_MS})) as online_ms,
      case when l.reason not in ${UNPAID_REASONS} then l.reason end as reason
    from (
        select distinct on (l.device_id) l.* from ${UPTIME_LINES}
          and l.device_id = any(:devices::bigint[])
        order by l.device_id, l.batch_id, l.leaf
      ) l
      join device d on d.id = l.device_id
      left join device_hour h on h.device_id = l.device_id and h.hour = :hour
    union all
    select n.* from (${CURRENT_ELIGIBILITY}) n
    where n.device_id = any(:devices::bigint[])
      and n.device_id not in (select l.device_id from ${UPTIME_LINES})
      and exists (
        select from unnest(:devices::bigint[]) as corrected (id)
          join device_hour h on h.device_id = corrected.id and h.hour = :hour and h.online_ms > 0
        where corrected.id not in (select l.device_id from ${UPTIME_LINES})
      )`;

/**
 * No usage is of a time after the deletion, and of no earlier one is anything reported after the
 * longest `TRAFFIC_REPORT_WINDOW` of 90 days, and the day that a report may last. Deleted devices
 * are kept for ever: without an end, each hour would look all of them up.
 */
const DELETED_BEFORE = "interval '91 days'";

const BUCKET_DEVICES = `bucket_device as materialized (
    select id, user_id, node_id, device_type from device
    where ${inBucket('user_id')}
      and (cut is distinct from 'deleted' or cut_at >= :hour::timestamptz - ${DELETED_BEFORE})
  )`;

const ELIGIBILITY: Readonly<Record<LinesMode, string>> = {
  network: CURRENT_ELIGIBILITY,
  bucket: BUCKET_ELIGIBILITY,
  correction: CORRECTED_ELIGIBILITY,
};

/** Common table expressions that end in `online_device`. */
export function onlineDevices(mode: LinesMode): string {
  const before =
    mode === 'bucket'
      ? BUCKET_DEVICES
      : `earlier as (${mode === 'correction' ? EARLIER_DEVICES : NO_DEVICES})`;
  return `${before},
  online_device as materialized (
    ${ELIGIBILITY[mode]}
  )`;
}
