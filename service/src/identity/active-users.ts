/** Who of some users may act now. */
import { type Db, queryNamed } from '../db/index.ts';
import { grantsOf } from '../http/index.ts';

/** Users whose account is neither disabled nor closed. */
export async function listActive(db: Db, userIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await db.query<{ id: number }>(
    `select id from app_user where id = any($1::bigint[]) and status = 'active'`,
    [userIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Users who may act as operators with a scope: their account is active, too. */
export async function listOperators(
  db: Db,
  userIds: readonly number[],
  scope: string,
): Promise<Set<number>> {
  const { rows } = await queryNamed<{ id: number }>(
    db,
    `select id from app_user where id = any(:user_ids::bigint[]) and status = 'active'
       and operator_scopes && :grants::text[]`,
    { user_ids: userIds, grants: grantsOf(scope) },
  );
  return new Set(rows.map(({ id }) => id));
}
