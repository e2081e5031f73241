import { type Db, defineStatement, execute } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { toUser, USER_COLUMNS, type UserRow } from '../queries.ts';
import type { User } from '../types.ts';

/** The form of the names of groups, as a pattern. */
export const GROUP_NAME = '^[A-Za-z0-9][A-Za-z0-9._:/-]{0,63}$';

const ASSIGN_GROUPS = defineStatement(
  'identity-assign-groups',
  `update app_user set groups = :groups where id = :user_id and status <> 'closed'
   returning ${USER_COLUMNS}`,
);

/** Replaces the groups of a user, in the order of their names. @throws `not_found` */
export async function assignGroups(
  db: Db,
  userId: number,
  groups: readonly string[],
): Promise<User> {
  const values = { user_id: userId, groups: [...new Set(groups)].sort() };
  const { rows } = await execute<UserRow>(db, ASSIGN_GROUPS, values);
  const [row] = rows;
  if (!row) throw failure('not_found');
  return toUser(row);
}
