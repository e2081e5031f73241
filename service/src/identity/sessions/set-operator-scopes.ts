import { type Db, queryNamed, transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { endAllSessions } from './end-session.ts';

/**
 * Sets the scopes that a user may request as an operator. Removing one ends their sessions.
 * @returns false for an unknown email address
 */
export async function setOperatorScopes(
  db: Db,
  clock: Clock,
  email: string,
  scopes: readonly string[],
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
      { user_id: user.id, operator_scopes: [...scopes] },
    );
    if (user.operator_scopes.some((scope) => !scopes.includes(scope)))
      await endAllSessions(tx, clock, { userId: user.id, reason: 'operator_rights_changed' });
    return true;
  });
}
