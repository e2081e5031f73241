/** Devices for tests of other domains. */
import type { Database, Db } from '../../src/db/index.ts';
import { createMetrics } from '../../src/http/index.ts';
import { createTokenState } from '../../src/identity/index.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { endGrant } from '../../src/oidc/index.ts';

let count = 0;

/** Inserts an active device and returns its id and node ID. */
export async function insertDevice(
  db: Db,
  userId: number,
  fields: { nodeId?: string; createdAt?: Date } = {},
): Promise<{ deviceId: number; nodeId: string }> {
  const nodeId = fields.nodeId ?? `node-${userId}-${++count}`;
  const { rows } = await db.query<{ id: number }>(
    `insert into device (
       node_id, user_id, device_type, browser, extension_version, os, timezone, capabilities,
       requested_categories, registered_address, created_at, bound_at)
     values (
       $1, $2, 'TERMINAL', 'edge-terminal', '1.0.0', 'Linux', 'UTC', '{}',
       '{}', '127.0.0.1', $3, $3)
     returning id`,
    [nodeId, userId, fields.createdAt ?? new Date('2026-01-01T00:00:00Z')],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('no device was inserted');
  return { deviceId: id, nodeId };
}

/**
 * Bytes in the hourly usage of a user's devices, deleted ones included: the source of all totals.
 */
export async function bytesOfHours(db: Db, userId: number): Promise<bigint> {
  const { rows } = await db.query<{ bytes: string }>(
    `select coalesce(sum(h.bytes_up + h.bytes_down), 0)::text as bytes
     from device d join device_hour h on h.device_id = d.id
     where d.user_id = $1`,
    [userId],
  );
  return BigInt(rows[0]?.bytes ?? 0);
}

/**
 * Arguments of `registerDevices` beside the platform, for tests without signatures and pages.
 */
export function deviceDeps(database: Database, clock: Clock) {
  return {
    tokenState: createTokenState(database, clock),
    metrics: createMetrics(),
    findGrantTime: async () => undefined,
    endGrant,
    findGrantedCategories: async () => ({ asked: [], granted: [] }),
    isAllowedOrigin: () => false,
  };
}
