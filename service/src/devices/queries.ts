/** Reads of devices. */
import type { Db } from '../db/index.ts';
import { exactGigabytes } from '../lib/exact-json.ts';
import { type DeviceStatus, type StatusFacts, type StatusRules, statusOf, statusReasonOf } from './device-status.ts';

export interface DeviceRow extends StatusFacts {
  readonly id: number;
  readonly node_id: string;
  readonly user_id: number;
  readonly key_thumbprint: string | null;
  readonly device_type: 'TERMINAL' | 'EXTENSION';
  readonly name: string;
  readonly browser: string;
  readonly extension_version: string;
  readonly os: string;
  readonly timezone: string;
  readonly capabilities: string[];
  readonly requested_categories: string[];
  readonly granted_categories: string[];
  readonly created_at: Date;
  readonly traffic: string;
}

export const DEVICE_SELECT = `select d.id, d.node_id, d.user_id, d.key_thumbprint, d.device_type, d.name, d.browser, d.extension_version, d.os,
    d.timezone, d.capabilities, d.requested_categories, d.granted_categories, d.cut, d.cut_reason, d.cut_at, d.bound_at, d.created_at,
    p.heard_at, coalesce(u.bytes_up + u.bytes_down, 0)::text as traffic
  from device d
    left join device_presence p on p.device_id = d.id
    left join device_usage u on u.device_id = d.id`;

/** A person's own device, deleted ones included; `forUpdate` locks it. */
export async function findOwnDevice(db: Db, userId: number, nodeId: string, forUpdate = false): Promise<DeviceRow | undefined> {
  const { rows } = await db.query<DeviceRow>(`${DEVICE_SELECT} where d.user_id = $1 and d.node_id = $2${forUpdate ? ' for update of d' : ''}`, [
    userId,
    nodeId,
  ]);
  return rows[0];
}

export async function listDeviceRows(db: Db, userId: number, isDeleted: boolean): Promise<DeviceRow[]> {
  const which = isDeleted ? "d.cut = 'deleted'" : "d.cut is distinct from 'deleted'";
  const { rows } = await db.prepared<DeviceRow>(
    `devices-${isDeleted ? 'deleted' : 'living'}`,
    `${DEVICE_SELECT} where d.user_id = $1 and ${which} order by d.created_at desc, d.id desc`,
    [userId],
  );
  return rows;
}

/** How many devices a person has; deleted ones do not count. */
export async function countDevices(db: Db, userId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>("select count(*) as count from device where user_id = $1 and cut is distinct from 'deleted'", [userId]);
  return rows[0]?.count ?? 0;
}

/** Bytes that a person's devices moved, deleted devices included: a total never drops because a device is removed. */
export async function trafficOf(db: Db, userId: number): Promise<bigint> {
  const { rows } = await db.query<{ bytes: string }>(
    'select coalesce(sum(u.bytes_up + u.bytes_down), 0)::text as bytes from device d join device_usage u on u.device_id = d.id where d.user_id = $1',
    [userId],
  );
  return BigInt(rows[0]?.bytes ?? 0);
}

/** Reads what is heard but not yet written. */
export type HeardLately = (deviceId: number) => Date | undefined;

function defaultName(row: DeviceRow): string {
  if (row.browser === '' && row.os === '') return row.device_type === 'TERMINAL' ? 'Terminal' : 'Extension';
  return [row.browser, row.os].filter((part) => part !== '').join(' on ');
}

/** The row with what this process heard since the last write. */
function withHeard(row: DeviceRow, heardLately: HeardLately): DeviceRow {
  const heard = heardLately(row.id);
  return heard === undefined || (row.heard_at !== null && row.heard_at >= heard) ? row : { ...row, heard_at: heard };
}

/** A device as the wire shows it. */
export function toDevice(stored: DeviceRow, rules: StatusRules, heardLately: HeardLately) {
  const row = withHeard(stored, heardLately);
  const lastSeen = row.heard_at !== null && row.heard_at > row.created_at ? row.heard_at : row.created_at;
  const status: DeviceStatus = statusOf(row, rules);
  return {
    node_id: row.node_id,
    name: row.name === '' ? defaultName(row) : row.name,
    device_type: row.device_type,
    browser: row.browser,
    extension_version: row.extension_version,
    os: row.os,
    timezone: row.timezone,
    status,
    status_reason: statusReasonOf(row, rules),
    granted_categories: row.granted_categories,
    requested_categories: row.requested_categories,
    capabilities: row.capabilities,
    traffic_gb: exactGigabytes(BigInt(row.traffic)),
    created_at: row.created_at.toISOString(),
    last_seen_at: lastSeen.toISOString(),
  };
}
