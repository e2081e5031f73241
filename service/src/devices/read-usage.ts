/** Reads of usage: for the owner of a device, and for the settlement of rewards. */
import type { Db } from '../db/index.ts';

export interface DeviceHour {
  readonly deviceId: number;
  readonly nodeId: string;
  readonly userId: number;
  /** First instant of the UTC hour. */
  readonly hour: Date;
  readonly onlineMs: number;
  readonly bytesUp: bigint;
  readonly bytesDown: bigint;
}

interface HourRow {
  device_id: number;
  node_id: string;
  user_id: number;
  hour: Date;
  online_ms: number;
  bytes_up: string;
  bytes_down: string;
}

const SELECT = `select h.device_id, d.node_id, d.user_id, h.hour, h.online_ms, h.bytes_up::text, h.bytes_down::text
  from device_hour h join device d on d.id = h.device_id`;

function toHour(row: HourRow): DeviceHour {
  return {
    deviceId: row.device_id,
    nodeId: row.node_id,
    userId: row.user_id,
    hour: row.hour,
    onlineMs: row.online_ms,
    bytesUp: BigInt(row.bytes_up),
    bytesDown: BigInt(row.bytes_down),
  };
}

export interface HoursQuery {
  readonly from: Date;
  readonly before: Date;
  /** Where the page before this one ended. */
  readonly after?: { readonly hour: Date; readonly deviceId: number };
  readonly limit: number;
}

/** Usage of all devices, deleted ones included, in the order of hour and device: a page of at most `limit` rows. */
export async function readDeviceHours(
  db: Db,
  { from, before, after, limit }: HoursQuery,
): Promise<DeviceHour[]> {
  const { rows } = await db.query<HourRow>(
    `${SELECT} where h.hour >= $1 and h.hour < $2 and (h.hour, h.device_id) > ($3, $4) order by h.hour, h.device_id limit $5`,
    [from, before, after?.hour ?? new Date(0), after?.deviceId ?? 0, limit],
  );
  return rows.map(toHour);
}

/** Usage of one device, hour by hour. */
export async function readHoursOf(
  db: Db,
  deviceId: number,
  from: Date,
  before: Date,
): Promise<DeviceHour[]> {
  const { rows } = await db.query<HourRow>(
    `${SELECT} where h.device_id = $1 and h.hour >= $2 and h.hour < $3 order by h.hour`,
    [deviceId, from, before],
  );
  return rows.map(toHour);
}
