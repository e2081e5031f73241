/** A signed-in person proves password and second factor again, before what is worth it. */
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { verifyPassword } from '../login/check-password.ts';
import { issueLoginTicket, type LoginResult } from '../login/issue-login-ticket.ts';
import { verifySecondFactor } from '../login/verify-second-factor.ts';
import { findUser } from '../queries.ts';
import { type FactorFields, readProof } from '../second-factors/verify-factor.ts';
import { logSecurityEvent } from '../security-log.ts';
import type { PresentedTicket } from '../tickets.ts';
import type { Manager } from './require-reauthentication.ts';

/** The ticket of a proof under way: it serves the session that began it, and no other. */
export async function reauthenticationTicket(
  kit: IdentityContext,
  { userId, sid }: Manager,
  ticket: string,
): Promise<PresentedTicket> {
  const user = await findUser(kit.database, userId);
  if (!user) throw failure('invalid_ticket');
  return { ticket, purpose: 'reauthenticate', emailKey: user.email.toLowerCase(), sid };
}

/** First step: the password. @throws `invalid_credentials`, `rate_limited` */
export async function startReauthentication(
  kit: IdentityContext,
  manager: Manager,
  loginPassword: string,
): Promise<LoginResult> {
  const self = await findUser(kit.database, manager.userId);
  if (!self) throw failure('not_found');
  const proven = await verifyPassword(
    kit,
    { email: self.email, login_password: loginPassword },
    manager.origin,
  );
  return issueLoginTicket(
    kit,
    proven,
    { purpose: 'reauthenticate', sid: manager.sid },
    manager.origin.language,
  );
}

/** Second step: the factor. The session counts as fresh from now. */
export async function finishReauthentication(
  kit: IdentityContext,
  manager: Manager,
  input: FactorFields & { readonly login_ticket: string },
): Promise<{ fresh_until: string }> {
  const { clock, config } = kit;
  const { userId, sid, origin } = manager;
  const presented = await reauthenticationTicket(kit, manager, input.login_ticket);
  return verifySecondFactor(kit, presented, readProof(input), origin, async (tx, { factor }) => {
    const at = clock.now();
    await tx.query(
      'insert into reauthentication (sid, user_id, at) values ($1, $2, $3) on conflict (sid) do update set at = excluded.at',
      [sid, userId, at],
    );
    await logSecurityEvent(tx, clock, {
      userId,
      type: 'reauthenticated',
      origin,
      details: { factor },
    });
    return {
      fresh_until: new Date(at.getTime() + config.REAUTHENTICATION_TTL * 1000).toISOString(),
    };
  });
}
