import type { Device, DeviceStatus } from '../devices/queries.ts';

/** What needs a look comes first; what was cut off on purpose needs none. */
const RANKS: Readonly<Record<DeviceStatus, number>> = {
  offline: 0,
  online: 1,
  disconnected: 2,
  deleted: 3,
};

/** Devices with those first that are offline, each kind in the order of the list. */
export function offlineFirst<Listed extends Pick<Device, 'status'>>(
  devices: readonly Listed[],
): Listed[] {
  return devices.toSorted((one, other) => RANKS[one.status] - RANKS[other.status]);
}
