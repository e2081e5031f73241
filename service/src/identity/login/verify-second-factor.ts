/** The step that every two-step proof shares: a ticket, one try, one factor, within all limits. */
import { type Transaction, transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { networkOf } from '../../lib/rate-limit-subnet.ts';
import type { IdentityContext } from '../context.ts';
import { accountSubject } from '../limits.ts';
import { lockUserForShare } from '../queries.ts';
import { listMethods } from '../second-factors/available-methods.ts';
import { type FactorProof, verifyFactor } from '../second-factors/verify-factor.ts';
import { logSecurityEvent } from '../security-log.ts';
import { consumeAttempt, consumeTicket, type PresentedTicket, readTicket } from '../tickets.ts';
import type { Origin, User } from '../types.ts';

export interface VerifiedUser {
  readonly user: User;
  /** How the second factor was proven. */
  readonly factor: string;
}

type Outcome<T> = { readonly done: T } | { readonly triesLeft: number };

interface FactorAttempt {
  readonly presented: PresentedTicket;
  readonly userId: number;
  readonly proof: FactorProof;
  readonly origin: Origin;
}

async function attempt<T>(
  tx: Transaction,
  kit: IdentityContext,
  { presented, userId, proof, origin }: FactorAttempt,
  finish: (tx: Transaction, proven: VerifiedUser) => Promise<T>,
): Promise<Outcome<T>> {
  const { clock } = kit;
  const user = await lockUserForShare(tx, userId);
  const ticket = await consumeAttempt(tx, clock, presented);
  if (!user) throw failure('invalid_ticket');
  const methods = await listMethods(tx, clock, userId);
  const factor = await verifyFactor(
    tx,
    kit,
    { user, ticket, secret: presented.ticket, methods },
    proof,
  );
  if (factor === undefined) {
    await logSecurityEvent(tx, clock, {
      userId,
      type: 'second_factor_failed',
      origin,
      details: { method: proof.method },
    });
    return { triesLeft: ticket.triesLeft };
  }
  if (user.status !== 'active') throw failure('account_disabled');
  await consumeTicket(tx, clock, ticket);
  if (proof.kind === 'recovery')
    await logSecurityEvent(tx, clock, { userId, type: 'recovery_code_used', origin });
  return { done: await finish(tx, { user, factor }) };
}

/**
 * Consumes a ticket with a right factor and runs `finish` in the same transaction; a wrong one costs a try.
 * @throws `invalid_ticket`, `invalid_code` with `tries_left`, `method_unavailable`, `account_disabled`, `rate_limited`
 */
export async function verifySecondFactor<T>(
  kit: IdentityContext,
  presented: PresentedTicket,
  proof: FactorProof,
  origin: Origin,
  finish: (tx: Transaction, proven: VerifiedUser) => Promise<T>,
): Promise<T> {
  const { database, clock, limits } = kit;
  const network = networkOf(origin.ip);
  await limits.take(['factor-ip', network]);
  const { userId } = await readTicket(database, clock, presented);
  if (userId === undefined) throw failure('invalid_ticket');
  const subject = await accountSubject(database, clock, presented.emailKey, origin.ip);
  await limits.take(['factor-account', subject]);
  const outcome = await transaction(database, (tx) =>
    attempt(tx, kit, { presented, userId, proof, origin }, finish),
  );
  if ('triesLeft' in outcome)
    throw failure('invalid_code', { extra: { tries_left: outcome.triesLeft } });
  await limits.giveBack([
    ['factor-ip', network],
    ['factor-account', subject],
  ]);
  return outcome.done;
}
