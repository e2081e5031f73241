/** Last step of a password reset: the second factor, if there is one, and the new password. */
import { defineStatement, execute, type Transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { sendMail } from '../../mail/index.ts';
import { changeNotice } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { checkPasswordChoice } from '../passwords.ts';
import { findUser, lockUser } from '../queries.ts';
import { type AttemptOutcome, runAttempt, startTicketAttempt } from '../run-attempt.ts';
import { RESTRICTION_MS } from '../second-factors/freeze-money.ts';
import { type FactorFields, readProof, verifyFactor } from '../second-factors/verify-factor.ts';
import { logSecurityEvent } from '../security-log.ts';
import { endAllSessions } from '../sessions/index.ts';
import { consumeAttempt, consumeTicket, deleteTickets, type Ticket } from '../tickets.ts';
import type { RequestOrigin, User } from '../types.ts';
import { listResetMethods, presentReset, type ResetTicket } from './reset-password.ts';

export interface ResetCompletion extends ResetTicket, Partial<FactorFields> {
  readonly login_password: string;
}

type Proof = 'strong' | 'mailbox';

/**
 * Verifies the second factor; a user without one has verified the mailbox.
 * @returns undefined when the factor is wrong
 * @throws `invalid_parameter`, `method_unavailable`
 */
async function verifyResetFactor(
  tx: Transaction,
  context: IdentityContext,
  target: { user: User; ticket: Ticket },
  input: ResetCompletion,
): Promise<Proof | undefined> {
  const methods = await listResetMethods(tx, context, target.user.userId);
  if (methods.length === 0) return 'mailbox';
  const { method } = input;
  if (method === undefined)
    throw failure('method_unavailable', {
      detail: 'A second factor is required.',
      extra: { two_factor_methods: methods },
    });
  const proof = readProof({ ...input, method });
  const attempt = { ...target, secret: input.reset_ticket, methods };
  return (await verifyFactor(tx, context, attempt, proof)) === undefined ? undefined : 'strong';
}

const STORE_PASSWORD = defineStatement(
  'identity-reset-password',
  `with changed as (update app_user set password_hash = :password_hash where id = :user_id)
   insert into user_security (user_id, email_factor_barred_until, money_frozen_until)
   values (:user_id, :until, case when :is_frozen::boolean then :until::timestamptz end)
   on conflict (user_id) do update set
     email_factor_barred_until = excluded.email_factor_barred_until,
     money_frozen_until = coalesce(excluded.money_frozen_until, user_security.money_frozen_until)`,
);

async function storePassword(
  tx: Transaction,
  { clock }: IdentityContext,
  { userId, email, nickname }: User,
  { passwordHash, proof, origin }: { passwordHash: string; proof: Proof; origin: RequestOrigin },
): Promise<void> {
  const isFrozen = proof === 'mailbox';
  await execute(tx, STORE_PASSWORD, {
    user_id: userId,
    password_hash: passwordHash,
    is_frozen: isFrozen,
    until: new Date(clock.now().getTime() + RESTRICTION_MS),
  });
  await endAllSessions(tx, clock, { userId, reason: 'password_reset' });
  await deleteTickets(tx, userId);
  await logSecurityEvent(tx, clock, {
    userId,
    type: 'password_reset',
    origin,
    details: { money_frozen: isFrozen },
  });
  const recipient = { to: email, userId, nickname, language: origin.language };
  const kind = isFrozen ? 'passwordResetAndFrozen' : 'passwordReset';
  await sendMail(tx, clock, changeNotice(recipient, { kind }));
}

interface Completion {
  readonly input: ResetCompletion;
  readonly userId: number;
  readonly passwordHash: string;
  readonly origin: RequestOrigin;
}

async function complete(
  tx: Transaction,
  context: IdentityContext,
  { input, userId, passwordHash, origin }: Completion,
): Promise<AttemptOutcome<undefined>> {
  const { clock } = context;
  const user = await lockUser(tx, userId);
  const ticket = await consumeAttempt(tx, clock, presentReset(input));
  // A ticket that was issued while the address changed has a code that went to the old mailbox.
  const isTheirs = user?.email.toLowerCase() === ticket.emailKey;
  if (!user || !isTheirs || !ticket.isCodeUsed) throw failure('invalid_ticket');
  const proof = await verifyResetFactor(tx, context, { user, ticket }, input);
  if (proof === undefined) {
    const details = { method: input.method ?? '' };
    await logSecurityEvent(tx, clock, { userId, type: 'second_factor_failed', origin, details });
    return { triesLeft: ticket.triesLeft };
  }
  if (user.status !== 'active') throw failure('account_disabled');
  await consumeTicket(tx, clock, ticket);
  await storePassword(tx, context, user, { passwordHash, proof, origin });
  return { done: undefined };
}

/**
 * Sets the new password and ends every session.
 * @throws `invalid_ticket`, `invalid_code`, `method_unavailable`, `invalid_parameter`,
 *   `rate_limited`
 */
export async function completeReset(
  context: IdentityContext,
  input: ResetCompletion,
  origin: RequestOrigin,
): Promise<void> {
  const { userId, limitKeys } = await startTicketAttempt(context, presentReset(input), origin.ip);
  const self = await findUser(context.database, userId);
  if (!self) throw failure('invalid_ticket');
  checkPasswordChoice(input.login_password, [self.email, self.nickname]);
  const passwordHash = await context.passwords.hash(input.login_password);
  await runAttempt(context, limitKeys, (tx) =>
    complete(tx, context, { input, userId, passwordHash, origin }),
  );
}
