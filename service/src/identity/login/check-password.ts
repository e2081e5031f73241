import { transaction } from '../../db/index.ts';
import { Failure, failure } from '../../lib/failures.ts';
import { sendMail } from '../../mail/index.ts';
import { passwordNeeded } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import { consumeMailLimits } from '../limits.ts';
import type { Credentials } from '../queries.ts';
import { methodsOf } from '../second-factors/available-methods.ts';
import { logSecurityEvent } from '../security-log.ts';
import type { RequestOrigin } from '../types.ts';
import type { FirstFactor } from './issue-login-ticket.ts';
import { startLoginAttempt } from './start-login-attempt.ts';

export interface LoginInput {
  readonly email: string;
  readonly login_password: string;
}

/** The counters are those of the attempt; the caller refunds them. */
export interface VerifiedPassword extends FirstFactor {
  readonly user: Credentials & { readonly passwordHash: string };
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
 * Runs after the response, too: an account that was imported without a password is led through a
 * reset by a mail to its owner, within the limits of mails.
 */
function mailPasswordNeeded(
  context: IdentityContext,
  { userId, email: to, nickname }: Credentials,
  emailKey: string,
  { ip, language }: RequestOrigin,
): void {
  const { background, database, clock, limits } = context;
  background.run(async () => {
    try {
      await consumeMailLimits(limits, emailKey, ip);
    } catch (error) {
      if (error instanceof Failure && error.code === 'rate_limited') return;
      throw error;
    }
    const mail = passwordNeeded({ to, userId, nickname, language });
    await transaction(database, (tx) => sendMail(tx, clock, mail));
  });
}

/**
 * Verifies a password within its limits, in the same time with and without an account. The attempt
 * stays counted: the caller refunds it. `guard` runs before the password is compared.
 * @throws `invalid_credentials`, `rate_limited`
 */
export async function verifyPassword(
  context: IdentityContext,
  input: LoginInput,
  origin: RequestOrigin,
  guard?: (steps: number) => Promise<void>,
): Promise<VerifiedPassword> {
  const emailKey = readEmail(input.email).key;
  const { limitKeys, steps, found } = await startLoginAttempt(context, emailKey, origin.ip);
  await guard?.(steps).catch(async (error: unknown) => {
    // The password was not compared.
    await context.limits.refund(limitKeys);
    throw error;
  });
  const passwordHash = found?.user.passwordHash;
  const isRight = await context.passwords.verify(passwordHash, input.login_password);
  if (!isRight || !found || passwordHash === undefined) {
    if (found && found.user.status !== 'closed') logFailure(context, found.user.userId, origin);
    if (found?.user.status === 'active' && passwordHash === undefined)
      mailPasswordNeeded(context, found.user, emailKey, origin);
    throw failure('invalid_credentials');
  }
  return {
    user: { ...found.user, passwordHash },
    methods: methodsOf(found.factors, context.clock.now()),
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
