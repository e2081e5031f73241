import type { Db } from '../../db/index.ts';

/** Scopes and roles of an operator, as `toGrant` names them; none of other people. */
export async function readOperatorGrants(db: Db, userId: number): Promise<readonly string[]> {
  const { rows } = await db.query<{ operator_scopes: string[] }>(
    'select operator_scopes from app_user where id = $1',
    [userId],
  );
  return rows[0]?.operator_scopes ?? [];
}
