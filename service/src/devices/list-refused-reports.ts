/** Traffic reports of all devices that do not count, for operators. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import type { CodedMessage } from '../lib/coded-messages.ts';

/** A place between two reports. */
export interface ReportCursor {
  readonly at: Date;
  readonly device_id: number;
  /** Of its table: reports of `traffic_report` come first. */
  readonly rank: number;
  readonly id: number;
}

export interface RefusedReport extends ReportCursor {
  readonly report_id: string;
  readonly client_id: string;
  readonly node_id: string;
  readonly user_id: number;
  readonly from_at: Date | null;
  readonly to_at: Date | null;
  readonly bytes: string | null;
  readonly refusal: string;
  readonly reason_code: string;
  readonly reason_values: CodedMessage['values'];
}

const pageOf = (table: string, rank: number, bytes: string, isRefused: string): string => `(
    select received_at as at, ${rank} as rank, id, report_id, client_id, device_id, from_at, to_at,
      ${bytes}::text as bytes, refusal, reason_code, reason_values
    from ${table}
    where ${isRefused} (received_at, device_id, ${rank}, id)
      < (:at::timestamptz, :device_id::bigint, :rank::int, :id::bigint)
    order by received_at desc, device_id desc, id desc limit :limit)`;

const LIST_REFUSED = defineStatement(
  'refused-reports-list',
  `select r.*, d.node_id, d.user_id from (
    select * from (
      ${pageOf('traffic_report', 1, '(bytes_up + bytes_down)', 'refusal is not null and')}
      union all
      ${pageOf('refused_report', 0, 'bytes', '')}) pages
    order by at desc, device_id desc, rank desc, id desc limit :limit) r
  cross join lateral (select node_id, user_id from device where id = r.device_id offset 0) d
  order by r.at desc, r.device_id desc, r.rank desc, r.id desc`,
);

/** Refused reports of registered devices, newest first. */
export async function listRefusedReports(
  db: Db,
  { at, device_id, rank, id }: ReportCursor,
  limit: number,
): Promise<RefusedReport[]> {
  return (await execute<RefusedReport>(db, LIST_REFUSED, { at, device_id, rank, id, limit })).rows;
}

export interface RefusedCount {
  readonly client_id: string;
  readonly refusal: string;
  readonly reason_code: string;
  /** Of one of the reports. */
  readonly reason_values: CodedMessage['values'];
  readonly reports: number;
  readonly devices: number;
}

const COUNT_REFUSED = defineStatement(
  'refused-reports-count-by-reason',
  `select client_id, refusal, reason_code, count(*) as reports,
    count(distinct device_id) as devices, (array_agg(reason_values))[1] as reason_values
  from (
    select client_id, refusal, reason_code, device_id, reason_values from traffic_report
    where refusal is not null and received_at >= :since
    union all
    select client_id, refusal, reason_code, device_id, reason_values from refused_report
    where received_at >= :since) refused
  group by client_id, refusal, reason_code
  order by count(*) desc, client_id, reason_code limit :limit`,
);

/** How many reports do not count, by relay and reason; the most frequent first. */
export async function countRefusedReports(
  db: Db,
  options: { readonly since: Date; readonly limit: number },
): Promise<RefusedCount[]> {
  return (await execute<RefusedCount>(db, COUNT_REFUSED, { ...options })).rows;
}
