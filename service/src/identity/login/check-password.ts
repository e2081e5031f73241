import { transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { readEmail } from '../emails.ts';
import type { IdentityKit } from '../kit.ts';
import { type Hit, networkOf, subjectOf } from '../limits.ts';
import type { Credentials } from '../queries.ts';
import { methodsOf } from '../second-factors/available-methods.ts';
import { logSecurityEvent } from '../security-log.ts';
import type { Origin, TwoFactorMethod } from '../types.ts';
import { findSignInFacts } from './find-sign-in-facts.ts';

export interface LoginInput {
  readonly email: string;
  readonly login_password: string;
}

export interface PasswordProven {
  readonly user: Credentials & { readonly passwordHash: string };
  readonly methods: TwoFactorMethod[];
  /** EMAIL is the only second factor: its code goes out without being asked for. */
  readonly isEmailOnly: boolean;
}

/** Written after the answer: an address without an account has no log, and must not be told by the time. */
function logFailure(kit: IdentityKit, userId: number, origin: Origin): void {
  kit.background.run(() => transaction(kit.database, (tx) => logSecurityEvent(tx, kit.clock, { userId, type: 'sign_in_failed', origin })));
}

/**
 * Checks a password, within its limits, in the same time whoever the address belongs to.
 * @param mailsCode a code will be mailed if EMAIL is the only factor: that mail is counted too
 * @throws `invalid_credentials`, `rate_limited`
 */
export async function checkPassword(kit: IdentityKit, input: LoginInput, origin: Origin, mailsCode = false): Promise<PasswordProven> {
  const { database, clock, limits } = kit;
  const { key } = readEmail(input.email);
  const facts = await findSignInFacts(database, clock, key, origin.ip);
  const hits: [Hit, Hit] = [
    ['login-ip', networkOf(origin.ip)],
    ['login-account', subjectOf(key, origin.ip, facts?.isKnown ?? false)],
  ];
  await limits.take(...hits);
  const passwordHash = facts?.user.passwordHash;
  const isRight = await kit.passwords.verify(passwordHash, input.login_password);
  if (!isRight || !facts || passwordHash === undefined) {
    if (facts && facts.user.status !== 'closed') logFailure(kit, facts.user.userId, origin);
    throw failure('invalid_credentials');
  }
  const methods = methodsOf(facts.factors, clock.now());
  const isEmailOnly = methods.length === 1 && methods[0] === 'EMAIL';
  await limits.giveBack(hits, mailsCode && isEmailOnly ? ['mail-account', String(facts.user.userId)] : undefined);
  return { user: { ...facts.user, passwordHash }, methods, isEmailOnly };
}
