/** First step of the login: the password gives a ticket, never a token. */
import { queryNamed } from '../../db/index.ts';
import type { IdentityContext } from '../context.ts';
import type { RequestOrigin } from '../types.ts';
import { type LoginInput, type VerifiedPassword, verifyPassword } from './check-password.ts';
import { issueLoginTicket, type LoginResult } from './issue-login-ticket.ts';

async function renewHash(
  context: IdentityContext,
  { userId, passwordHash }: VerifiedPassword['user'],
  md5: string,
): Promise<void> {
  const renewed = await context.passwords.hash(md5);
  await queryNamed(
    context.database,
    `update app_user set password_hash = :renewed
      where id = :user_id and password_hash = :password_hash`,
    { user_id: userId, password_hash: passwordHash, renewed },
  );
}

/**
 * Starts a login. `browser` binds the ticket to a browser's cookie.
 * @throws `invalid_credentials`, `rate_limited`, `challenge_required`
 */
export async function startLogin(
  context: IdentityContext,
  input: LoginInput,
  origin: RequestOrigin,
  browser: string | undefined,
): Promise<LoginResult> {
  const verified = await verifyPassword(context, input, origin, (steps) =>
    context.challenges.guardLogin(steps, origin),
  );
  const result = await issueLoginTicket(
    context,
    verified,
    { purpose: 'login', ...(browser !== undefined && { browser }) },
    origin.language,
  );
  if (context.passwords.isOutdated(verified.user.passwordHash))
    context.background.run(() => renewHash(context, verified.user, input.login_password));
  return result;
}
