/** Devices of all users, newest first, and the addresses that many of them share. */
import {
  type Db,
  defineStatement,
  execute,
  planAlongIndexes,
  readFromPrimary,
  transaction,
} from '../db/index.ts';
import type { DeviceStatus, StatusRules } from './device-status.ts';
import {
  DEVICE_ADDRESS_SELECT,
  type DeviceAddresses,
  type DeviceRow,
  type LastHeard,
  toDevice,
} from './queries.ts';

/** What devices must have; deleted ones are left out. */
export interface DeviceFilter {
  readonly nodeId?: string | undefined;
  readonly userId?: number | undefined;
  /** Of the registration. */
  readonly address?: string | undefined;
  readonly deviceType?: DeviceRow['device_type'] | undefined;
  readonly status?: DeviceStatus | undefined;
  /**
   * A whole node ID, or a substring of the name or of what a device says of its software, in
   * capital or small letters.
   */
  readonly text?: string | undefined;
}

interface PageOfDevices {
  readonly size: number;
  /** Id of the last device of the page before. */
  readonly before?: number | undefined;
}

/** Devices that a page looks through for those that the filter names. */
const LOOKED_THROUGH = 500;
const LARGEST_ID = Number.MAX_SAFE_INTEGER;

type FoundRow = DeviceRow & DeviceAddresses;

/**
 * The ids come first, and each device is found by its own: joined as a whole, or with the limit
 * beside the joins, the planner may read all devices.
 */
function defineSearch(name: string, condition: string) {
  return defineStatement(
    `devices-find-${name}`,
    `with chosen as materialized (
      select id from device
      where ${condition} id < :before and cut is distinct from 'deleted')
    select found.* from (select id from chosen order by id desc limit :limit) c
      cross join lateral (${DEVICE_ADDRESS_SELECT} where d.id = c.id offset 0) found
    order by found.id desc`,
  );
}

const FIND_BY_NODE = defineSearch('by-node', 'node_id = :node_id and');
const FIND_BY_USER = defineSearch('by-user', 'user_id = :user_id and');
const FIND_BY_ADDRESS = defineSearch('by-address', 'registered_address = :address and');
const FIND_NEWEST = defineStatement(
  'devices-find-newest',
  `${DEVICE_ADDRESS_SELECT} where d.id < :before and d.cut is distinct from 'deleted'
   order by d.id desc limit :limit`,
);

/** Devices by the narrowest filter that an index serves. */
async function lookThrough(
  db: Db,
  { nodeId, userId, address }: DeviceFilter,
  page: { readonly before: number; readonly limit: number },
): Promise<FoundRow[]> {
  const [statement, key] =
    nodeId !== undefined
      ? ([FIND_BY_NODE, { node_id: nodeId }] as const)
      : userId !== undefined
        ? ([FIND_BY_USER, { user_id: userId }] as const)
        : address !== undefined
          ? ([FIND_BY_ADDRESS, { address }] as const)
          : ([FIND_NEWEST, {}] as const);
  return transaction(db, async (tx) => {
    await planAlongIndexes(tx);
    return (await execute<FoundRow>(tx, statement, { ...key, ...page })).rows;
  });
}

/** The rows to filter. A text that is a whole node ID means this device. */
async function lookFor(
  db: Db,
  { text, ...filter }: DeviceFilter,
  page: { readonly before: number; readonly limit: number },
): Promise<{ readonly rows: FoundRow[]; readonly filter: DeviceFilter }> {
  if (text !== undefined && filter.nodeId === undefined && page.before === LARGEST_ID) {
    const named = { ...filter, nodeId: text };
    const rows = await lookThrough(db, named, page);
    if (rows.length > 0) return { rows, filter: named };
  }
  return { rows: await lookThrough(db, filter, page), filter: { ...filter, text } };
}

function matches(
  { userId, address, deviceType, status, text }: DeviceFilter,
  row: FoundRow,
  device: ReturnType<typeof toDevice>,
): boolean {
  const { name, browser, extension_version, os, timezone } = device;
  return (
    (userId === undefined || row.user_id === userId) &&
    (address === undefined || row.registered_address === address) &&
    (deviceType === undefined || device.device_type === deviceType) &&
    (status === undefined || device.status === status) &&
    (text === undefined ||
      [name, browser, extension_version, os, timezone].some((part) =>
        part.toLowerCase().includes(text.toLowerCase()),
      ))
  );
}

/**
 * A page of devices, newest first. It looks through a bounded number of devices: with a filter it
 * may hold fewer than `size`, and there may still be a next one.
 */
export async function findDevices(
  db: Db,
  filter: DeviceFilter,
  { size, before = LARGEST_ID }: PageOfDevices,
  { lastHeard, ...rules }: StatusRules & { readonly lastHeard: LastHeard },
) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const limit = isFiltered ? LOOKED_THROUGH : size;
  const { rows, filter: left } = await readFromPrimary(() =>
    lookFor(db, filter, { before, limit }),
  );
  const found = rows
    .map((row) => ({ row, device: toDevice(row, rules, lastHeard) }))
    .filter(({ row, device }) => matches(left, row, device));
  const last = found.length > size ? found[size - 1]?.row : rows[limit - 1];
  return {
    devices: found.slice(0, size).map(({ row, device }) => ({
      ...device,
      user_id: row.user_id,
      registered_address: row.registered_address,
      ...(row.address !== null && { last_address: row.address }),
    })),
    ...(last && { next: last.id }),
  };
}

export type FoundDevices = Awaited<ReturnType<typeof findDevices>>;

export interface SharedAddress {
  readonly address: string;
  readonly devices: number;
  readonly users: number;
}

/** Reads an index of all devices, and the devices of the addresses that it returns. */
const SHARED_ADDRESSES = defineStatement(
  'devices-shared-addresses',
  `with shared as materialized (
    select registered_address as address, count(*) as devices from device
    where cut is distinct from 'deleted' group by registered_address
    having count(*) >= :least order by count(*) desc, registered_address limit :limit)
  select address, devices, (
      select count(distinct user_id) from device
      where registered_address = address and cut is distinct from 'deleted') as users
  from shared order by devices desc, address`,
);

/** Addresses with the most devices that were registered there and not deleted. */
export async function listSharedAddresses(
  db: Db,
  options: { readonly least: number; readonly limit: number },
): Promise<SharedAddress[]> {
  return (await execute<SharedAddress>(db, SHARED_ADDRESSES, { ...options })).rows;
}
