/**
 * First steps of a password reset. A code verifies the mailbox; users with a strong factor must
 * verify that too. For a day EMAIL is no second factor, because it would be the mailbox again; and
 * where the mailbox was the only proof, money is frozen.
 */
import { type Db, savepoint, type Transaction, transaction } from '../../db/index.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import { type Message, sendMail } from '../../mail/index.ts';
import { resetCode } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import { consumeMailLimits, type RateLimitKey } from '../limits.ts';
import { checkPasswordChoice } from '../passwords.ts';
import { findCredentials, findUser } from '../queries.ts';
import { type AttemptOutcome, consumeAccountLimit, runAttempt } from '../run-attempt.ts';
import { listMethods } from '../second-factors/available-methods.ts';
import { logSecurityEvent } from '../security-log.ts';
import { verifyCode } from '../ticket-proofs.ts';
import { consumeAttempt, createTicket, type PresentedTicket } from '../tickets.ts';
import type { RequestOrigin, TwoFactorMethod } from '../types.ts';

/** Thrown to roll a decoy's mail back. */
class Undo extends Error {}

/** Queues the mail. A decoy does the same work and rolls it back, so that time shows nothing. */
async function mailUnlessDecoy(
  tx: Transaction,
  { clock }: IdentityContext,
  mail: Message,
  isDecoy: boolean,
): Promise<void> {
  try {
    await savepoint(tx, async () => {
      await sendMail(tx, clock, mail);
      if (isDecoy) throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
}

/**
 * Starts a reset. An address without an account gets the same response after the same work, and no
 * mail.
 * @throws `invalid_parameter`, `rate_limited`, `challenge_required`
 */
export async function startReset(
  context: IdentityContext,
  address: string,
  origin: RequestOrigin,
): Promise<{ email: string; reset_ticket: string }> {
  const { background, clock, codes, database, limits, ticketRules } = context;
  const { language } = origin;
  const email = readEmail(address);
  await limits.consume(['begin-ip', toSubnet(origin.ip)]);
  await consumeMailLimits(limits, email.key, origin.ip);
  await context.challenges.guardReset(email.key, origin);
  const found = await findCredentials(database, email.key);
  const user = found?.status === 'closed' ? undefined : found;
  const ticket = await transaction(database, async (tx) => {
    const secret = await createTicket(tx, context, {
      kind: 'reset',
      emailKey: email.key,
      hasCode: true,
      ...(user && { userId: user.userId }),
    });
    const recipient = user
      ? { to: user.email, userId: user.userId, nickname: user.nickname, language }
      : { to: email.address, nickname: 'you', language };
    const code = codes.of(secret, email.key);
    const mail = resetCode(recipient, code, ticketRules.reset.codeLifetime_s);
    await mailUnlessDecoy(tx, context, mail, !user);
    return secret;
  });
  // After the response, because only users have a log and time must not show it.
  if (user) {
    const event = { userId: user.userId, type: 'password_reset_requested', origin } as const;
    background.run(() => transaction(database, (tx) => logSecurityEvent(tx, clock, event)));
  }
  return { email: email.address, reset_ticket: ticket };
}

export interface ResetTicket {
  readonly email: string;
  readonly reset_ticket: string;
}

export function presentReset({ email, reset_ticket }: ResetTicket): PresentedTicket {
  return { ticket: reset_ticket, purpose: 'reset', emailKey: readEmail(email).key };
}

/** The factors that a reset needs beside the mailbox, which EMAIL would be again. */
export async function listResetMethods(
  db: Db,
  { clock }: IdentityContext,
  userId: number,
): Promise<TwoFactorMethod[]> {
  const methods = await listMethods(db, clock, userId);
  return methods.filter((method) => method !== 'EMAIL');
}

export interface ResetVerified {
  readonly need_two_factor: boolean;
  readonly two_factor_methods: TwoFactorMethod[];
}

export interface MailboxProof extends ResetTicket {
  readonly validate_code: string;
  /** The new password, to be checked before a second factor is asked for. */
  readonly login_password?: string;
}

/** Refuses a bad new password; the code stays usable. Runs after the code, to leak no names. */
async function checkNewPassword(
  tx: Transaction,
  userId: number,
  { login_password }: MailboxProof,
): Promise<void> {
  const self = login_password === undefined ? undefined : await findUser(tx, userId);
  if (self && login_password !== undefined)
    checkPasswordChoice(login_password, [self.email, self.nickname]);
}

async function verifyMailbox(
  tx: Transaction,
  context: IdentityContext,
  presented: PresentedTicket,
  proof: MailboxProof,
): Promise<AttemptOutcome<ResetVerified>> {
  const { clock, codes } = context;
  const ticket = await consumeAttempt(tx, clock, presented);
  const isRight = codes.isRight(presented.ticket, presented.emailKey, proof.validate_code);
  const { userId, triesLeft } = ticket;
  if (userId === undefined || !(await verifyCode(tx, clock, ticket, isRight))) return { triesLeft };
  await checkNewPassword(tx, userId, proof);
  const methods = await listResetMethods(tx, context, userId);
  return { done: { need_two_factor: methods.length > 0, two_factor_methods: methods } };
}

/**
 * Verifies the mailbox.
 * @throws `invalid_ticket`, `invalid_code` with `tries_left`, `invalid_parameter`, `rate_limited`
 */
export async function verifyReset(
  context: IdentityContext,
  input: MailboxProof,
  { ip }: RequestOrigin,
): Promise<ResetVerified> {
  const presented = presentReset(input);
  const { emailKey } = presented;
  const codeKey: RateLimitKey = ['code-ip', toSubnet(ip)];
  await context.limits.consume(codeKey);
  const accountKey = await consumeAccountLimit(context, 'reset-account', { emailKey, ip });
  return runAttempt(context, [codeKey, accountKey, ['begin-ip', toSubnet(ip)]], (tx) =>
    verifyMailbox(tx, context, presented, input),
  );
}
