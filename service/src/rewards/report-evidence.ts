/**
 * The traffic reports behind a reward line: recorded by the statement that counts them, and
 * verified later.
 */
import { DEVICE_FAULTS } from '../devices/index.ts';
import type { LinesMode } from './online-device-query.ts';

const toBytes = (column: string): string => `convert_to(${column}, 'UTF8') || '\\x00'::bytea`;

/** Order of the reports of a line. */
export const REPORT_ORDER = 'r.client_id collate "C", r.report_id collate "C"';

/**
 * SHA-256 over relay, ID and content hash of each report, in this order. A zero byte ends each
 * text; no text contains one.
 */
export const REPORTS_HASH = `sha256(string_agg(
      ${['r.client_id', 'r.report_id', 'r.content_hash'].map(toBytes).join('\n        || ')},
      ''::bytea order by ${REPORT_ORDER}
    ))`;

/**
 * Reports `r` of a device that overlap an hour; none is longer than a day. The sum keeps the index
 * of `to_at` out: it leads to the reports of all devices, and statistics older than the hour say
 * that there are none.
 */
export function overlapsHour(hour: string): string {
  return `r.from_at > ${hour} - interval '1 day' and r.from_at < ${hour} + interval '1 hour'
      and r.to_at + interval '0' > ${hour}`;
}

/** Implausible reports `r` of a device, received in an hour. As above, the device leads to them. */
export function implausibleInHour(hour: string): string {
  return `r.refusal = any('{${DEVICE_FAULTS.join(',')}}')
        and r.received_at + interval '0' >= ${hour}
        and r.received_at + interval '0' < ${hour} + interval '1 hour'`;
}

/** Reports `r` that line `l` recorded and that still match it. */
export const IS_OF_LINE = `r.id = any(l.report_ids) and r.device_id = l.device_id
      and (r.refusal is null) = (l.reward_type = 'TRAFFIC')
      and (l.reward_type <> 'TRAFFIC' or coalesce(r.category, '') = l.part)`;

const HOUR = ':hour::timestamptz';

const EVIDENCE = `array_agg(r.id order by r.id) as report_ids,
      ${REPORTS_HASH} as reports_hash`;

const TRAFFIC_REPORTS = `select r.device_id, coalesce(r.category, '') as part, ${EVIDENCE}
      from traffic_report r
      where r.device_id = of.device_id and r.refusal is null and ${overlapsHour(HOUR)}
      group by 1, 2`;

const PENALTY_REPORTS = `select r.device_id, '' as part, ${EVIDENCE}
      from traffic_report r
      where r.device_id = of.device_id and ${implausibleInHour(HOUR)}
      group by 1`;

/** Each device with such a reward is looked up: the reports of an hour are those of the network. */
const ofRewards = (rewardType: string, reports: string): string => `select r.device_id,
      '${rewardType}'::text as reward_type, r.part, r.report_ids, r.reports_hash
    from (
        select distinct device_id from device_reward where reward_type = '${rewardType}'
      ) of
      cross join lateral (${reports} offset 0) r`;

/**
 * The table `evidence`, for the statement of `deviceRewards`: in its snapshot. Neither arrival
 * times nor ids could tell later which reports were counted, because reports commit in another
 * order.
 */
export function reportEvidence(mode: Exclude<LinesMode, 'network'>): string {
  const ofTraffic = ofRewards('TRAFFIC', TRAFFIC_REPORTS);
  return mode === 'correction'
    ? `evidence as (${ofTraffic})`
    : `evidence as (${ofTraffic} union all ${ofRewards('PENALTY', PENALTY_REPORTS)})`;
}

/**
 * The two columns of a line. Lines of traffic and penalties without reports have an empty list, all
 * other lines null.
 */
export const EVIDENCE_COLUMNS = ["coalesce(report_ids, '{}')", "coalesce(reports_hash, sha256(''))"]
  .map((column) => `case when reward_type in ('TRAFFIC', 'PENALTY') then ${column} end`)
  .join(',\n    ');

const toJsonText = (column: string): string => `to_json(${column}::text)::text`;
const toJsonMilliseconds = (column: string): string =>
  `to_json((extract(epoch from ${column}) * 1000)::bigint::text)::text`;
const CONTENT = [
  ...['d.node_id', 'r.bytes_up', 'r.bytes_down', "coalesce(r.category, 'null')"].map(toJsonText),
  ...['r.from_at', 'r.to_at'].map(toJsonMilliseconds),
];

/** True of a report `r` of device `d` whose content has the hash that was stored on arrival. */
export const IS_AS_SENT = `r.content_hash = rtrim(translate(encode(sha256(convert_to(
      '[' || concat_ws(',', ${CONTENT.join(',\n        ')}) || ']',
    'UTF8')), 'base64'), '+/', '-_'), '=')`;

/** Milliseconds from one instant to another. */
const span = (from: string, to: string): string =>
  `(extract(epoch from ${to} - ${from}) * 1000)::bigint`;

/** Bytes of a column up to an instant: a report is spread evenly over its time. */
const bytesUntil = (instant: string, column: string): string =>
  `div(
        r.${column} * ${span('r.from_at', `least(greatest(${instant}, r.from_at), r.to_at)`)},
        ${span('r.from_at', 'r.to_at')}
      )`;

/** What report `r` adds to the traffic of an hour. */
export function bytesInHour(hour: string): string {
  return ['bytes_up', 'bytes_down']
    .map(
      (column) =>
        `${bytesUntil(`${hour} + interval '1 hour'`, column)} - ${bytesUntil(hour, column)}`,
    )
    .join(' + ');
}
