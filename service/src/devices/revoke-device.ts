/** Disconnecting and deleting: the device is cut off, and every token bound to it is revoked in the same transaction. */
import { type Db, type Transaction, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { bumpDeviceListVersion } from './device-list-version.ts';
import { revokeDeviceTokens, type TokenFeed } from './device-tokens.ts';
import { type DeviceRow, findOwnDevice } from './queries.ts';

export type RevocationKind = 'disconnected' | 'deleted';

/** Every reason that begins so closes a live connection as a cut, not as a revocation. */
export const REVOKED_BY_PATTERN = /^(disconnected|deleted) by /;

export interface CutDeps {
  readonly clock: Clock;
  readonly feed: TokenFeed;
}

/** Keeps the time for which a device was cut off, before the next cut or its return overwrites it. */
export async function recordDisconnection(
  tx: Transaction,
  clock: Clock,
  row: DeviceRow,
): Promise<void> {
  if (row.cut === null) return;
  await tx.query(
    'insert into device_gap (device_id, from_at, to_at) values ($1, $2, $3) on conflict do nothing',
    [row.id, row.cut_at, clock.now()],
  );
}

/** Cuts a locked device off. */
export async function cutDevice(
  tx: Transaction,
  { clock, feed }: CutDeps,
  row: DeviceRow,
  cut: RevocationKind,
  by: string,
): Promise<void> {
  const reason = `${cut} by ${by}`;
  await recordDisconnection(tx, clock, row);
  await tx.query('update device set cut = $2, cut_reason = $3, cut_at = $4 where id = $1', [
    row.id,
    cut,
    reason,
    clock.now(),
  ]);
  await bumpDeviceListVersion(tx, [row.user_id]);
  await revokeDeviceTokens(tx, clock, feed, row, reason);
  await recordEvent(tx, clock, {
    userId: row.user_id,
    type: `device.${cut}`,
    data: { node_id: row.node_id, reason },
  });
}

async function cutOwnDevice(
  db: Db,
  deps: CutDeps,
  input: { userId: number; nodeId: string; cut: RevocationKind },
): Promise<DeviceRow> {
  const { userId, nodeId, cut } = input;
  return transaction(db, async (tx) => {
    const row = await findOwnDevice(tx, userId, nodeId, true);
    if (!row) throw failure('not_found');
    if (row.cut === cut) return row;
    if (row.cut === 'deleted')
      throw failure('device_deleted', {
        detail: 'The device is deleted already; register it again to use it.',
      });
    await cutDevice(tx, deps, row, cut, 'you');
    return (await findOwnDevice(tx, userId, nodeId)) ?? row;
  });
}

/** Disconnects a person's device; repeating it is harmless. @throws `not_found`, `device_deleted` */
export function disconnectDevice(
  db: Db,
  deps: CutDeps,
  input: { userId: number; nodeId: string },
): Promise<DeviceRow> {
  return cutOwnDevice(db, deps, { ...input, cut: 'disconnected' });
}

/** Deletes a person's device; its history stays. Repeating it is harmless. @throws `not_found` */
export function deleteDevice(
  db: Db,
  deps: CutDeps,
  input: { userId: number; nodeId: string },
): Promise<DeviceRow> {
  return cutOwnDevice(db, deps, { ...input, cut: 'deleted' });
}
