/** Second step of registration: the code verifies the address, and the user is created. */
import { defineStatement, execute, inOrder, type Transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { hashSecret } from '../../lib/ids.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import type { RateLimitKey } from '../limits.ts';
import { type AttemptOutcome, runAttempt } from '../run-attempt.ts';
import { logSecurityEvent } from '../security-log.ts';
import { createTicket, type UpstreamSubject } from '../tickets.ts';
import type { RequestOrigin, User } from '../types.ts';
import { linkToNewUser } from '../upstream/upstream-identities.ts';
import { createUser } from './create-user.ts';

export interface VerificationInput {
  readonly email: string;
  readonly register_ticket: string;
  readonly validate_code: string;
}

interface RegistrationRow {
  email: string;
  nickname: string;
  password_hash: string | null;
  upstream_issuer: string | null;
  upstream_subject: string | null;
  referrer_id: number | null;
  is_decoy: boolean;
  tries_left: number;
}

/** `is_right`: the code is right; the registration is then consumed, unless it is a decoy. */
const CONSUME_REGISTRATION = defineStatement(
  'identity-consume-registration',
  `update registration set tries_left = tries_left - 1,
     consumed_at = case when :is_right and not is_decoy then :now::timestamptz end
   where ticket_hash = :ticket_hash and email_key = :email_key and consumed_at is null
     and tries_left > 0 and expires_at > :now::timestamptz
   returning email, nickname, password_hash, referrer_id, upstream_issuer, upstream_subject,
     is_decoy, tries_left`,
);

function readUpstream(row: RegistrationRow): UpstreamSubject | undefined {
  const { email, upstream_issuer: issuer, upstream_subject: subject } = row;
  return issuer === null || subject === null ? undefined : { issuer, subject, email };
}

async function verify(
  tx: Transaction,
  context: IdentityContext,
  { email, register_ticket: secret, validate_code }: VerificationInput,
  { origin, browser }: { origin: RequestOrigin; browser: string | undefined },
): Promise<AttemptOutcome<User>> {
  const { clock, codes } = context;
  const emailKey = readEmail(email).key;
  const isRight = codes.isRight(secret, emailKey, validate_code);
  const { rows } = await execute<RegistrationRow>(tx, CONSUME_REGISTRATION, {
    ticket_hash: hashSecret(secret),
    email_key: emailKey,
    is_right: isRight,
    now: clock.now(),
  });
  const [row] = rows;
  if (!row) throw failure('invalid_ticket');
  if (!isRight || row.is_decoy) return { triesLeft: row.tries_left };
  const user = await createUser(tx, clock, context.onUserCreated, {
    email: row.email,
    nickname: row.nickname,
    passwordHash: row.password_hash,
    referrerId: row.referrer_id,
  });
  if (!user)
    throw failure('invalid_ticket', {
      detail: 'Another registration created an account for this address.',
    });
  const { userId } = user;
  const upstream = readUpstream(row);
  // The first factor and the mailbox are verified: the ticket continues as a login ticket with the
  // same code.
  await inOrder([
    logSecurityEvent(tx, clock, { userId, type: 'registered', origin }),
    createTicket(tx, context, {
      kind: 'registered',
      userId,
      emailKey,
      hasCode: true,
      secret,
      ...(upstream && { upstream }),
      ...(browser !== undefined && { browser }),
    }),
  ]);
  if (upstream) await linkToNewUser(tx, context, { user, origin }, upstream);
  return { done: user };
}

/**
 * Finishes a registration: exactly one request can. Its ticket then serves for the login, bound to
 * `browser`.
 * @throws `invalid_ticket`, `invalid_code` with `tries_left`
 */
export async function verifyRegistration(
  context: IdentityContext,
  input: VerificationInput,
  origin: RequestOrigin,
  browser: string | undefined,
): Promise<User> {
  const subnet = toSubnet(origin.ip);
  const codeKey: RateLimitKey = ['code-ip', subnet];
  await context.limits.consume(codeKey);
  return runAttempt(context, [codeKey, ['begin-ip', subnet]], (tx) =>
    verify(tx, context, input, { origin, browser }),
  );
}
