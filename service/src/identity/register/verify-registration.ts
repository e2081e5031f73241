/** Second step of an account: the code proves the address, and the person exists. */
import { type Transaction, transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { hashSecret } from '../../lib/ids.ts';
import { networkOf } from '../../lib/rate-limit-subnet.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import { logSecurityEvent } from '../security-log.ts';
import { createTicket } from '../tickets.ts';
import type { Origin, User } from '../types.ts';
import { createUser } from './create-user.ts';

/** Long enough to go on at once, and not a second longer than a retry needs. */
export const HANDOVER_TTL_S = 120;

export interface VerificationInput {
  readonly email: string;
  readonly register_ticket: string;
  readonly validate_code: string;
}

interface RegistrationRow {
  email: string;
  email_key: string;
  nickname: string;
  password_hash: string;
  referrer_id: number | null;
  is_decoy: boolean;
  tries_left: number;
}

type Outcome = { readonly user: User } | { readonly triesLeft: number };

async function verify(
  tx: Transaction,
  kit: IdentityContext,
  input: VerificationInput,
  origin: Origin,
  browser: string | undefined,
): Promise<Outcome> {
  const { clock, codes } = kit;
  const hash = hashSecret(input.register_ticket);
  const emailKey = readEmail(input.email).key;
  const { rows } = await tx.query<RegistrationRow>(
    `update registration set tries_left = tries_left - 1
     where ticket_hash = $1 and email_key = $2 and consumed_at is null and tries_left > 0 and expires_at > $3 returning *`,
    [hash, emailKey, clock.now()],
  );
  const row = rows[0];
  if (!row) throw failure('invalid_ticket');
  // The comparison runs for a decoy too, so that it takes the same time.
  if (!codes.isRight(input.register_ticket, emailKey, input.validate_code) || row.is_decoy)
    return { triesLeft: row.tries_left };
  await tx.query('update registration set consumed_at = $2 where ticket_hash = $1', [
    hash,
    clock.now(),
  ]);
  const { email, nickname, password_hash: passwordHash, referrer_id: referrerId } = row;
  const user = await createUser(tx, clock, kit.onUserCreated, {
    email,
    nickname,
    passwordHash,
    ...(referrerId !== null && { referrerId }),
  });
  if (!user)
    throw failure('invalid_ticket', {
      detail: 'The address got an account by another registration meanwhile.',
    });
  await logSecurityEvent(tx, clock, { userId: user.userId, type: 'registered', origin });
  // The caller has given the password and read the mailbox: the ticket goes on as a login ticket, with the code that it always had.
  await createTicket(tx, clock, {
    purpose: 'login',
    userId: user.userId,
    emailKey,
    ttl_s: HANDOVER_TTL_S,
    codeTtl_s: HANDOVER_TTL_S,
    secret: input.register_ticket,
    ...(browser !== undefined && { browser }),
  });
  return { user };
}

/**
 * Finishes a registration: exactly one request can. Its ticket serves to sign in for a moment, bound to `browser`.
 * @throws `invalid_ticket`, `invalid_code` with `tries_left`
 */
export async function verifyRegistration(
  kit: IdentityContext,
  input: VerificationInput,
  origin: Origin,
  browser: string | undefined,
): Promise<User> {
  const network = networkOf(origin.ip);
  await kit.limits.take(['code-ip', network]);
  const outcome = await transaction(kit.database, (tx) => verify(tx, kit, input, origin, browser));
  if ('triesLeft' in outcome)
    throw failure('invalid_code', { extra: { tries_left: outcome.triesLeft } });
  await kit.limits.giveBack([
    ['code-ip', network],
    ['begin-ip', network],
  ]);
  return outcome.user;
}
