/** First step of signing in: the password gives a ticket, never a token. */
import { transaction } from '../../db/index.ts';
import { type Message, sendMail } from '../../mail/index.ts';
import { maskEmail } from '../emails.ts';
import type { IdentityKit } from '../kit.ts';
import { reauthenticationCode, signInCode } from '../mails.ts';
import { createTicket, type TicketPurpose } from '../tickets.ts';
import type { Origin, TwoFactorMethod } from '../types.ts';
import { checkPassword, type LoginInput, type PasswordProven } from './check-password.ts';

export interface LoginResult {
  readonly need_two_factor: true;
  readonly login_ticket: string;
  readonly email: string;
  readonly two_factor_methods: TwoFactorMethod[];
}

/** What a ticket is for, and what it is bound to. */
export interface ProofBinding {
  readonly purpose: 'login' | 'reauthenticate';
  /** Cookie of the browser that asks. */
  readonly browser?: string;
  /** The session that asks. */
  readonly sid?: string;
}

type CodeMail = (to: string, nickname: string, code: string, ttl_s: number) => Message;

/** The mail that carries a ticket's code. */
export const CODE_MAILS: Partial<Record<TicketPurpose, CodeMail>> = { login: signInCode, reauthenticate: reauthenticationCode };

/** Gives a ticket for the second factor. With EMAIL as the only one its code goes out at once. */
export async function openProof(kit: IdentityKit, { user, methods, isEmailOnly }: PasswordProven, binding: ProofBinding): Promise<LoginResult> {
  const { database, clock, config, codes } = kit;
  const { userId, email, nickname, passwordHash } = user;
  const emailKey = email.toLowerCase();
  const ttl_s = config.LOGIN_TICKET_TTL;
  const login_ticket = await transaction(database, async (tx) => {
    // The password may have been changed while argon2 ran: then there is no ticket.
    const ticket = await createTicket(tx, clock, {
      ...binding,
      userId,
      emailKey,
      ttl_s,
      passwordHash,
      ...(isEmailOnly && { codeTtl_s: config.EMAIL_CODE_TTL }),
    });
    const write = CODE_MAILS[binding.purpose];
    if (isEmailOnly && write) await sendMail(tx, clock, write(email, nickname, codes.of(ticket, emailKey), ttl_s));
    return ticket;
  });
  return { need_two_factor: true, login_ticket, email: maskEmail(email), two_factor_methods: methods };
}

async function renewHash(kit: IdentityKit, { userId, passwordHash }: PasswordProven['user'], md5: string): Promise<void> {
  const renewed = await kit.passwords.hash(md5);
  await kit.database.query('update app_user set password_hash = $3 where id = $1 and password_hash = $2', [userId, passwordHash, renewed]);
}

/** Begins to sign in. `browser` binds the ticket to a browser's cookie. @throws `invalid_credentials`, `rate_limited` */
export async function startLogin(kit: IdentityKit, input: LoginInput, origin: Origin, browser: string | undefined): Promise<LoginResult> {
  const proven = await checkPassword(kit, input, origin, true);
  const result = await openProof(kit, proven, { purpose: 'login', ...(browser !== undefined && { browser }) });
  if (kit.passwords.isOutdated(proven.user.passwordHash)) kit.background.run(() => renewHash(kit, proven.user, input.login_password));
  return result;
}
