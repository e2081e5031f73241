/**
 * What devices earned in an hour, as one set-based query: uptime, traffic by category, campaign
 * bonus, penalty. The same text settles an hour, corrects it later, and computes what other rules
 * would have paid.
 */
import { DEVICE_FAULTS } from '../devices/index.ts';
import { ANY_CATEGORY, HOUR_MS, MILLION, type Rules } from './rules.ts';

const GB = 1_000_000_000;
/**
 * Minor units of one line. Rules stay far below; older versions, which had no limit, must not stop
 * an hour.
 */
const LINE_MAX = `1${'0'.repeat(60)}::numeric`;

/** Reasons of work that was accepted and is paid nothing. */
const UNPAID_REASONS = "('no_rate', 'too_small', 'amount_too_large')";
/** True of work that was accepted, whatever it pays. */
export const isAccepted = (reason: string): string =>
  `(${reason} is null or ${reason} in ${UNPAID_REASONS})`;
/** True of work that is paid: in full, or up to the limit of a device. */
const isPaid = (row: string): string =>
  `(${row}.reason is null or ${row}.reason = 'limit_gb_per_device')`;

/** `hour`: all devices; `correction`: the devices of `:devices`, after the hour was settled. */
export type LinesMode = 'hour' | 'correction';

/** Uptime lines of the hour of users who own a device of the correction. */
const UPTIME_LINES = `reward_line l
    where l.hour = :hour and l.reward_type = 'UPTIME'
      and l.user_id in (select user_id from device where id = any(:devices::bigint[]))`;

/** Devices that were evaluated for the hour before, and whether they count in its limits. */
const EARLIER_ELIGIBILITY = {
  hour: 'select null::bigint as device_id, null::boolean as is_accepted where false',
  correction: `select device_id, bool_or(${isAccepted('reason')}) as is_accepted
    from (
      select l.device_id, l.reason from reward_line l
      where l.batch_id = (select id from reward_batch where kind = 'hour' and hour = :hour)
        and l.reward_type = 'UPTIME'
      union all
      select l.device_id, l.reason from ${UPTIME_LINES}
    ) line
    group by device_id`,
};

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

const UPTIME = `select device_id, 'UPTIME'::text as reward_type, ''::text as part,
      online_ms as quantity, :uptime_rate::numeric as rate,
      div(:uptime_rate::numeric * online_ms, ${HOUR_MS}) as target,
      coalesce(reason, case when :uptime_rate::numeric = 0 then 'no_rate' end) as reason
    from online_device`;

const traffic = (mode: LinesMode): string => `select t.device_id, 'TRAFFIC'::text, t.category,
      t.bytes, price.rate,
      div(price.rate * least(t.bytes, :bytes_max::numeric), ${GB}),
      case
        when o.device_id is null then 'not_online'
        when o.reason is not null then o.reason
        when price.rate = 0 then 'no_rate'
        when t.bytes > :bytes_max::numeric then 'limit_gb_per_device'
      end
    from traffic_hour t
      left join online_device o on o.device_id = t.device_id
      left join traffic_price exact
        on exact.category = t.category and t.category <> '${ANY_CATEGORY}'
      left join traffic_price other on other.category = '${ANY_CATEGORY}'
      cross join lateral (select coalesce(exact.rate, other.rate, 0) as rate) price
    where t.hour = :hour and t.bytes > 0
      ${mode === 'correction' ? 'and t.device_id = any(:devices::bigint[])' : ''}`;

const BONUS = `select w.device_id, 'BONUS'::text, c.name, sum(w.target), c.rate,
      div(sum(w.target) * c.rate, ${MILLION}), null::text
    from work w
      join online_device o on o.device_id = w.device_id
      join campaign c on c.device_type is null or c.device_type = o.device_type
    where ${isPaid('w')} and w.target <= ${LINE_MAX}
    group by w.device_id, c.name, c.rate
    having sum(w.target) > 0`;

/** Reports that arrive later are of a later hour: no correction has penalties. */
const PENALTY = `select r.device_id, 'PENALTY'::text, ''::text, count(*)::numeric,
      :penalty::numeric, -:penalty::numeric * count(*), null::text
    from traffic_report r
    where :penalty::numeric > 0 and r.refusal = any('{${DEVICE_FAULTS.join(',')}}')
      and r.received_at >= :hour and r.received_at < :hour::timestamptz + interval '1 hour'
    group by r.device_id`;

/** What earlier lines of the hour settled. */
const SETTLED = {
  hour: `select null::bigint as device_id, ''::text as reward_type, ''::text as part,
      0::numeric as amount, 0::numeric as quantity
    where false`,
  correction: `select l.device_id, l.reward_type, l.part,
      sum(l.amount) filter (where l.status = 'paid' and r.code is null) as amount,
      max(l.quantity) as quantity
    from reward_line l
      left join reward_refusal r on r.batch_id = l.batch_id and r.leaf = l.leaf
    where l.hour = :hour and l.level = 0 and l.device_id = any(:devices::bigint[])
      and l.user_id in (select user_id from device where id = any(:devices::bigint[]))
    group by 1, 2, 3`,
};

/**
 * Common table expressions that end in `device_reward`, with the columns user_id, device_id,
 * node_id, reward_type, part, quantity, rate, target (the product of quantity and rate),
 * settled_before, reason. Parameters: `deviceParameters`.
 */
export function deviceRewards(mode: LinesMode): string {
  return `earlier as (${EARLIER_ELIGIBILITY[mode]}),
  online_device as materialized (
    ${mode === 'hour' ? CURRENT_ELIGIBILITY : CORRECTED_ELIGIBILITY}
  ),
  traffic_price as (
    select * from unnest(:categories::text[], :traffic_rates::numeric[]) as p (category, rate)
  ),
  campaign as (
    select * from unnest(:campaigns::text[], :campaign_rates::numeric[], :campaign_types::text[])
      as c (name, rate, device_type)
  ),
  work as (${UPTIME} union all ${traffic(mode)}),
  reward as (
    select * from work union all ${BONUS} ${mode === 'hour' ? `union all ${PENALTY}` : ''}
  ),
  settled as (${SETTLED[mode]}),
  payable as (
    select r.*, ${isPaid('r')} and abs(r.target) > ${LINE_MAX} as is_too_large,
      case when ${isPaid('r')} and abs(r.target) <= ${LINE_MAX} then r.target else 0 end as amount
    from reward r
  ),
  device_reward as (
    select d.user_id, p.device_id, d.node_id, p.reward_type, p.part, p.quantity, p.rate,
      p.amount as target, coalesce(s.amount, 0) as settled_before,
      case
        when p.is_too_large then 'amount_too_large'
        else coalesce(p.reason, case when p.target = 0 then 'too_small' end)
      end as reason
    from payable p
      join device d on d.id = p.device_id
      left join settled s on s.device_id = p.device_id and s.reward_type = p.reward_type
        and s.part = p.part
    where s.device_id is null or s.quantity <> p.quantity or p.amount <> coalesce(s.amount, 0)
  )`;
}

/** @param devices only these (a correction); null: all */
export function deviceParameters(hour: Date, rules: Rules, devices: readonly number[] | null) {
  const campaigns = rules.campaigns.filter(({ from, before }) => from <= hour && hour < before);
  return {
    hour,
    uptime_rate: String(rules.uptime),
    categories: rules.traffic.map(({ category }) => category),
    traffic_rates: rules.traffic.map(({ rate }) => String(rate)),
    devices_per_user: rules.devicesPerUser,
    devices_per_address: rules.devicesPerAddress,
    bytes_max: rules.bytesPerDeviceHour === null ? null : String(rules.bytesPerDeviceHour),
    campaigns: campaigns.map(({ name }) => name),
    campaign_rates: campaigns.map(({ millionths }) => String(millionths)),
    campaign_types: campaigns.map(({ deviceType }) => deviceType),
    penalty: String(rules.penalty),
    devices,
  };
}
