/** Usage of a device, for its owner. */
import { type Db, defineStatement, execute } from '../db/index.ts';

interface UsageHour {
  /** First instant of the UTC hour. */
  readonly hour: Date;
  readonly onlineMs: number;
  readonly bytesUp: bigint;
  readonly bytesDown: bigint;
}

interface HourRow {
  hour: Date;
  online_ms: number;
  bytes_up: string;
  bytes_down: string;
}

const READ_OF_DEVICE = defineStatement(
  'device-hours-of-device',
  `select hour, online_ms, bytes_up::text, bytes_down::text from device_hour
   where device_id = :device_id and hour >= :from and hour < :before order by hour`,
);

/** Usage of one device, hour by hour. */
export async function readHoursOf(
  db: Db,
  deviceId: number,
  from: Date,
  before: Date,
): Promise<UsageHour[]> {
  const values = { device_id: deviceId, from, before };
  return (await execute<HourRow>(db, READ_OF_DEVICE, values)).rows.map((row) => ({
    hour: row.hour,
    onlineMs: row.online_ms,
    bytesUp: BigInt(row.bytes_up),
    bytesDown: BigInt(row.bytes_down),
  }));
}
