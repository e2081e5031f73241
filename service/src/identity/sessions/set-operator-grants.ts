import { type Db, queryNamed, transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { endAllSessions } from './end-session.ts';

/**
 * Sets what a user may request as an operator. Removing a scope or a role ends their sessions.
 * @param grants scopes and roles, as `toGrant` names them
 * @returns false for an unknown email address
 */
export async function setOperatorGrants(
  db: Db,
  clock: Clock,
  email: string,
  grants: readonly string[],
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const { rows } = await tx.query<{ id: number; operator_scopes: string[] }>(
      'select id, operator_scopes from app_user where email_key = lower($1) for no key update',
      [email],
    );
    const user = rows[0];
    if (!user) return false;
    await queryNamed(
      tx,
      'update app_user set operator_scopes = :operator_scopes where id = :user_id',
      { user_id: user.id, operator_scopes: [...grants] },
    );
    if (user.operator_scopes.some((grant) => !grants.includes(grant)))
      await endAllSessions(tx, clock, { userId: user.id, reason: 'operator_rights_changed' });
    return true;
  });
}
