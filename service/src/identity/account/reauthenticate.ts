/** A signed-in user verifies password and second factor again, before security changes. */
import { queryNamed } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { verifyPassword } from '../login/check-password.ts';
import { issueLoginTicket, type LoginResult } from '../login/issue-login-ticket.ts';
import { verifySecondFactor } from '../login/verify-second-factor.ts';
import { findUser } from '../queries.ts';
import { type FactorFields, readProof } from '../second-factors/verify-factor.ts';
import { logSecurityEvent } from '../security-log.ts';
import { addSeconds, type PresentedTicket } from '../tickets.ts';
import type { FullSession } from './require-reauthentication.ts';

/** The ticket of a reauthentication, valid for the session that started it. */
export async function reauthenticationTicket(
  context: IdentityContext,
  { userId, sid }: FullSession,
  ticket: string,
): Promise<PresentedTicket & { readonly purpose: 'reauthenticate' }> {
  const user = await findUser(context.database, userId);
  if (!user) throw failure('invalid_ticket');
  return { ticket, purpose: 'reauthenticate', emailKey: user.email.toLowerCase(), sid };
}

/** First step: the password. @throws `invalid_credentials`, `rate_limited` */
export async function startReauthentication(
  context: IdentityContext,
  session: FullSession,
  loginPassword: string,
): Promise<LoginResult> {
  const self = await findUser(context.database, session.userId);
  if (!self) throw failure('not_found');
  const verified = await verifyPassword(
    context,
    { email: self.email, login_password: loginPassword },
    session.origin,
  );
  return issueLoginTicket(
    context,
    verified,
    { purpose: 'reauthenticate', sid: session.sid },
    session.origin.language,
  );
}

/** Second step: the factor. Security changes are then allowed for a while. */
export async function finishReauthentication(
  context: IdentityContext,
  session: FullSession,
  input: FactorFields & { readonly login_ticket: string },
): Promise<{ fresh_until: string }> {
  const { clock, config } = context;
  const { userId, sid, origin } = session;
  const presented = await reauthenticationTicket(context, session, input.login_ticket);
  return verifySecondFactor(context, {
    presented,
    proof: readProof(input),
    origin,
    async finish(tx, { factor }) {
      const at = clock.now();
      await queryNamed(
        tx,
        `insert into reauthentication (sid, user_id, at, factor)
          values (:sid, :user_id, :at, :factor)
         on conflict (sid) do update set at = excluded.at, factor = excluded.factor`,
        { sid, user_id: userId, at, factor },
      );
      const details = { factor };
      await logSecurityEvent(tx, clock, { userId, type: 'reauthenticated', origin, details });
      return { fresh_until: addSeconds(at, config.REAUTHENTICATION_TTL).toISOString() };
    },
  });
}
