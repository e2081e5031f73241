/** Adds accepted reports to the hourly usage and the totals of their devices. */
import { defineStatement, execute, type Transaction } from '../db/index.ts';
import { type HourShare, spreadOverHours, type TrafficReport } from './traffic-report.ts';

interface Usage extends HourShare {
  readonly deviceId: number;
  readonly category: string;
}

/** One row for each device, hour and category, in an order that all writers share. */
function sumByHour(accepted: readonly { deviceId: number; report: TrafficReport }[]): Usage[] {
  const sums = new Map<string, Usage>();
  for (const { deviceId, report } of accepted) {
    for (const { hour, bytesUp, bytesDown } of spreadOverHours(report)) {
      const { category = '' } = report;
      const key = `${deviceId} ${hour.getTime()} ${category}`;
      const sum = sums.get(key);
      sums.set(key, {
        deviceId,
        hour,
        category,
        bytesUp: bytesUp + (sum?.bytesUp ?? 0n),
        bytesDown: bytesDown + (sum?.bytesDown ?? 0n),
      });
    }
  }
  return [...sums.values()].sort(
    (a, b) =>
      a.deviceId - b.deviceId ||
      a.hour.getTime() - b.hour.getTime() ||
      (a.category < b.category ? -1 : 1),
  );
}

const ADD_USAGE = defineStatement(
  'traffic-add-usage',
  `with usage as (
     select * from unnest(:device_ids::bigint[], :hours::timestamptz[], :up::numeric[],
       :down::numeric[], :categories::text[]) as u (device_id, hour, up, down, category)),
   added as (
     insert into device_hour as t (device_id, hour, bytes_up, bytes_down)
       select device_id, hour, sum(up), sum(down) from usage
       group by device_id, hour order by device_id, hour
     on conflict (device_id, hour) do update set
       bytes_up = t.bytes_up + excluded.bytes_up, bytes_down = t.bytes_down + excluded.bytes_down),
   by_category as (
     insert into traffic_hour as t (hour, device_id, category, bytes, changed_at)
       select hour, device_id, category, up + down, :now from usage
       order by device_id, hour, category
     on conflict (hour, device_id, category) do update set
       bytes = t.bytes + excluded.bytes, changed_at = excluded.changed_at)
   insert into device_usage as u (device_id, bytes_up, bytes_down)
     select device_id, sum(up), sum(down) from usage group by device_id order by device_id
   on conflict (device_id) do update set
     bytes_up = u.bytes_up + excluded.bytes_up, bytes_down = u.bytes_down + excluded.bytes_down`,
);

export async function addUsage(
  tx: Transaction,
  now: Date,
  accepted: readonly { deviceId: number; report: TrafficReport }[],
): Promise<void> {
  const usage = sumByHour(accepted);
  if (usage.length === 0) return;
  await execute(tx, ADD_USAGE, {
    device_ids: usage.map((row) => row.deviceId),
    hours: usage.map((row) => row.hour),
    up: usage.map((row) => String(row.bytesUp)),
    down: usage.map((row) => String(row.bytesDown)),
    categories: usage.map((row) => row.category),
    now,
  });
}
