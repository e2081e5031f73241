import { transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import type { RateLimitKey } from '../limits.ts';
import type { Credentials } from '../queries.ts';
import { methodsOf } from '../second-factors/available-methods.ts';
import { logSecurityEvent } from '../security-log.ts';
import type { RequestOrigin, TwoFactorMethod } from '../types.ts';
import { startLoginAttempt } from './start-login-attempt.ts';

export interface LoginInput {
  readonly email: string;
  readonly login_password: string;
}

export interface VerifiedPassword {
  readonly user: Credentials & { readonly passwordHash: string };
  readonly methods: TwoFactorMethod[];
  /** EMAIL is the only second factor: its code is mailed without a request. */
  readonly isEmailOnly: boolean;
  /** The counters of the attempt; the caller refunds them. */
  readonly limitKeys: readonly RateLimitKey[];
}

/** Runs after the response, because only users have a log and time must not show it. */
function logFailure(context: IdentityContext, userId: number, origin: RequestOrigin): void {
  const { background, database, clock } = context;
  background.run(() =>
    transaction(database, (tx) =>
      logSecurityEvent(tx, clock, { userId, type: 'sign_in_failed', origin }),
    ),
  );
}

/**
 * Verifies a password within its limits, in the same time with and without an account. The attempt
 * stays counted: the caller refunds it.
 * @throws `invalid_credentials`, `rate_limited`
 */
export async function verifyPassword(
  context: IdentityContext,
  input: LoginInput,
  origin: RequestOrigin,
): Promise<VerifiedPassword> {
  const emailKey = readEmail(input.email).key;
  const { limitKeys, found } = await startLoginAttempt(context, emailKey, origin.ip);
  const passwordHash = found?.user.passwordHash;
  const isRight = await context.passwords.verify(passwordHash, input.login_password);
  if (!isRight || !found || passwordHash === undefined) {
    if (found && found.user.status !== 'closed') logFailure(context, found.user.userId, origin);
    throw failure('invalid_credentials');
  }
  const methods = methodsOf(found.factors, context.clock.now());
  return {
    user: { ...found.user, passwordHash },
    methods,
    isEmailOnly: methods.length === 1 && methods[0] === 'EMAIL',
    limitKeys,
  };
}

/** Verifies a password and refunds the attempt. @throws `invalid_credentials`, `rate_limited` */
export async function checkPassword(
  context: IdentityContext,
  input: LoginInput,
  origin: RequestOrigin,
): Promise<VerifiedPassword> {
  const verified = await verifyPassword(context, input, origin);
  await context.limits.refund(verified.limitKeys);
  return verified;
}
