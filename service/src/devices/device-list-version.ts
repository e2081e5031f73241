/** The version of a person's list of devices: whatever shows in the list and is written moves it. */
import type { Db, Transaction } from '../db/index.ts';

/** Call it in the transaction of the change; in ascending order of people, as all writers do. */
export async function bumpDeviceListVersion(
  tx: Transaction,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return;
  await tx.query(
    `insert into device_list as l (user_id, version) select distinct u, 1 from unnest($1::bigint[]) as u order by u
     on conflict (user_id) do update set version = l.version + 1`,
    [userIds],
  );
}

export async function readListVersion(db: Db, userId: number): Promise<number> {
  const { rows } = await db.prepared<{ version: number }>(
    'device-list-version',
    'select version from device_list where user_id = $1',
    [userId],
  );
  return rows[0]?.version ?? 0;
}
