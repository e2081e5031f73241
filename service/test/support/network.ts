/** Users with devices for tests of rewards, inserted directly. */
import type { Db } from '../../src/db/index.ts';

let count = 0;

export interface TestDevice {
  readonly id: number;
  readonly nodeId: string;
  readonly userId: number;
  readonly deviceType: 'TERMINAL' | 'EXTENSION';
  readonly address: string;
}

/** Inserts a device of a user. */
export async function insertDevice(
  db: Db,
  userId: number,
  fields: { address?: string; deviceType?: 'TERMINAL' | 'EXTENSION' } = {},
): Promise<TestDevice> {
  const nodeId = `node-${++count}`;
  // The worker continues the count from file to file.
  const { address = `198.51.100.${count % 256}`, deviceType = 'TERMINAL' } = fields;
  const { rows } = await db.query<{ id: number }>(
    `insert into device (
       node_id, user_id, device_type, browser, extension_version, os, timezone, capabilities,
       requested_categories, registered_address, created_at, bound_at)
     values (
       $1, $2, $3, '', '', '', 'UTC', '{}',
       '{}', $4, '2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z')
     returning id`,
    [nodeId, userId, deviceType, address],
  );
  return { id: rows[0]?.id ?? 0, nodeId, userId, deviceType, address };
}

/** Records online time, like presence. */
export async function addOnline(
  db: Db,
  hour: Date,
  times: readonly { deviceId: number; online_ms: number }[],
): Promise<void> {
  await db.query(
    `insert into device_hour as h (device_id, hour, online_ms)
     select device_id, $1, online_ms
     from unnest($2::bigint[], $3::bigint[]) as t (device_id, online_ms)
     on conflict (device_id, hour) do update set online_ms = h.online_ms + excluded.online_ms`,
    [hour, times.map((time) => time.deviceId), times.map((time) => time.online_ms)],
  );
}

/** A reproducible random number below `n`. */
export function createRandom(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}
