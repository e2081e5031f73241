/** Statements that write when devices were heard. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import type { HeardDevice } from './heard-devices.ts';

const HOUR_MS = 3_600_000;
const HOUR = (hour: string): string => `tstzrange(${hour}, ${hour} + interval '1 hour')`;

/** Periods online that a row of device_hour holds: a whole hour is stored as its length alone. */
const periodsOf = (row: string): string => `coalesce(${row}.online,
  case when ${row}.online_ms >= ${HOUR_MS} then tstzmultirange(${HOUR(`${row}.hour`)})
    else '{}' end)`;

const lengthOf = (periods: string): string => `(
  select coalesce(sum(extract(epoch from upper(period) - lower(period)) * 1000), 0)::bigint
  from unnest(${periods}) as period)`;

/** Null for a whole hour. */
const stored = (periods: string, row: string): string =>
  `nullif(${periods}, tstzmultirange(${HOUR(`${row}.hour`)}))`;

/** Makes periods longer at both ends by half of the gap that is bridged, so that they touch. */
const widened = (periods: string): string => `(
  select range_agg(tstzrange(lower(period) - s.half, upper(period) + s.half))
  from unnest(${periods}) as period)`;

const UNION = `${periodsOf('t')} + ${periodsOf('excluded')}`;
const ADDED_MS = `${lengthOf(UNION)} - ${lengthOf(periodsOf('t'))}`;

/**
 * Writes when devices were last heard, and adds the periods in which they were online to their
 * hours. Two heartbeats bound a period online if there is no longer time between them than the
 * silence after which a device is offline. The periods of a row are a union, so that they can be
 * written twice, by several instances and in any order. Time in which the device was revoked is
 * not online. What is added `:late_after_s` or more after the end of its hour is recorded in
 * late_uptime.
 */
const WRITE_PRESENCE = defineStatement(
  'presence-write',
  `with noted as (
     insert into device_presence as p (device_id, heard_at, previous_at, address)
       select h.device_id, h.heard_at, h.heard_at, h.address
       from unnest(:noted_ids::bigint[], :heard_at::timestamptz[], :addresses::text[])
           as h (device_id, heard_at, address)
         join device d on d.id = h.device_id and d.cut is null
       order by h.device_id
     on conflict (device_id) do update set previous_at = p.heard_at,
       heard_at = greatest(p.heard_at, excluded.heard_at),
       address = case when excluded.heard_at < p.heard_at then p.address
         else excluded.address end
     returning p.device_id, p.previous_at, p.heard_at),
   -- Devices that were offline, or never heard, are online now.
   came_online as (
     insert into device_list as l (user_id, version)
       select distinct d.user_id, 1 from noted n join device d on d.id = n.device_id
       where n.heard_at - n.previous_at > make_interval(secs => :offline_after_s)
         or n.heard_at = n.previous_at
       order by d.user_id
     on conflict (user_id) do update set version = l.version + 1),
   subject as (
     select h.device_id, min(h.from_at) - make_interval(secs => :offline_after_s) as from_at,
       max(h.to_at) + make_interval(secs => :offline_after_s) as to_at,
       make_interval(secs => :offline_after_s::float8 / 2) as half,
       range_agg(tstzrange(h.from_at, h.to_at, '[]')) as heard
     from unnest(:device_ids::bigint[], :from_at::timestamptz[], :to_at::timestamptz[])
       as h (device_id, from_at, to_at)
     group by h.device_id),
   -- With what is known of the hours around: periods, and the heartbeat before.
   known as (
     select s.device_id, s.from_at, s.to_at, s.half,
       ${widened('s.heard')} + coalesce(before.periods, '{}')
         + case when p.heard_at is null then '{}'
             else tstzmultirange(tstzrange(p.heard_at - s.half, p.heard_at + s.half)) end
         as widened,
       coalesce(gap.periods, '{}') + case when d.cut is null then '{}'
         else tstzmultirange(tstzrange(d.cut_at, null)) end as revoked
     from subject s
       join device d on d.id = s.device_id
       left join device_presence p on p.device_id = s.device_id
         and p.heard_at between s.from_at and s.to_at
       cross join lateral (
         select range_agg(tstzrange(lower(period) - s.half, upper(period) + s.half)) as periods
         from device_hour h cross join unnest(${periodsOf('h')}) as period
         where h.device_id = s.device_id
           and h.hour >= date_trunc('hour', s.from_at, 'UTC') and h.hour <= s.to_at) before
       cross join lateral (
         select range_agg(tstzrange(g.from_at, g.to_at)) as periods from device_gap g
         where g.device_id = s.device_id and g.to_at > g.from_at and g.to_at > s.from_at) gap),
   online as (
     select k.device_id, k.from_at, k.to_at, range_agg(
         tstzrange(lower(period) + k.half, upper(period) - k.half)) - k.revoked as periods
     from known k cross join unnest(k.widened) as period
     group by k.device_id, k.from_at, k.to_at, k.revoked),
   part as (
     select o.device_id, hour, o.periods * tstzmultirange(${HOUR('hour')}) as periods
     from online o cross join generate_series(
       date_trunc('hour', o.from_at, 'UTC'), o.to_at, interval '1 hour') as hour),
   counted as (
     insert into device_hour as t (device_id, hour, online_ms, online)
       select device_id, hour, ${lengthOf('periods')}, ${stored('periods', 'part')}
       from part where not isempty(periods) order by device_id, hour
     on conflict (device_id, hour) do update set
       online_ms = least(${HOUR_MS}, t.online_ms + ${ADDED_MS}),
       online = ${stored(UNION, 't')}
     where not ${periodsOf('t')} @> ${periodsOf('excluded')}
     returning device_id, hour)
   insert into late_uptime as l (hour, device_id, changed_at)
     select hour, device_id, :now from counted
     where hour <= :now::timestamptz - make_interval(secs => 3600 + :late_after_s)
     order by hour, device_id
   on conflict (hour, device_id) do update set changed_at = excluded.changed_at`,
);

export interface PresenceTimes {
  readonly now: Date;
  readonly offlineAfter_s: number;
  readonly lateAfter_s: number;
}

/** Writes what was heard of some devices. */
export async function writePresence(
  db: Db,
  devices: readonly HeardDevice[],
  { now, offlineAfter_s, lateAfter_s }: PresenceTimes,
): Promise<void> {
  const noted = devices.filter(({ isNoted }) => isNoted);
  const periods = devices.flatMap(({ deviceId, periods: heard }) =>
    heard.map((period) => ({ deviceId, ...period })),
  );
  await execute(db, WRITE_PRESENCE, {
    noted_ids: noted.map(({ deviceId }) => deviceId),
    heard_at: noted.map(({ heardAt_ms }) => new Date(heardAt_ms)),
    addresses: noted.map(({ address }) => address),
    device_ids: periods.map(({ deviceId }) => deviceId),
    from_at: periods.map(({ from_ms }) => new Date(from_ms)),
    to_at: periods.map(({ to_ms }) => new Date(to_ms)),
    now,
    offline_after_s: offlineAfter_s,
    late_after_s: lateAfter_s,
  });
}
