/**
 * Disconnecting and deleting a device: every token bound to it is revoked in the same transaction.
 */
import { type Db, defineStatement, execute, type Transaction, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { bumpDeviceListVersion } from './device-list-version.ts';
import { revokeDeviceTokens, type TokenDeps } from './device-tokens.ts';
import { type DeviceRow, getOwnDevice, lockOwnDevice } from './queries.ts';

export type RevocationKind = 'disconnected' | 'deleted';

/** Who revokes a device: its owner, or the holder of the key that its node is named after. */
export type RevokedBy = 'owner' | 'key_holder';

type RevocationReason = `device_${RevocationKind}_by_${RevokedBy}`;

/** Reasons that close a live connection as disconnected instead of unauthorised. */
export const DEVICE_REVOCATIONS: ReadonlySet<string> = new Set<RevocationReason>([
  'device_disconnected_by_owner',
  'device_disconnected_by_key_holder',
  'device_deleted_by_owner',
  'device_deleted_by_key_holder',
]);

const RECORD_DISCONNECTION = defineStatement(
  'device-record-disconnection',
  `insert into device_gap (device_id, from_at, to_at) values (:device_id, :from_at, :to_at)
   on conflict do nothing`,
);
const REVOKE_DEVICE = defineStatement(
  'device-revoke',
  'update device set cut = :kind, cut_reason = :by, cut_at = :now where id = :device_id',
);

/** Keeps the time of a disconnection, before a return or another revocation overwrites it. */
export async function recordDisconnection(
  tx: Transaction,
  clock: Clock,
  { id, revoked_as, revoked_at }: DeviceRow,
): Promise<void> {
  if (revoked_as === null) return;
  const values = { device_id: id, from_at: revoked_at, to_at: clock.now() };
  await execute(tx, RECORD_DISCONNECTION, values);
}

export interface DeviceRevocation {
  readonly kind: RevocationKind;
  readonly by: RevokedBy;
}

/** Revokes a locked device. */
export async function revokeDevice(
  tx: Transaction,
  deps: TokenDeps,
  row: DeviceRow,
  { kind, by }: DeviceRevocation,
): Promise<void> {
  const { clock } = deps;
  const reason: RevocationReason = `device_${kind}_by_${by}`;
  await recordDisconnection(tx, clock, row);
  await execute(tx, REVOKE_DEVICE, { device_id: row.id, kind, by, now: clock.now() });
  await bumpDeviceListVersion(tx, [row.user_id]);
  await revokeDeviceTokens(tx, deps, row, reason);
  await recordEvent(tx, clock, {
    userId: row.user_id,
    type: `device.${kind}`,
    data: { node_id: row.node_id, reason },
  });
}

export interface OwnDevice {
  readonly userId: number;
  readonly nodeId: string;
}

/**
 * Disconnects or deletes a user's device; its history stays, and repeating it has no effect.
 * @throws `not_found`, `device_deleted`
 */
export async function revokeOwnDevice(
  db: Db,
  deps: TokenDeps,
  { userId, nodeId }: OwnDevice,
  kind: RevocationKind,
): Promise<DeviceRow> {
  return transaction(db, async (tx) => {
    const row = await lockOwnDevice(tx, userId, nodeId);
    if (!row) throw failure('not_found');
    if (row.revoked_as === kind) return row;
    if (row.revoked_as === 'deleted')
      throw failure('device_deleted', {
        detail: 'The device is already deleted; register it again to use it.',
      });
    await revokeDevice(tx, deps, row, { kind, by: 'owner' });
    return getOwnDevice(tx, userId, nodeId);
  });
}
