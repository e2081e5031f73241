/** Reads of devices. */
import type { Db } from '../db/index.ts';
import { exactGigabytes } from '../lib/exact-json.ts';
import { failure } from '../lib/failures.ts';
import {
  type DeviceStatus,
  type StatusFacts,
  type StatusRules,
  statusOf,
  statusReasonCodeOf,
  statusReasonOf,
} from './device-status.ts';

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
export async function findOwnDevice(
  db: Db,
  userId: number,
  nodeId: string,
  forUpdate = false,
): Promise<DeviceRow | undefined> {
  const { rows } = await db.query<DeviceRow>(
    `${DEVICE_SELECT} where d.user_id = $1 and d.node_id = $2${forUpdate ? ' for update of d' : ''}`,
    [userId, nodeId],
  );
  return rows[0];
}

/** A person's own device, deleted ones included. @throws `not_found` */
export async function findListedDevice(db: Db, userId: number, nodeId: string): Promise<DeviceRow> {
  const row = await findOwnDevice(db, userId, nodeId);
  if (!row) throw failure('not_found');
  return row;
}

export async function listDeviceRows(
  db: Db,
  userId: number,
  isDeleted: boolean,
): Promise<DeviceRow[]> {
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
  const { rows } = await db.query<{ count: number }>(
    "select count(*) as count from device where user_id = $1 and cut is distinct from 'deleted'",
    [userId],
  );
  return rows[0]?.count ?? 0;
}

/** Reads what is heard but not yet written. */
export type HeardLately = (deviceId: number) => Date | undefined;

function defaultName(row: DeviceRow): string {
  if (row.browser === '' && row.os === '')
    return row.device_type === 'TERMINAL' ? 'Terminal' : 'Extension';
  return [row.browser, row.os].filter((part) => part !== '').join(' on ');
}

/** What of a device stands until somebody changes it. */
export function describeDevice(row: DeviceRow) {
  return {
    node_id: row.node_id,
    name: row.name === '' ? defaultName(row) : row.name,
    device_type: row.device_type,
    browser: row.browser,
    extension_version: row.extension_version,
    os: row.os,
    timezone: row.timezone,
    granted_categories: row.granted_categories,
    requested_categories: row.requested_categories,
    capabilities: row.capabilities,
    traffic_gb: exactGigabytes(BigInt(row.traffic)),
    created_at: row.created_at.toISOString(),
  };
}

/** What of a device changes while time passes. */
export function describePresence(
  facts: StatusFacts & { readonly created_at: Date },
  rules: StatusRules,
) {
  const { heard_at: heardAt, created_at: createdAt } = facts;
  const status: DeviceStatus = statusOf(facts, rules);
  const lastSeen = heardAt !== null && heardAt > createdAt ? heardAt : createdAt;
  const { code, since } = statusReasonCodeOf(facts, rules);
  return {
    status,
    status_reason: statusReasonOf(facts, rules),
    status_reason_code: code,
    status_since: since.toISOString(),
    last_seen_at: lastSeen.toISOString(),
  };
}

/** When a device was last heard: as stored, or as this process heard since the last write. */
export function latestHeard(stored: Date | null, lately: Date | undefined): Date | null {
  return lately === undefined || (stored !== null && stored >= lately) ? stored : lately;
}

/** A device as the wire shows it. */
export function toDevice(row: DeviceRow, rules: StatusRules, heardLately: HeardLately) {
  const facts = { ...row, heard_at: latestHeard(row.heard_at, heardLately(row.id)) };
  return { ...describeDevice(row), ...describePresence(facts, rules) };
}

/** When devices were last heard, as stored. One text of all of them: a row for each takes several times as long to read. */
export async function readHeard(db: Db, deviceIds: readonly number[]): Promise<Map<number, Date>> {
  const { rows } = await db.prepared<{ heard: string | null }>(
    'devices-heard',
    `select string_agg(device_id || ' ' || (date_part('epoch', heard_at) * 1000)::bigint, ',') as heard from device_presence where device_id = any ($1::bigint[])`,
    [deviceIds],
  );
  const pairs = (rows[0]?.heard?.split(',') ?? []).map((pair) => pair.split(' '));
  return new Map(pairs.map(([id, heard_ms]) => [Number(id), new Date(Number(heard_ms))]));
}
