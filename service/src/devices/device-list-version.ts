/** The version of a user's list of devices: every change that the list shows increments it. */
import { type Db, defineStatement, execute, type Transaction } from '../db/index.ts';

const BUMP_VERSIONS = defineStatement(
  'device-list-bump',
  `insert into device_list as l (user_id, version)
     select distinct id, 1 from unnest(:user_ids::bigint[]) as u (id) order by id
   on conflict (user_id) do update set version = l.version + 1`,
);
const READ_VERSION = defineStatement(
  'device-list-version',
  'select version from device_list where user_id = :user_id',
);

/** Call it in the transaction of the change. All writers lock users in ascending order. */
export async function bumpDeviceListVersion(
  tx: Transaction,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length > 0) await execute(tx, BUMP_VERSIONS, { user_ids: userIds });
}

export async function readListVersion(db: Db, userId: number): Promise<number> {
  const { rows } = await execute<{ version: number }>(db, READ_VERSION, { user_id: userId });
  return rows[0]?.version ?? 0;
}
