/** First step of signing in: the password gives a ticket, never a token. */
import type { IdentityContext } from '../context.ts';
import type { Asker } from '../types.ts';
import { type LoginInput, type VerifiedPassword, verifyPassword } from './check-password.ts';
import { issueLoginTicket, type LoginResult } from './issue-login-ticket.ts';

async function renewHash(
  kit: IdentityContext,
  { userId, passwordHash }: VerifiedPassword['user'],
  md5: string,
): Promise<void> {
  const renewed = await kit.passwords.hash(md5);
  await kit.database.query(
    'update app_user set password_hash = $3 where id = $1 and password_hash = $2',
    [userId, passwordHash, renewed],
  );
}

/** Begins to sign in. `browser` binds the ticket to a browser's cookie. @throws `invalid_credentials`, `rate_limited` */
export async function startLogin(
  kit: IdentityContext,
  input: LoginInput,
  origin: Asker,
  browser: string | undefined,
): Promise<LoginResult> {
  const proven = await verifyPassword(kit, input, origin);
  const result = await issueLoginTicket(
    kit,
    proven,
    { purpose: 'login', ...(browser !== undefined && { browser }) },
    origin.language,
  );
  if (kit.passwords.isOutdated(proven.user.passwordHash))
    kit.background.run(() => renewHash(kit, proven.user, input.login_password));
  return result;
}
