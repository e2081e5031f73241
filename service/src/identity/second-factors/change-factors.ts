/** Removes factors, renews recovery codes, and turns EMAIL on or off beside a strong factor. */
import { queryNamed, type Transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { changeSecurity, type FullSession } from '../account/require-reauthentication.ts';
import type { IdentityContext } from '../context.ts';
import { hasStrongFactor, readFactors } from './available-methods.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';

/** Recovery codes and the EMAIL setting belong to strong factors and go with the last one. */
async function deleteWithLastFactor(tx: Transaction, userId: number): Promise<void> {
  if (hasStrongFactor(await readFactors(tx, userId))) return;
  await tx.query('delete from recovery_code where user_id = $1', [userId]);
  await tx.query('update user_security set is_email_factor_on = false where user_id = $1', [
    userId,
  ]);
}

/** @throws `reauthentication_required`, `not_found` when none is enrolled */
export function removeAuthenticator(
  context: IdentityContext,
  session: FullSession,
  endsOtherSessions = false,
): Promise<void> {
  return changeSecurity(context, session, async (tx, { userId }) => {
    const { rowCount } = await tx.query(
      'delete from authenticator where user_id = $1 and confirmed_at is not null',
      [userId],
    );
    if (rowCount === 0) throw failure('not_found');
    await deleteWithLastFactor(tx, userId);
    return {
      result: undefined,
      change: {
        type: 'authenticator_removed',
        notice: { kind: 'authenticatorRemoved' },
        endsOtherSessions,
      },
    };
  });
}

/** @throws `reauthentication_required`, `not_found` */
export function removePasskey(
  context: IdentityContext,
  session: FullSession,
  passkeyId: number,
  endsOtherSessions = false,
): Promise<void> {
  return changeSecurity(context, session, async (tx, { userId }) => {
    const { rows } = await queryNamed<{ name: string }>(
      tx,
      'delete from passkey where user_id = :user_id and id = :passkey_id returning name',
      { user_id: userId, passkey_id: passkeyId },
    );
    const name = rows[0]?.name;
    if (name === undefined) throw failure('not_found');
    await deleteWithLastFactor(tx, userId);
    return {
      result: undefined,
      change: {
        type: 'passkey_removed',
        notice: { kind: 'passkeyRemoved', values: { name } },
        details: { name },
        endsOtherSessions,
      },
    };
  });
}

/**
 * Replaces the recovery codes.
 * @throws `reauthentication_required`, `method_unavailable` without a strong factor
 */
export function renewRecoveryCodes(
  context: IdentityContext,
  session: FullSession,
): Promise<string[]> {
  return changeSecurity(context, session, async (tx, { userId }) => {
    if (!hasStrongFactor(await readFactors(tx, userId)))
      throw failure('method_unavailable', {
        detail: 'Recovery codes replace an authenticator or passkey.',
      });
    return {
      result: await makeRecoveryCodes(tx, context, userId),
      change: { type: 'recovery_codes_made', notice: { kind: 'recoveryCodesMade' } },
    };
  });
}

/**
 * Turns EMAIL beside a strong factor on or off.
 * @throws `reauthentication_required`, `method_unavailable` without a strong factor
 */
export function setEmailFactor(
  context: IdentityContext,
  session: FullSession,
  isOn: boolean,
): Promise<void> {
  return changeSecurity(context, session, async (tx, { userId }) => {
    if (!hasStrongFactor(await readFactors(tx, userId)))
      throw failure('method_unavailable', {
        detail: 'EMAIL is the only second factor and stays on.',
      });
    await queryNamed(
      tx,
      `insert into user_security (user_id, is_email_factor_on) values (:user_id, :is_on)
       on conflict (user_id) do update set is_email_factor_on = excluded.is_email_factor_on`,
      { user_id: userId, is_on: isOn },
    );
    const notice = { kind: isOn ? 'emailFactorOn' : 'emailFactorOff' } as const;
    return {
      result: undefined,
      change: { type: 'email_factor_changed', notice, details: { is_on: isOn } },
    };
  });
}
