/** Reads of devices. */
import {
  type Db,
  defineStatement,
  execute,
  readFromPrimary,
  type Transaction,
} from '../db/index.ts';
import { exactGigabytes } from '../lib/exact-json.ts';
import { failure } from '../lib/failures.ts';
import { CONFIRMED_AT } from './connection-statements.ts';
import {
  deviceStatusOf,
  type StatusFacts,
  type StatusRules,
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
  /** When the instance that holds the live connection of the device last confirmed it. */
  readonly confirmed_at: Date | null;
  readonly traffic: string;
}

const DEVICE_COLUMNS = `d.id, d.node_id, d.user_id, d.key_thumbprint, d.device_type,
    d.name, d.browser, d.extension_version, d.os, d.timezone, d.capabilities,
    d.requested_categories, d.granted_categories, d.cut as revoked_as,
    d.cut_reason as revoked_by, d.cut_at as revoked_at, d.bound_at,
    d.created_at, p.heard_at, ${CONFIRMED_AT} as confirmed_at,
    coalesce(u.bytes_up + u.bytes_down, 0)::text as traffic`;
const DEVICE_TABLES = `from device d
    left join device_presence p on p.device_id = d.id
    left join live_connection l on l.device_id = d.id
    left join connection_node n on n.node = l.node
    left join device_usage u on u.device_id = d.id`;

/** Every column of `DeviceRow`, without a condition. */
export const DEVICE_SELECT = `select ${DEVICE_COLUMNS} ${DEVICE_TABLES}`;

/** Where a device was registered, and where it was last heard. */
export interface DeviceAddresses {
  readonly registered_address: string;
  readonly address: string | null;
}

/** Every column of `DeviceRow` and `DeviceAddresses`, without a condition. */
export const DEVICE_ADDRESS_SELECT = `select ${DEVICE_COLUMNS}, d.registered_address, p.address
  ${DEVICE_TABLES}`;
const OWN_DEVICE = `${DEVICE_SELECT} where d.user_id = :user_id and d.node_id = :node_id`;
const DEVICES_OF_USER = `${DEVICE_SELECT} where d.user_id = :user_id`;
const NEWEST_FIRST = 'order by d.created_at desc, d.id desc';

const FIND_OWN_DEVICE = defineStatement('device-find', OWN_DEVICE);
const LOCK_OWN_DEVICE = defineStatement('device-lock', `${OWN_DEVICE} for update of d`);
const LIST_DELETED = defineStatement(
  'devices-deleted',
  `${DEVICES_OF_USER} and d.cut = 'deleted' ${NEWEST_FIRST}`,
);
const LIST_DEVICES = defineStatement(
  'devices-list',
  `${DEVICES_OF_USER} and d.cut is distinct from 'deleted' ${NEWEST_FIRST}`,
);

/** A user's own device, deleted ones included. No standby has live connections. */
export async function findOwnDevice(
  db: Db,
  userId: number,
  nodeId: string,
): Promise<DeviceRow | undefined> {
  const values = { user_id: userId, node_id: nodeId };
  return readFromPrimary(
    async () => (await execute<DeviceRow>(db, FIND_OWN_DEVICE, values)).rows[0],
  );
}

/** Locks a user's own device, deleted ones included. */
export async function lockOwnDevice(
  tx: Transaction,
  userId: number,
  nodeId: string,
): Promise<DeviceRow | undefined> {
  const values = { user_id: userId, node_id: nodeId };
  return (await execute<DeviceRow>(tx, LOCK_OWN_DEVICE, values)).rows[0];
}

/** A user's own device, deleted ones included. @throws `not_found` */
export async function getOwnDevice(db: Db, userId: number, nodeId: string): Promise<DeviceRow> {
  const row = await findOwnDevice(db, userId, nodeId);
  if (!row) throw failure('not_found');
  return row;
}

export async function listDeviceRows(
  db: Db,
  userId: number,
  isDeleted: boolean,
): Promise<DeviceRow[]> {
  const statement = isDeleted ? LIST_DELETED : LIST_DEVICES;
  return (await execute<DeviceRow>(db, statement, { user_id: userId })).rows;
}

/** When this instance heard a device, if that may not be written yet. */
export type LastHeard = (
  deviceId: number,
) => { readonly at: Date; readonly isConnected: boolean } | undefined;

/**
 * When a device was last heard, as far as it is known here: exactly, if its connection is here. The
 * instance that holds the connection closes it soon after the last heartbeat, and writes it then.
 */
function lastHeardAt(
  { id, revoked_as, heard_at, confirmed_at }: DeviceRow,
  lastHeard: LastHeard,
): Date | null {
  const here = lastHeard(id);
  const isElsewhere = !here?.isConnected && revoked_as === null;
  const known = [here?.at, heard_at, isElsewhere ? confirmed_at : null];
  return known.reduce<Date | null>((last, at) => (at && (!last || at > last) ? at : last), null);
}

export type NamedDevice = Pick<DeviceRow, 'name' | 'browser' | 'os' | 'device_type'>;

/** The name that the owner gave, or else what the device is. */
export function deviceNameOf({ name, browser, os, device_type }: NamedDevice): string {
  if (name !== '') return name;
  if (browser === '' && os === '') return device_type === 'TERMINAL' ? 'Terminal' : 'Extension';
  return [browser, os].filter((part) => part !== '').join(' on ');
}

/** A device as the wire shows it. */
export function toDevice(row: DeviceRow, rules: StatusRules, lastHeard: LastHeard) {
  const { created_at: createdAt } = row;
  const heardAt = lastHeardAt(row, lastHeard);
  const lastSeenAt = heardAt !== null && heardAt > createdAt ? heardAt : createdAt;
  const facts = { ...row, heard_at: heardAt };
  const { code, since } = statusReasonCodeOf(facts, rules);
  return {
    node_id: row.node_id,
    name: deviceNameOf(row),
    device_type: row.device_type,
    browser: row.browser,
    extension_version: row.extension_version,
    os: row.os,
    timezone: row.timezone,
    status: deviceStatusOf(facts, rules),
    status_reason: statusReasonOf(facts, rules),
    status_reason_code: code,
    status_since: since.toISOString(),
    granted_categories: row.granted_categories,
    requested_categories: row.requested_categories,
    capabilities: row.capabilities,
    traffic_gb: exactGigabytes(BigInt(row.traffic)),
    created_at: createdAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
  };
}
