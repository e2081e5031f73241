/** `PATCH /me/devices/{node_id}`: its owner renames a device or grants it categories of traffic. */
import { type Db, transaction } from '../db/index.ts';
import { isUnseen } from '../lib/display-text.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { bumpDeviceListVersion } from './device-list-version.ts';
import { type DeviceRow, findOwnDevice } from './queries.ts';
import type { DevicePatch } from './schemas.ts';

export interface UpdateInput {
  readonly userId: number;
  readonly nodeId: string;
  readonly patch: DevicePatch;
}

/** @throws `not_found`, `device_deleted`, `invalid_parameter` for a category that the device did not request */
export function updateOwnDevice(
  db: Db,
  { userId, nodeId, patch }: UpdateInput,
): Promise<DeviceRow> {
  return transaction(db, async (tx) => {
    const row = await findOwnDevice(tx, userId, nodeId, true);
    if (!row) throw failure('not_found');
    if (row.cut === 'deleted') throw failure('device_deleted');
    const unasked =
      patch.granted_categories?.filter(
        (category) => !row.requested_categories.includes(category),
      ) ?? [];
    if (unasked.length > 0)
      throw fieldError(
        'granted_categories',
        'not_requested',
        `holds what the device did not request: ${unasked.join(', ')}`,
      );
    // What nobody sees names nothing: the default comes back.
    const given = patch.name !== undefined && isUnseen(patch.name) ? '' : patch.name?.trim();
    const name = given ?? row.name;
    const granted = patch.granted_categories ?? row.granted_categories;
    await tx.query('update device set name = $2, granted_categories = $3 where id = $1', [
      row.id,
      name,
      granted,
    ]);
    await bumpDeviceListVersion(tx, [userId]);
    return { ...row, name, granted_categories: [...granted] };
  });
}
