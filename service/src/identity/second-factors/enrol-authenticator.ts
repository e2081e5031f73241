/** Enrolment of an authenticator app: a secret, then its first code. */
import { type Transaction, transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import {
  changeSecurity,
  type FullSession,
  lockReauthenticatedUser,
  requireFreshProof,
} from '../account/require-reauthentication.ts';
import type { IdentityContext } from '../context.ts';
import { findUser } from '../queries.ts';
import { consumeAccountLimit } from '../run-attempt.ts';
import type { User } from '../types.ts';
import { newTotp, storePendingSecret, useTotpStep } from './authenticator.ts';
import { hasStrongFactor, readFactors } from './available-methods.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';

export interface FactorAnswer {
  /** Shown once, with the first strong factor. */
  readonly recovery_codes?: string[];
}

/**
 * Creates a new secret, which is no factor before it is confirmed.
 * @throws `reauthentication_required`, `already_enrolled`
 */
export async function startAuthenticator(
  context: IdentityContext,
  session: FullSession,
): Promise<{ secret: string; otpauth_uri: string }> {
  await requireFreshProof(context.database, context, session);
  return transaction(context.database, async (tx) => {
    const user = await lockReauthenticatedUser(tx, session.userId);
    if ((await readFactors(tx, user.userId)).hasAuthenticator)
      throw failure('already_enrolled', { detail: 'Remove the authenticator first.' });
    const totp = newTotp({ issuer: context.serviceName(), label: user.email });
    await storePendingSecret(tx, context, user.userId, totp);
    return { secret: totp.secret.base32, otpauth_uri: totp.toString() };
  });
}

/** Recovery codes are issued with the first strong factor. */
export async function firstRecoveryCodes(
  tx: Transaction,
  context: IdentityContext,
  user: User,
  hadStrongFactor: boolean,
): Promise<FactorAnswer> {
  return hadStrongFactor
    ? {}
    : { recovery_codes: await makeRecoveryCodes(tx, context, user.userId) };
}

/**
 * Enrols the authenticator.
 * @throws `reauthentication_required`, `invalid_code`, `already_enrolled`, `rate_limited`
 */
export async function confirmAuthenticator(
  context: IdentityContext,
  session: FullSession,
  input: { readonly authenticator_code: string; readonly end_other_sessions?: boolean },
): Promise<FactorAnswer> {
  const { database, limits } = context;
  await requireFreshProof(database, context, session);
  const self = await findUser(database, session.userId);
  const emailKey = self?.email.toLowerCase() ?? '';
  const account = { emailKey, ip: session.origin.ip };
  const limitKey = await consumeAccountLimit(context, 'factor-account', account);
  const answer = await changeSecurity(context, session, async (tx, user) => {
    const before = await readFactors(tx, user.userId);
    if (before.hasAuthenticator) throw failure('already_enrolled');
    const code = { code: input.authenticator_code, isConfirmed: false };
    if (!(await useTotpStep(tx, context, user.userId, code))) throw failure('invalid_code');
    return {
      result: await firstRecoveryCodes(tx, context, user, hasStrongFactor(before)),
      change: {
        type: 'authenticator_enrolled',
        notice: { kind: 'authenticatorAdded' },
        endsOtherSessions: input.end_other_sessions ?? false,
      },
    };
  });
  await limits.refund([limitKey]);
  return answer;
}
