/** Enrolment of an authenticator app: a secret, then the first code that proves it arrived. */
import { type Transaction, transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import {
  finishSecurityChange,
  lockReauthenticatedUser,
  type Manager,
  requireFreshProof,
} from '../account/require-reauthentication.ts';
import type { IdentityContext } from '../context.ts';
import { accountSubject } from '../limits.ts';
import { findUser } from '../queries.ts';
import type { User } from '../types.ts';
import { newTotp, storePendingSecret, useTotpStep } from './authenticator.ts';
import { hasStrongFactor, readFactors } from './available-methods.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';

export interface FactorAnswer {
  /** Shown once, with the first factor that does not depend on the mailbox. */
  readonly recovery_codes?: string[];
}

/** Gives a new secret; it counts for nothing until it is confirmed. @throws `reauthentication_required`, `already_enrolled` */
export async function startAuthenticator(
  kit: IdentityContext,
  manager: Manager,
): Promise<{ secret: string; otpauth_uri: string }> {
  await requireFreshProof(kit.database, kit, manager);
  return transaction(kit.database, async (tx) => {
    const user = await lockReauthenticatedUser(tx, manager.userId);
    if ((await readFactors(tx, user.userId)).hasAuthenticator)
      throw failure('already_enrolled', { detail: 'Remove the authenticator first.' });
    const totp = newTotp(user.email);
    await storePendingSecret(tx, kit, user.userId, totp);
    return { secret: totp.secret.base32, otpauth_uri: totp.toString() };
  });
}

/** Recovery codes come with the first strong factor: they are the way in when it is lost. */
export async function firstRecoveryCodes(
  tx: Transaction,
  kit: IdentityContext,
  user: User,
  hadStrongFactor: boolean,
): Promise<FactorAnswer> {
  return hadStrongFactor ? {} : { recovery_codes: await makeRecoveryCodes(tx, kit, user.userId) };
}

/** Makes the authenticator count. @throws `reauthentication_required`, `invalid_code`, `already_enrolled` */
export async function confirmAuthenticator(
  kit: IdentityContext,
  manager: Manager,
  input: { readonly authenticator_code: string; readonly end_other_sessions?: boolean },
): Promise<FactorAnswer> {
  const { database, clock, limits } = kit;
  await requireFreshProof(database, kit, manager);
  const self = await findUser(database, manager.userId);
  const subject = await accountSubject(
    database,
    clock,
    self?.email.toLowerCase() ?? '',
    manager.origin.ip,
  );
  await limits.take(['factor-account', subject]);
  const answer = await transaction(database, async (tx) => {
    const user = await lockReauthenticatedUser(tx, manager.userId);
    const before = await readFactors(tx, user.userId);
    if (before.hasAuthenticator) throw failure('already_enrolled');
    if (!(await useTotpStep(tx, kit, user.userId, input.authenticator_code, false)))
      throw failure('invalid_code');
    await finishSecurityChange(tx, kit, user, manager, {
      type: 'authenticator_enrolled',
      notice: { kind: 'authenticatorAdded' },
      endsOtherSessions: input.end_other_sessions ?? false,
    });
    return firstRecoveryCodes(tx, kit, user, hasStrongFactor(before));
  });
  await limits.giveBack([['factor-account', subject]]);
  return answer;
}
