/**
 * What devices earned in an hour, as one set-based query: uptime, traffic by category, campaign bonus, penalty. The
 * same text settles an hour, corrects it later and shows what other rules would have paid.
 */
import { DEVICE_FAULTS } from '../devices/index.ts';
import { ANY_CATEGORY, HOUR_MS, MILLION, type Rules } from './rules.ts';

const GB = 1_000_000_000;
/** Minor units of one line. Rules stay far below; what was activated before they had to must not stop an hour. */
const LINE_MAX = `1${'0'.repeat(60)}::numeric`;

/** Reasons why work that was accepted is paid nothing. */
const WORTH_NOTHING = "('no_rate', 'too_small', 'amount_too_large')";
/** True of work that nothing speaks against, whatever it pays. */
export const isAccepted = (reason: string): string =>
  `(${reason} is null or ${reason} in ${WORTH_NOTHING})`;

const UPTIME_LINES = `reward_line l where l.hour = $1 and l.reward_type = 'UPTIME' and l.user_id in (select user_id from device where id = any($12::bigint[]))`;

/** Devices judged before, and whether they take a place: all of when the hour was settled, and later ones of the same people. */
const JUDGED_BEFORE = `select device_id, bool_or(${isAccepted('reason')}) as is_accepted from (
    select l.device_id, l.reason from reward_line l
      where l.batch_id = (select id from reward_batch where kind = 'hour' and hour = $1) and l.reward_type = 'UPTIME'
    union all select l.device_id, l.reason from ${UPTIME_LINES}) line group by device_id`;
const NONE_BEFORE = 'select 0::bigint as device_id, false as is_accepted where false';

/**
 * Who was online, and whether a limit keeps a device from being paid. Those judged before keep their places; then the
 * device that was online longest comes first. One that is not paid anyway takes nobody's place.
 */
function judgedNow(before: string): string {
  return `select device_id, user_id, node_id, device_type, least(heard_ms, ${HOUR_MS})::numeric as online_ms,
    case when reason is null and row_number() over (partition by address, reason is null order by is_new, heard_ms desc, device_id) > coalesce($6::int, 2147483647)
      then 'limit_devices_per_address' else reason end as reason
  from (
    select d.id as device_id, d.user_id, d.node_id, d.device_type, h.online_ms as heard_ms, coalesce(p.address, d.registered_address) collate "C" as address,
      b.device_id is null as is_new,
      case when b.device_id is null and u.status <> 'active' then 'account_not_active'
        when row_number() over (partition by d.user_id order by b.device_id is null, h.online_ms desc, d.id) > coalesce($5::int, 2147483647)
          then 'limit_devices_per_user' end as reason
    from device_hour h join device d on d.id = h.device_id join app_user u on u.id = d.user_id
      left join device_presence p on p.device_id = h.device_id left join (${before}) b on b.device_id = h.device_id
    where h.hour = $1 and h.online_ms > 0 and coalesce(b.is_accepted, true)) online`;
}

/**
 * As it was judged when the hour was settled: a correction never judges anew, though it counts time online that came
 * late. Only a device of which nothing was known then is judged now, after those that were.
 */
const JUDGED_THEN = `select l.device_id, l.user_id, l.node_id, d.device_type, greatest(l.quantity, least(coalesce(h.online_ms, 0), ${HOUR_MS})) as online_ms,
    case when l.reason in ${WORTH_NOTHING} then null else l.reason end as reason
  from (select distinct on (l.device_id) l.* from ${UPTIME_LINES} and l.device_id = any($12::bigint[]) order by l.device_id, l.batch_id, l.leaf) l
    join device d on d.id = l.device_id left join device_hour h on h.device_id = l.device_id and h.hour = $1
  union all
  select n.* from (${judgedNow(JUDGED_BEFORE)}) n
  where n.device_id = any($12::bigint[]) and n.device_id not in (select l.device_id from ${UPTIME_LINES})
    and exists (select from unnest($12::bigint[]) as given (id) join device_hour h on h.device_id = given.id and h.hour = $1 and h.online_ms > 0
      where given.id not in (select l.device_id from ${UPTIME_LINES}))`;

const BEFORE = `select l.device_id, l.reward_type, l.part, sum(l.amount) filter (where l.status = 'paid' and r.code is null) as amount, max(l.quantity) as quantity
  from reward_line l left join reward_refusal r on r.batch_id = l.batch_id and r.leaf = l.leaf
  where l.hour = $1 and l.level = 0 and l.device_id = any($12::bigint[])
    and l.user_id in (select user_id from device where id = any($12::bigint[]))
  group by 1, 2, 3`;

const NOTHING_BEFORE =
  "select 0::bigint as device_id, ''::text as reward_type, ''::text as part, 0::numeric as amount, 0::numeric as quantity where false";

export type LinesMode = 'hour' | 'correction';

/**
 * The query. Columns: user_id, device_id, node_id, reward_type, part, quantity, rate, target (what quantity and rate make
 * together), settled_before, reason. Parameters: see `directParameters`.
 */
export function directLines(mode: LinesMode): string {
  const scope =
    mode === 'correction' ? 'and t.device_id = any($12::bigint[])' : 'and ($12::bigint[] is null)';
  return `judged as materialized (${mode === 'hour' ? judgedNow(NONE_BEFORE) : JUDGED_THEN}),
  given as (select $5::int, $6::int, $12::bigint[]),
  price as (select * from unnest($3::text[], $4::numeric[]) as p (category, rate)),
  campaign as (select * from unnest($8::text[], $9::numeric[], $10::text[]) as c (name, millionths, device_type)),
  uptime as (
    select device_id, 'UPTIME'::text as reward_type, ''::text as part, online_ms as quantity, $2::numeric as rate,
      div($2::numeric * online_ms, ${HOUR_MS}) as target, coalesce(reason, case when $2::numeric = 0 then 'no_rate' end) as reason
    from judged),
  traffic as (
    select t.device_id, 'TRAFFIC'::text, t.category, t.bytes, coalesce(exact.rate, rest.rate, 0),
      div(coalesce(exact.rate, rest.rate, 0) * least(t.bytes, coalesce($7::numeric, t.bytes)), ${GB}),
      case when j.device_id is null then 'not_online' when j.reason is not null then j.reason
        when coalesce(exact.rate, rest.rate, 0) = 0 then 'no_rate' when t.bytes > $7::numeric then 'limit_gb_per_device' end
    from traffic_hour t left join judged j on j.device_id = t.device_id
      left join price exact on exact.category = t.category and t.category <> '${ANY_CATEGORY}'
      left join price rest on rest.category = '${ANY_CATEGORY}'
    where t.hour = $1 and t.bytes > 0 ${scope}),
  worked as (select * from uptime union all select * from traffic),
  bonus as (
    select w.device_id, 'BONUS'::text, c.name, sum(w.target) as quantity, c.millionths, div(sum(w.target) * c.millionths, ${MILLION}), null::text
    from worked w join judged j on j.device_id = w.device_id join campaign c on c.device_type is null or c.device_type = j.device_type
    where (w.reason is null or w.reason = 'limit_gb_per_device') and w.target <= ${LINE_MAX}
    group by w.device_id, c.name, c.millionths having sum(w.target) > 0),
  penalty as (
    select r.device_id, 'PENALTY'::text, ''::text, count(*)::numeric, $11::numeric, -$11::numeric * count(*), null::text
    from traffic_report r where $11::numeric > 0 and r.refusal = any('{${DEVICE_FAULTS.join(',')}}') and r.received_at >= $1 and r.received_at < $1::timestamptz + interval '1 hour'
      and $12::bigint[] is null
    group by r.device_id),
  found as (select * from worked union all select * from bonus union all select * from penalty),
  before as (${mode === 'hour' ? NOTHING_BEFORE : BEFORE}),
  due as (
    select f.*, case when (f.reason is null or f.reason = 'limit_gb_per_device') and abs(f.target) <= ${LINE_MAX} then f.target else 0 end as payable
    from found f),
  direct as (
    select d.user_id, f.device_id, d.node_id, f.reward_type, f.part, f.quantity, f.rate,
      f.payable as target, coalesce(b.amount, 0) as settled_before,
      case when abs(f.target) > ${LINE_MAX} and (f.reason is null or f.reason = 'limit_gb_per_device') then 'amount_too_large'
        else coalesce(f.reason, case when f.target = 0 then 'too_small' end) end as reason
    from due f join device d on d.id = f.device_id
      left join before b on b.device_id = f.device_id and b.reward_type = f.reward_type and b.part = f.part
    where b.device_id is null or b.quantity <> f.quantity or f.payable <> coalesce(b.amount, 0))`;
}

/** $1 to $12 of `directLines`. @param devices only these (a correction); null: all */
export function directParameters(
  hour: Date,
  rules: Rules,
  devices: readonly number[] | null,
): unknown[] {
  const campaigns = rules.campaigns.filter(({ from, before }) => from <= hour && hour < before);
  return [
    hour,
    String(rules.uptime),
    rules.traffic.map(({ category }) => category),
    rules.traffic.map(({ rate }) => String(rate)),
    rules.devicesPerUser,
    rules.devicesPerAddress,
    rules.bytesPerDeviceHour === null ? null : String(rules.bytesPerDeviceHour),
    campaigns.map(({ name }) => name),
    campaigns.map(({ millionths }) => String(millionths)),
    campaigns.map(({ deviceType }) => deviceType),
    String(rules.penalty),
    devices,
  ];
}
