import { queryNamed, transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { checkPassword } from '../login/check-password.ts';
import { checkPasswordChoice } from '../passwords.ts';
import { findUser } from '../queries.ts';
import { deleteTickets } from '../tickets.ts';
import {
  type FullSession,
  finishSecurityChange,
  lockReauthenticatedUser,
  requireFreshProof,
} from './require-reauthentication.ts';

export interface PasswordChange {
  readonly login_password: string;
  readonly new_login_password: string;
  readonly end_other_sessions?: boolean;
}

/**
 * Changes the password; by default all other sessions end.
 * @throws `reauthentication_required`, `invalid_credentials`, `invalid_parameter`
 */
export async function changePassword(
  context: IdentityContext,
  session: FullSession,
  input: PasswordChange,
): Promise<void> {
  const { database } = context;
  await requireFreshProof(database, context, session);
  const self = await findUser(database, session.userId);
  if (!self) throw failure('not_found');
  checkPasswordChoice(input.new_login_password, [self.email, self.nickname], 'new_login_password');
  const { user: verified } = await checkPassword(
    context,
    { email: self.email, login_password: input.login_password },
    session.origin,
  );
  const renewed = await context.passwords.hash(input.new_login_password);
  await transaction(database, async (tx) => {
    const user = await lockReauthenticatedUser(tx, session.userId);
    const { rowCount } = await queryNamed(
      tx,
      `update app_user set password_hash = :renewed
        where id = :user_id and password_hash = :password_hash`,
      { user_id: user.userId, password_hash: verified.passwordHash, renewed },
    );
    if (rowCount === 0) throw failure('invalid_credentials');
    await deleteTickets(tx, user.userId);
    await finishSecurityChange(
      tx,
      context,
      { user, session },
      {
        type: 'password_changed',
        notice: { kind: 'passwordChanged' },
        endsOtherSessions: input.end_other_sessions ?? true,
      },
    );
  });
}
