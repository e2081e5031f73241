/**
 * What devices earned in an hour, as one set-based query: uptime, traffic by category, campaign
 * bonus, penalty. The same text settles an hour, corrects it later, and computes what other rules
 * would have paid.
 */
import { DEVICE_FAULTS } from '../devices/index.ts';
import { type LinesMode, onlineDevices } from './online-device-query.ts';
import { implausibleInHour } from './report-evidence.ts';
import { ANY_CATEGORY, HOUR_MS, MILLION, type Rules } from './rules.ts';

const GB = 1_000_000_000;
/**
 * Minor units of one line. Rules stay far below; older versions, which had no limit, must not stop
 * an hour.
 */
const LINE_MAX = `1${'0'.repeat(60)}::numeric`;

/** True of work that is paid: in full, or up to the limit of a device. */
const isPaid = (row: string): string =>
  `(${row}.reason is null or ${row}.reason = 'limit_gb_per_device')`;

const UPTIME = `select device_id, 'UPTIME'::text as reward_type, ''::text as part,
      online_ms as quantity, :uptime_rate::numeric as rate,
      div(:uptime_rate::numeric * online_ms, ${HOUR_MS}) as target,
      coalesce(reason, case when :uptime_rate::numeric = 0 then 'no_rate' end) as reason
    from online_device`;

const TRAFFIC =
  'select device_id, category, bytes from traffic_hour where hour = :hour and bytes > 0';
const USED_TRAFFIC: Readonly<Record<LinesMode, string>> = {
  network: `(${TRAFFIC})`,
  bucket: `bucket_device d cross join lateral (${TRAFFIC} and device_id = d.id offset 0)`,
  correction: `(${TRAFFIC} and device_id = any(:devices::bigint[]))`,
};

const traffic = (mode: LinesMode): string => `select t.device_id, 'TRAFFIC'::text, t.category,
      t.bytes, price.rate,
      div(price.rate * least(t.bytes, :bytes_max::numeric), ${GB}),
      case
        when o.device_id is null then 'not_online'
        when o.reason is not null then o.reason
        when price.rate = 0 then 'no_rate'
        when t.bytes > :bytes_max::numeric then 'limit_gb_per_device'
      end
    from ${USED_TRAFFIC[mode]} t
      left join online_device o on o.device_id = t.device_id
      left join traffic_price exact
        on exact.category = t.category and t.category <> '${ANY_CATEGORY}'
      left join traffic_price other on other.category = '${ANY_CATEGORY}'
      cross join lateral (select coalesce(exact.rate, other.rate, 0) as rate) price`;

const BONUS = `select w.device_id, 'BONUS'::text, c.name, sum(w.target), c.rate,
      div(sum(w.target) * c.rate, ${MILLION}), null::text
    from work w
      join online_device o on o.device_id = w.device_id
      join campaign c on c.device_type is null or c.device_type = o.device_type
    where ${isPaid('w')} and w.target <= ${LINE_MAX}
    group by w.device_id, c.name, c.rate
    having sum(w.target) > 0`;

const IMPLAUSIBLE = `select r.device_id, count(*)::numeric as reports from traffic_report r
      where :penalty::numeric > 0 and`;

const penalty = (reports: string): string => `union all
    select r.device_id, 'PENALTY', '', r.reports, :penalty::numeric, -:penalty::numeric * r.reports,
      null
    from ${reports} r`;

/** Reports that arrive later are of a later hour: no correction has penalties. */
const PENALTY: Readonly<Record<LinesMode, string>> = {
  network: penalty(
    `(
      ${IMPLAUSIBLE} r.refusal = any('{${DEVICE_FAULTS.join(',')}}')
        and r.received_at >= :hour and r.received_at < :hour::timestamptz + interval '1 hour'
      group by r.device_id
    )`,
  ),
  bucket: penalty(
    `bucket_device d cross join lateral (
      ${IMPLAUSIBLE} r.device_id = d.id and ${implausibleInHour(':hour::timestamptz')}
      group by r.device_id offset 0
    )`,
  ),
  correction: '',
};

/** What earlier lines of the hour settled. */
const NOTHING_SETTLED = `select null::bigint as device_id, ''::text as reward_type,
      ''::text as part, 0::numeric as amount, 0::numeric as quantity
    where false`;
const SETTLED: Readonly<Record<LinesMode, string>> = {
  network: NOTHING_SETTLED,
  bucket: NOTHING_SETTLED,
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
  return `${onlineDevices(mode)},
  traffic_price as (
    select * from unnest(:categories::text[], :traffic_rates::numeric[]) as p (category, rate)
  ),
  campaign as (
    select * from unnest(:campaigns::text[], :campaign_rates::numeric[], :campaign_types::text[])
      as c (name, rate, device_type)
  ),
  work as (${UPTIME} union all ${traffic(mode)}),
  reward as (
    select * from work union all ${BONUS} ${PENALTY[mode]}
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
      join ${mode === 'bucket' ? 'bucket_device' : 'device'} d on d.id = p.device_id
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
