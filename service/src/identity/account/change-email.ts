/** Change of the email address: the old and the new mailbox are both verified. */
import {
  isUniqueViolation,
  queryNamed,
  savepoint,
  type Transaction,
  transaction,
} from '../../db/index.ts';
import { failure, fieldError } from '../../lib/failures.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import { type Message, sendMail } from '../../mail/index.ts';
import { addressTaken, changeNotice, emailChangeCode } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import { consumeMailLimits, type RateLimitKey } from '../limits.ts';
import { findCredentials, findUser } from '../queries.ts';
import { type AttemptOutcome, consumeAccountLimit, runAttempt } from '../run-attempt.ts';
import { verifyCode } from '../ticket-proofs.ts';
import { consumeAttempt, consumeTicket, createTicket, deleteTickets } from '../tickets.ts';
import {
  type FullSession,
  finishSecurityChange,
  lockReauthenticatedUser,
  requireFreshProof,
} from './require-reauthentication.ts';

/**
 * Mails a code to each address. A taken address gets the same response; its owner gets a mail
 * without a code.
 */
export async function startEmailChange(
  context: IdentityContext,
  session: FullSession,
  address: string,
): Promise<{ email: string; email_ticket: string }> {
  const { database, clock, codes, limits, mailDomains, ticketRules } = context;
  const next = readEmail(address);
  await mailDomains.check(next);
  const { language } = session.origin;
  const validFor_s = ticketRules.email_change.codeLifetime_s;
  await requireFreshProof(database, context, session);
  await limits.consume(['mail-account', String(session.userId)]);
  await consumeMailLimits(limits, next.key, session.origin.ip);
  const ticket = await transaction(database, async (tx) => {
    const user = await lockReauthenticatedUser(tx, session.userId);
    const emailKey = user.email.toLowerCase();
    if (user.email === next.address)
      throw fieldError('email', 'unchanged', 'is already the address of the account');
    const isTaken = ((await findCredentials(tx, next.key))?.userId ?? user.userId) !== user.userId;
    const secret = await createTicket(tx, context, {
      kind: 'email_change',
      userId: user.userId,
      emailKey,
      sid: session.sid,
      newEmail: next.address,
      hasCode: true,
    });
    const write = (to: string, code: string): Message =>
      emailChangeCode(
        { to, userId: user.userId, nickname: user.nickname, language },
        code,
        next.address,
        validFor_s,
      );
    await sendMail(tx, clock, write(user.email, codes.of(secret, `old ${emailKey}`)));
    const toNew = isTaken
      ? addressTaken({ to: next.address, language })
      : write(next.address, codes.of(secret, `new ${next.key}`));
    await sendMail(tx, clock, toNew);
    const change = { type: 'email_change_requested' } as const;
    await finishSecurityChange(tx, context, { user, session }, change);
    return secret;
  });
  return { email: next.address, email_ticket: ticket };
}

export interface EmailVerification {
  readonly email_ticket: string;
  /** The code that was mailed to the current address. */
  readonly validate_code: string;
  /** The code that was mailed to the new address. */
  readonly new_validate_code: string;
}

async function verify(
  tx: Transaction,
  context: IdentityContext,
  session: FullSession,
  input: EmailVerification,
): Promise<AttemptOutcome<undefined>> {
  const { clock, codes } = context;
  const user = await lockReauthenticatedUser(tx, session.userId);
  const emailKey = user.email.toLowerCase();
  const ticket = await consumeAttempt(tx, clock, {
    ticket: input.email_ticket,
    purpose: 'email_change',
    emailKey,
    sid: session.sid,
  });
  const next = readEmail(ticket.newEmail ?? '');
  const isOldRight = codes.isRight(input.email_ticket, `old ${emailKey}`, input.validate_code);
  const isNewRight = codes.isRight(input.email_ticket, `new ${next.key}`, input.new_validate_code);
  if (!(await verifyCode(tx, clock, ticket, isOldRight && isNewRight)))
    return { triesLeft: ticket.triesLeft };
  await consumeTicket(tx, clock, ticket);
  try {
    await savepoint(tx, () =>
      queryNamed(
        tx,
        `update app_user set email = :address, email_key = :key,
          profile_changed_at = :now where id = :user_id`,
        { user_id: user.userId, address: next.address, key: next.key, now: clock.now() },
      ),
    );
  } catch (error) {
    if (isUniqueViolation(error, 'app_user_email_key_key'))
      throw failure('invalid_ticket', { detail: 'The address now belongs to another account.' });
    throw error;
  }
  await deleteTickets(tx, user.userId);
  await finishSecurityChange(
    tx,
    context,
    { user, session },
    {
      type: 'email_changed',
      notice: { kind: 'emailChanged', values: { email: next.address } },
    },
  );
  await sendMail(
    tx,
    clock,
    changeNotice(
      {
        to: next.address,
        userId: user.userId,
        nickname: user.nickname,
        language: session.origin.language,
      },
      { kind: 'emailIsYours' },
    ),
  );
  return { done: undefined };
}

/**
 * Changes the address if both codes are right.
 * @throws `invalid_ticket`, `invalid_code` with `tries_left`, `rate_limited`
 */
export async function finishEmailChange(
  context: IdentityContext,
  session: FullSession,
  input: EmailVerification,
): Promise<void> {
  const { database, limits } = context;
  const { ip } = session.origin;
  const codeKey: RateLimitKey = ['code-ip', toSubnet(ip)];
  await limits.consume(codeKey);
  await requireFreshProof(database, context, session);
  const user = await findUser(database, session.userId);
  const emailKey = user?.email.toLowerCase() ?? '';
  const accountKey = await consumeAccountLimit(context, 'factor-account', { emailKey, ip });
  await runAttempt(context, [codeKey, accountKey], (tx) => verify(tx, context, session, input));
}
