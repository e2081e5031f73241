/** `PATCH /me/devices/{node_id}`: the owner renames a device or grants it traffic categories. */
import { type Db, defineStatement, execute, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { isInvisible } from '../lib/display-text.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { bumpDeviceListVersion } from './device-list-version.ts';
import { type DeviceRow, lockOwnDevice } from './queries.ts';
import type { OwnDevice } from './revoke-device.ts';
import type { DevicePatch } from './schemas.ts';

const PATCH_DEVICE = defineStatement(
  'device-patch',
  `update device set name = :name, granted_categories = :granted,
    renamed_at = case when name = :name then renamed_at else :now end
  where id = :device_id`,
);

/** A name without a visible character brings back the default. */
function newName(name: string): string {
  return isInvisible(name) ? '' : name.trim();
}

/**
 * @throws `not_found`, `device_deleted`, `invalid_parameter` for a category that the device did not
 * request
 */
export function updateOwnDevice(
  db: Db,
  clock: Clock,
  { userId, nodeId }: OwnDevice,
  patch: DevicePatch,
): Promise<DeviceRow> {
  return transaction(db, async (tx) => {
    const row = await lockOwnDevice(tx, userId, nodeId);
    if (!row) throw failure('not_found');
    if (row.revoked_as === 'deleted') throw failure('device_deleted');
    const granted = patch.granted_categories ?? row.granted_categories;
    const requested = new Set(row.requested_categories);
    const unrequested = (patch.granted_categories ?? []).filter((name) => !requested.has(name));
    if (unrequested.length > 0)
      throw fieldError(
        'granted_categories',
        'not_requested',
        `holds what the device did not request: ${unrequested.join(', ')}`,
      );
    const name = patch.name === undefined ? row.name : newName(patch.name);
    await execute(tx, PATCH_DEVICE, { device_id: row.id, name, granted, now: clock.now() });
    await bumpDeviceListVersion(tx, [userId]);
    return { ...row, name, granted_categories: [...granted] };
  });
}
