/** The traffic reports that a line is made of: what settlement counted, noted by the statement that counted it. */
import { DEVICE_FAULTS } from '../devices/index.ts';
import type { LinesMode } from './device-reward-query.ts';

const text = (column: string): string => `convert_to(${column}, 'UTF8') || '\\x00'::bytea`;

/** SHA-256 over relay, ID and hash of the content of each report, in this order; no text holds the zero that ends each. */
export const REPORTS_HASH = `sha256(string_agg(${['r.client_id', 'r.report_id', 'r.content_hash'].map(text).join(' || ')}, ''::bytea
    order by r.client_id collate "C", r.report_id collate "C"))`;

/** Reports `r` that reach into an hour. None is longer than a day: begin and end are bounded both ways, for the index of either. */
export function reachesInto(hour: string): string {
  return `r.from_at > ${hour} - interval '1 day' and r.from_at < ${hour} + interval '1 hour' and r.to_at > ${hour} and r.to_at < ${hour} + interval '25 hours'`;
}

/** Reports `r` that line `l` noted and that are still what such a line is made of. */
export const IS_OF_LINE = `r.id = any(l.report_ids) and r.device_id = l.device_id and (r.refusal is null) = (l.reward_type = 'TRAFFIC')
      and (l.reward_type <> 'TRAFFIC' or coalesce(r.category, '') = l.part)`;

const HOUR = '$1::timestamptz';

/**
 * A part of the query of `directLines`, with its parameters, and of its snapshot: which reports make up the quantity
 * of a line can be said neither by when they came nor by their numbers, for they commit in another order.
 */
export function countedReports(mode: LinesMode): string {
  const noted = `array_agg(r.id order by r.id) as report_ids, ${REPORTS_HASH} as reports_hash from traffic_report r`;
  const traffic = `select r.device_id, 'TRAFFIC'::text as reward_type, coalesce(r.category, '') as part, ${noted}
    where r.refusal is null and ${reachesInto(HOUR)}`;
  if (mode === 'correction')
    return `counted as (${traffic} and r.device_id = any($12::bigint[]) group by 1, 3)`;
  return `counted as (${traffic} group by 1, 3
    union all
    select r.device_id, 'PENALTY', '', ${noted}
    where r.refusal = any('{${DEVICE_FAULTS.join(',')}}') and r.received_at >= ${HOUR} and r.received_at < ${HOUR} + interval '1 hour' group by 1)`;
}

/** The two columns of a line: empty where there should be reports and are none, null where there should not. */
export const NOTED_REPORTS = ["coalesce(report_ids, '{}')", "coalesce(reports_hash, sha256(''))"]
  .map((column) => `case when reward_type in ('TRAFFIC', 'PENALTY') then ${column} end`)
  .join(', ');

const textOf = (column: string): string => `to_json(${column}::text)::text`;
const millisecondsOf = (column: string): string =>
  `to_json((extract(epoch from ${column}) * 1000)::bigint::text)::text`;
const CONTENT = ['d.node_id', 'r.bytes_up', 'r.bytes_down', "coalesce(r.category, 'null')"].map(
  textOf,
);
const SPAN = ['r.from_at', 'r.to_at'].map(millisecondsOf);

/** True of a report `r` of device `d` whose content is what the relay sent: the hash was made when it came. */
export const IS_AS_SENT = `r.content_hash = rtrim(translate(encode(sha256(convert_to('[' || concat_ws(',', ${[...CONTENT, ...SPAN].join(', ')}) || ']', 'UTF8')),
    'base64'), '+/', '-_'), '=')`;

/** Bytes of a column that fall into an hour, as reports are spread over theirs. */
function bytesWithin(hour: string, column: string): string {
  const ms = (from: string, to: string): string =>
    `(extract(epoch from ${to} - ${from}) * 1000)::bigint`;
  const upTo = (instant: string): string =>
    `div(r.${column} * ${ms('r.from_at', `least(greatest(${instant}, r.from_at), r.to_at)`)}, ${ms('r.from_at', 'r.to_at')})`;
  return `${upTo(`${hour} + interval '1 hour'`)} - ${upTo(hour)}`;
}

/** What report `r` adds to the traffic of an hour. */
export function bytesInHour(hour: string): string {
  return `${bytesWithin(hour, 'bytes_up')} + ${bytesWithin(hour, 'bytes_down')}`;
}
