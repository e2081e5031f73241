/** A signed-in person proves password and second factor again, before what is worth it. */
import { transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { sendMail } from '../../mail/index.ts';
import { maskEmail } from '../emails.ts';
import type { IdentityKit } from '../kit.ts';
import { checkPassword, type LoginResult } from '../login/start-login.ts';
import { takeFactor } from '../login/take-factor.ts';
import { reauthenticationCode } from '../mails.ts';
import { findUser, holdUser } from '../queries.ts';
import { listMethods } from '../second-factors/available-methods.ts';
import { type FactorFields, readProof } from '../second-factors/verify-factor.ts';
import { logSecurityEvent } from '../security-log.ts';
import { createTicket, type PresentedTicket } from '../tickets.ts';
import type { Manager } from './manager.ts';

/** The ticket of a proof under way: it serves the session that began it, and no other. */
export async function reauthenticationTicket(kit: IdentityKit, { userId, sid }: Manager, ticket: string): Promise<PresentedTicket> {
  const user = await findUser(kit.database, userId);
  if (!user) throw failure('invalid_ticket');
  return { ticket, purpose: 'reauthenticate', emailKey: user.email.toLowerCase(), sid };
}

/** First step: the password. @throws `invalid_credentials`, `rate_limited` */
export async function startReauthentication(kit: IdentityKit, manager: Manager, loginPassword: string): Promise<LoginResult> {
  const { database, clock, config, codes } = kit;
  const self = await findUser(database, manager.userId);
  if (!self) throw failure('not_found');
  const user = await checkPassword(kit, { email: self.email, login_password: loginPassword }, manager.origin);
  const methods = await listMethods(database, clock, user.userId);
  const isEmailOnly = methods.length === 1 && methods[0] === 'EMAIL';
  if (isEmailOnly) await kit.limits.take(['mail-account', String(user.userId)]);
  const emailKey = user.email.toLowerCase();
  const ticket = await transaction(database, async (tx) => {
    if ((await holdUser(tx, user.userId))?.passwordHash !== user.passwordHash) throw failure('invalid_credentials');
    const secret = await createTicket(tx, clock, {
      purpose: 'reauthenticate',
      userId: user.userId,
      emailKey,
      sid: manager.sid,
      ttl_s: config.LOGIN_TICKET_TTL,
      ...(isEmailOnly && { codeTtl_s: config.EMAIL_CODE_TTL }),
    });
    if (isEmailOnly) await sendMail(tx, clock, reauthenticationCode(user.email, user.nickname, codes.of(secret, emailKey), config.LOGIN_TICKET_TTL));
    return secret;
  });
  return { need_two_factor: true, login_ticket: ticket, email: maskEmail(user.email), two_factor_methods: methods };
}

/** Second step: the factor. The session counts as fresh from now. */
export async function finishReauthentication(
  kit: IdentityKit,
  manager: Manager,
  input: FactorFields & { readonly login_ticket: string },
): Promise<{ fresh_until: string }> {
  const { clock, config } = kit;
  const { userId, sid, origin } = manager;
  const presented = await reauthenticationTicket(kit, manager, input.login_ticket);
  return takeFactor(kit, presented, readProof(input), origin, async (tx, { factor }) => {
    const at = clock.now();
    await tx.query('insert into reauthentication (sid, user_id, at) values ($1, $2, $3) on conflict (sid) do update set at = excluded.at', [sid, userId, at]);
    await logSecurityEvent(tx, clock, { userId, type: 'reauthenticated', origin, details: { factor } });
    return { fresh_until: new Date(at.getTime() + config.REAUTHENTICATION_TTL * 1000).toISOString() };
  });
}
