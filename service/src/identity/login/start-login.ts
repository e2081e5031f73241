/** First step of signing in: the password gives a ticket, never a token. */
import { type Transaction, transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { sendMail } from '../../mail/index.ts';
import { maskEmail, readEmail } from '../emails.ts';
import type { IdentityKit } from '../kit.ts';
import { type Hit, networkOf, subjectOf } from '../limits.ts';
import { signInCode } from '../mails.ts';
import { findSignIn, holdUser } from '../queries.ts';
import { listMethods } from '../second-factors/available-methods.ts';
import { logSecurityEvent } from '../security-log.ts';
import { createTicket } from '../tickets.ts';
import type { Origin, TwoFactorMethod, User } from '../types.ts';

export interface LoginInput {
  readonly email: string;
  readonly login_password: string;
}

export interface LoginResult {
  readonly need_two_factor: true;
  readonly login_ticket: string;
  readonly email: string;
  readonly two_factor_methods: TwoFactorMethod[];
}

type Verified = User & { readonly passwordHash: string };

/** Checks a password, within its limits, in the same time whoever the address belongs to. @throws `invalid_credentials`, `rate_limited` */
export async function checkPassword(kit: IdentityKit, input: LoginInput, origin: Origin): Promise<Verified> {
  const { database, clock, limits } = kit;
  const { key } = readEmail(input.email);
  const network = networkOf(origin.ip);
  const { found, isKnown } = await findSignIn(database, clock, key, origin.ip);
  const hits: [Hit, Hit] = [
    ['login-ip', network],
    ['login-account', subjectOf(key, origin.ip, isKnown)],
  ];
  await limits.take(...hits);
  const isRight = await kit.passwords.verify(found?.passwordHash, input.login_password);
  if (!isRight || found?.passwordHash === undefined) {
    // Written after the answer: an address without an account has no log, and must not be told by the time.
    if (found && found.status !== 'closed') logFailure(kit, found.userId, origin);
    throw failure('invalid_credentials');
  }
  await limits.giveBack(...hits);
  return { ...found, passwordHash: found.passwordHash };
}

function logFailure(kit: IdentityKit, userId: number, origin: Origin): void {
  kit.background.run(() => transaction(kit.database, (tx) => logSecurityEvent(tx, kit.clock, { userId, type: 'sign_in_failed', origin })));
}

async function renewHash(kit: IdentityKit, user: Verified, md5: string): Promise<void> {
  const renewed = await kit.passwords.hash(md5);
  await kit.database.query('update app_user set password_hash = $3 where id = $1 and password_hash = $2', [user.userId, user.passwordHash, renewed]);
}

async function openTicket(
  tx: Transaction,
  kit: IdentityKit,
  user: Verified,
  methods: readonly TwoFactorMethod[],
  browser: string | undefined,
): Promise<string> {
  const { clock, config, codes } = kit;
  // The password may have been changed while argon2 ran.
  if ((await holdUser(tx, user.userId))?.passwordHash !== user.passwordHash) throw failure('invalid_credentials');
  const isEmailOnly = methods.length === 1 && methods[0] === 'EMAIL';
  const emailKey = user.email.toLowerCase();
  const ticket = await createTicket(tx, clock, {
    purpose: 'login',
    userId: user.userId,
    emailKey,
    ttl_s: config.LOGIN_TICKET_TTL,
    ...(browser !== undefined && { browser }),
    ...(isEmailOnly && { codeTtl_s: config.EMAIL_CODE_TTL }),
  });
  if (isEmailOnly) await sendMail(tx, clock, signInCode(user.email, user.nickname, codes.of(ticket, emailKey), config.LOGIN_TICKET_TTL));
  return ticket;
}

/** Begins to sign in. With EMAIL as the only factor its code goes out at once. `browser` binds the ticket to a browser's cookie. */
export async function startLogin(kit: IdentityKit, input: LoginInput, origin: Origin, browser: string | undefined): Promise<LoginResult> {
  const user = await checkPassword(kit, input, origin);
  if (kit.passwords.isOutdated(user.passwordHash)) kit.background.run(() => renewHash(kit, user, input.login_password));
  const methods = await listMethods(kit.database, kit.clock, user.userId);
  if (methods.includes('EMAIL') && methods.length === 1) await kit.limits.take(['mail-account', String(user.userId)]);
  const ticket = await transaction(kit.database, (tx) => openTicket(tx, kit, user, methods, browser));
  return { need_two_factor: true, login_ticket: ticket, email: maskEmail(user.email), two_factor_methods: methods };
}
