import { queryNamed, transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { scheduleErasure } from '../erasure/person-keys.ts';
import { checkPassword } from '../login/check-password.ts';
import { findUser } from '../queries.ts';
import { endAllSessions } from '../sessions/index.ts';
import { deleteTickets } from '../tickets.ts';
import {
  type FullSession,
  finishSecurityChange,
  lockReauthenticatedUser,
  requireFreshProof,
} from './require-reauthentication.ts';

/** Tables with credentials of a user, which are deleted at once. */
export const FACTOR_TABLES = [
  'authenticator',
  'recovery_code',
  'passkey',
  'upstream_identity',
  'user_security',
  'reauthentication',
] as const;

export interface ClosingInput {
  readonly login_password: string;
  /** The owner gives up the remaining balance. */
  readonly abandon_balance?: boolean;
}

/**
 * Closes the account permanently: no login is possible, name and email address are erased, and the
 * address can be registered again. After `CLOSED_ACCOUNT_TTL` what else identifies is erased. The
 * ledger keeps the user id. Hooks of other domains can refuse,
 * for example because of a balance.
 */
export async function closeAccount(
  context: IdentityContext,
  session: FullSession,
  { login_password, abandon_balance = false }: ClosingInput,
): Promise<void> {
  const { database, clock, config } = context;
  await requireFreshProof(database, context, session);
  const self = await findUser(database, session.userId);
  if (!self) throw failure('not_found');
  await checkPassword(context, { email: self.email, login_password }, session.origin);
  await transaction(database, async (tx) => {
    for (const hook of context.onUserClosing) await hook.lock(tx, session.userId);
    const user = await lockReauthenticatedUser(tx, session.userId);
    await finishSecurityChange(
      tx,
      context,
      { user, session },
      {
        type: 'account_closed',
        notice: { kind: 'accountClosed' },
        details: { abandoned_balance: abandon_balance },
      },
    );
    await endAllSessions(tx, clock, { userId: user.userId, reason: 'account_closed' });
    await deleteTickets(tx, user.userId);
    for (const table of FACTOR_TABLES)
      await tx.query(`delete from ${table} where user_id = $1`, [user.userId]);
    const address = `closed-${user.userId}@account.invalid`;
    await queryNamed(
      tx,
      `update app_user set status = 'closed', password_hash = null, email = :address,
         email_key = :address,
         nickname = 'Closed account', groups = '{}'
       where id = :user_id`,
      { user_id: user.userId, address },
    );
    const now = clock.now();
    const at = new Date(now.getTime() + config.CLOSED_ACCOUNT_TTL * 1000);
    await scheduleErasure(tx, user.userId, { now, at });
    for (const hook of context.onUserClosing) await hook.close(tx, user, abandon_balance);
  });
}
