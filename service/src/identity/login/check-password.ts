import { transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import type { Hit } from '../limits.ts';
import type { Credentials } from '../queries.ts';
import { methodsOf } from '../second-factors/available-methods.ts';
import { logSecurityEvent } from '../security-log.ts';
import type { Origin, TwoFactorMethod } from '../types.ts';
import { beginAttempt } from './start-login-attempt.ts';

export interface LoginInput {
  readonly email: string;
  readonly login_password: string;
}

export interface VerifiedPassword {
  readonly user: Credentials & { readonly passwordHash: string };
  readonly methods: TwoFactorMethod[];
  /** EMAIL is the only second factor: its code goes out without being asked for. */
  readonly isEmailOnly: boolean;
  /** What the attempt was counted on, to be given back: it has succeeded. */
  readonly hits: readonly Hit[];
}

/** Written after the answer: an address without an account has no log, and must not be told by the time. */
function logFailure(kit: IdentityContext, userId: number, origin: Origin): void {
  kit.background.run(() =>
    transaction(kit.database, (tx) =>
      logSecurityEvent(tx, kit.clock, { userId, type: 'sign_in_failed', origin }),
    ),
  );
}

/**
 * Proves a password, within its limits, in the same time whoever the address belongs to. The attempt stays counted:
 * whoever calls gives its hits back.
 * @throws `invalid_credentials`, `rate_limited`
 */
export async function verifyPassword(
  kit: IdentityContext,
  input: LoginInput,
  origin: Origin,
): Promise<VerifiedPassword> {
  const { hits, person } = await beginAttempt(kit, readEmail(input.email).key, origin.ip);
  const passwordHash = person?.user.passwordHash;
  const isRight = await kit.passwords.verify(passwordHash, input.login_password);
  if (!isRight || !person || passwordHash === undefined) {
    if (person && person.user.status !== 'closed') logFailure(kit, person.user.userId, origin);
    throw failure('invalid_credentials');
  }
  const methods = methodsOf(person.factors, kit.clock.now());
  return {
    user: { ...person.user, passwordHash },
    methods,
    isEmailOnly: methods.length === 1 && methods[0] === 'EMAIL',
    hits,
  };
}

/** The same, where nothing follows that gives the hits back. */
export async function checkPassword(
  kit: IdentityContext,
  input: LoginInput,
  origin: Origin,
): Promise<VerifiedPassword> {
  const proven = await verifyPassword(kit, input, origin);
  await kit.limits.giveBack(proven.hits);
  return proven;
}
