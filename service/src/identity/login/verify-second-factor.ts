/** The second step of login and reauthentication: one attempt with a ticket and a factor. */
import { inOrder, type Transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { lockUserForShare } from '../queries.ts';
import { type AttemptOutcome, runAttempt, startTicketAttempt } from '../run-attempt.ts';
import { listMethods } from '../second-factors/available-methods.ts';
import { type FactorProof, verifyFactor } from '../second-factors/verify-factor.ts';
import { logSecurityEvent } from '../security-log.ts';
import { consumeAttempt, consumeTicket, type PresentedTicket, type Ticket } from '../tickets.ts';
import type { RequestOrigin, User } from '../types.ts';

export interface VerifiedUser {
  readonly user: User;
  /** How the second factor was verified, for `amr`. */
  readonly factor: string;
  readonly ticket: Ticket;
}

export interface FactorAttempt<T> {
  readonly presented: PresentedTicket;
  readonly proof: FactorProof;
  readonly origin: RequestOrigin;
  /** Runs in the transaction that consumes the ticket. */
  readonly finish: (tx: Transaction, verified: VerifiedUser) => Promise<T>;
}

async function attemptFactor<T>(
  tx: Transaction,
  context: IdentityContext,
  { presented, proof, origin, finish }: FactorAttempt<T>,
  userId: number,
): Promise<AttemptOutcome<T>> {
  const { clock } = context;
  // Sent together; the user is locked before the ticket.
  const [user, ticket, methods] = await Promise.all([
    lockUserForShare(tx, userId),
    consumeAttempt(tx, clock, presented),
    listMethods(tx, clock, userId),
  ]);
  // A ticket that was issued while the address changed has a code that went to the old mailbox.
  if (user?.email.toLowerCase() !== ticket.emailKey) throw failure('invalid_ticket');
  const target = { user, ticket, secret: presented.ticket, methods };
  const factor = await verifyFactor(tx, context, target, proof);
  if (factor === undefined) {
    const details = { method: proof.method };
    await logSecurityEvent(tx, clock, { userId, type: 'second_factor_failed', origin, details });
    return { triesLeft: ticket.triesLeft };
  }
  if (user.status !== 'active') throw failure('account_disabled');
  if (proof.kind === 'recovery')
    await logSecurityEvent(tx, clock, { userId, type: 'recovery_code_used', origin });
  const consumed = consumeTicket(tx, clock, ticket);
  const done = finish(tx, { user, factor, ticket });
  await inOrder([consumed, done]);
  return { done: await done };
}

/**
 * Consumes a ticket with a right factor and runs `finish` in the same transaction; a wrong factor
 * uses up a try.
 * @throws `invalid_ticket`, `invalid_code` with `tries_left`, `method_unavailable`,
 *   `account_disabled`, `rate_limited`
 */
export async function verifySecondFactor<T>(
  context: IdentityContext,
  attempt: FactorAttempt<T>,
): Promise<T> {
  const { presented, origin } = attempt;
  const { userId, limitKeys } = await startTicketAttempt(context, presented, origin.ip);
  return runAttempt(context, limitKeys, (tx) => attemptFactor(tx, context, attempt, userId));
}
