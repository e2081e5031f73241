import { runAsService, type Transaction, transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { checkPassword } from '../login/check-password.ts';
import { findUser } from '../queries.ts';
import { closeUsers } from './close-users.ts';
import {
  type FullSession,
  finishSecurityChange,
  lockReauthenticatedUser,
  requireFreshProof,
} from './require-reauthentication.ts';

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
  const close = async (tx: Transaction): Promise<void> => {
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
    await closeUsers(tx, clock, [user.userId], config.CLOSED_ACCOUNT_TTL);
    for (const hook of context.onUserClosing) await hook.close(tx, user, abandon_balance);
  };
  // The audit log has the groups that end with the account, and no operator ended them.
  await runAsService('closing', () => transaction(database, close));
}
