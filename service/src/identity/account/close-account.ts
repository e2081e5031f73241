import { transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { checkPassword } from '../login/check-password.ts';
import { findUser } from '../queries.ts';
import { endAllSessions } from '../sessions/index.ts';
import { deleteTickets } from '../tickets.ts';
import {
  finishSecurityChange,
  lockReauthenticatedUser,
  type Manager,
  requireFreshProof,
} from './require-reauthentication.ts';

/** Tables whose rows are about a person's ways in, and nothing else. */
const FACTOR_TABLES = [
  'authenticator',
  'recovery_code',
  'passkey',
  'user_security',
  'reauthentication',
] as const;

export interface ClosingInput {
  readonly login_password: string;
  /** The owner gives up what is left. */
  readonly abandon_balance?: boolean;
}

/**
 * Closes the account for good: nobody can sign in, the address is free again, and name and address are forgotten. What
 * the books need stays under the bare user id. The hooks of other domains can refuse (a balance is left, say).
 */
export async function closeAccount(
  kit: IdentityContext,
  manager: Manager,
  { login_password, abandon_balance = false }: ClosingInput,
): Promise<void> {
  const { database, clock } = kit;
  await requireFreshProof(database, kit, manager);
  const self = await findUser(database, manager.userId);
  if (!self) throw failure('not_found');
  await checkPassword(kit, { email: self.email, login_password }, manager.origin);
  await transaction(database, async (tx) => {
    for (const hook of kit.onUserClosing) await hook.lock(tx, manager.userId);
    const user = await lockReauthenticatedUser(tx, manager.userId);
    await finishSecurityChange(tx, kit, user, manager, {
      type: 'account_closed',
      notice: { kind: 'accountClosed' },
      details: { abandoned_balance: abandon_balance },
    });
    await endAllSessions(tx, clock, { userId: user.userId, reason: 'account_closed' });
    await deleteTickets(tx, user.userId);
    for (const table of FACTOR_TABLES)
      await tx.query(`delete from ${table} where user_id = $1`, [user.userId]);
    const address = `closed-${user.userId}@account.invalid`;
    await tx.query(
      "update app_user set status = 'closed', password_hash = null, email = $2, email_key = $2, nickname = 'Closed account' where id = $1",
      [user.userId, address],
    );
    for (const hook of kit.onUserClosing) await hook.close(tx, user, abandon_balance);
  });
}
