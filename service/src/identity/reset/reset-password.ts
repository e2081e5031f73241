/**
 * A forgotten password. The mailbox is proven by a code; whoever has a stronger factor proves that too. The mailbox
 * alone would then be everything: so EMAIL is no second factor for a day, and where it was all there is, money waits.
 */
import { savepoint, type Transaction, transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { networkOf } from '../../lib/rate-limit-subnet.ts';
import { sendMail } from '../../mail/index.ts';
import { type Recipient, resetCode } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { type Email, readEmail } from '../emails.ts';
import { accountSubject, takeMailHits } from '../limits.ts';
import { checkPasswordChoice } from '../passwords.ts';
import { findCredentials, findUser } from '../queries.ts';
import { methodsOf, readFactors } from '../second-factors/available-methods.ts';
import { logSecurityEvent } from '../security-log.ts';
import { consumeAttempt, createTicket, type PresentedTicket, verifyCode } from '../tickets.ts';
import type { Asker, Origin, TwoFactorMethod, User } from '../types.ts';

/** Thrown to undo a decoy's mail. */
class Undo extends Error {}

/** Queues the code's mail; for an address without an account the same work is done and undone, so that time tells nothing. */
async function mailCode(
  tx: Transaction,
  { clock, config, codes }: IdentityContext,
  email: Email,
  ticket: string,
  user: User | undefined,
  language: Recipient['language'],
): Promise<void> {
  try {
    await savepoint(tx, async () => {
      const code = codes.of(ticket, email.key);
      await sendMail(
        tx,
        clock,
        resetCode(
          { to: user?.email ?? email.address, nickname: user?.nickname ?? 'you', language },
          code,
          config.EMAIL_CODE_TTL,
        ),
      );
      if (!user) throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
}

/** Begins a reset. An address without an account gets the same answer after the same work, and no mail. */
export async function startReset(
  kit: IdentityContext,
  address: string,
  origin: Asker,
): Promise<{ email: string; reset_ticket: string }> {
  const { database, clock, config, limits } = kit;
  const email = readEmail(address);
  await limits.take(['begin-ip', networkOf(origin.ip)]);
  await takeMailHits(limits, email.key, origin.ip);
  const found = await findCredentials(database, email.key);
  const user = found?.passwordHash === undefined ? undefined : found;
  const ttl_s = config.EMAIL_CODE_TTL;
  const ticket = await transaction(database, async (tx) => {
    const secret = await createTicket(tx, clock, {
      purpose: 'reset',
      emailKey: email.key,
      ttl_s,
      codeTtl_s: ttl_s,
      ...(user && { userId: user.userId }),
    });
    await mailCode(tx, kit, email, secret, user, origin.language);
    return secret;
  });
  // After the answer, for the same reason: who does not exist has no log.
  if (user)
    kit.background.run(() =>
      transaction(database, (tx) =>
        logSecurityEvent(tx, clock, {
          userId: user.userId,
          type: 'password_reset_requested',
          origin,
        }),
      ),
    );
  return { email: email.address, reset_ticket: ticket };
}

export interface ResetTicket {
  readonly email: string;
  readonly reset_ticket: string;
}

export function presentReset({ email, reset_ticket }: ResetTicket): PresentedTicket {
  return { ticket: reset_ticket, purpose: 'reset', emailKey: readEmail(email).key };
}

/** The factors that a reset needs beside the mailbox: EMAIL would be the mailbox again. */
export async function resetMethods(
  tx: Transaction,
  kit: IdentityContext,
  userId: number,
): Promise<TwoFactorMethod[]> {
  return methodsOf(await readFactors(tx, userId), kit.clock.now()).filter(
    (method) => method !== 'EMAIL',
  );
}

export interface ResetProven {
  readonly need_two_factor: boolean;
  readonly two_factor_methods: TwoFactorMethod[];
}

export interface MailboxProof extends ResetTicket {
  readonly validate_code: string;
  /** The password that is meant to come: a refused one is told before a factor is spent on it. */
  readonly login_password?: string;
}

/** Refuses the password that is meant to come; the code stays good then. Only its owner is told: others would learn names. */
async function checkIntended(
  tx: Transaction,
  userId: number,
  { login_password }: MailboxProof,
): Promise<void> {
  const self = login_password === undefined ? undefined : await findUser(tx, userId);
  if (self && login_password !== undefined)
    checkPasswordChoice(login_password, [self.email, self.nickname]);
}

/** Proves the mailbox. @throws `invalid_ticket`, `invalid_code` with `tries_left`, `invalid_parameter` */
export async function verifyReset(
  kit: IdentityContext,
  input: MailboxProof,
  origin: Origin,
): Promise<ResetProven> {
  const { database, clock, codes, limits } = kit;
  const presented = presentReset(input);
  const network = networkOf(origin.ip);
  await limits.take(['code-ip', network]);
  const subject = await accountSubject(database, clock, presented.emailKey, origin.ip);
  await limits.take(['reset-account', subject]);
  const outcome = await transaction(database, async (tx) => {
    const ticket = await consumeAttempt(tx, clock, presented);
    const isRight =
      codes.isRight(presented.ticket, presented.emailKey, input.validate_code) &&
      ticket.userId !== undefined;
    if (!(await verifyCode(tx, clock, ticket, isRight)) || ticket.userId === undefined)
      return { triesLeft: ticket.triesLeft };
    await checkIntended(tx, ticket.userId, input);
    const methods = await resetMethods(tx, kit, ticket.userId);
    return { need_two_factor: methods.length > 0, two_factor_methods: methods };
  });
  if ('triesLeft' in outcome)
    throw failure('invalid_code', { extra: { tries_left: outcome.triesLeft } });
  await limits.giveBack([
    ['code-ip', network],
    ['reset-account', subject],
    ['begin-ip', network],
  ]);
  return outcome;
}
