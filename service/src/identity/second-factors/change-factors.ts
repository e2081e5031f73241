/** Removal of factors, new recovery codes, EMAIL beside a stronger factor. All need a fresh proof. */
import { type Transaction, transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import {
  type Change,
  finishSecurityChange,
  lockReauthenticatedUser,
  type Manager,
  requireFreshProof,
} from '../account/require-reauthentication.ts';
import type { IdentityContext } from '../context.ts';
import type { User } from '../types.ts';
import { hasStrongFactor, readFactors } from './available-methods.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';

/** Runs a change of factors with all that belongs to it. */
async function change<T>(
  kit: IdentityContext,
  manager: Manager,
  work: (tx: Transaction, user: User) => Promise<{ readonly result: T; readonly change: Change }>,
): Promise<T> {
  await requireFreshProof(kit.database, kit, manager);
  return transaction(kit.database, async (tx) => {
    const user = await lockReauthenticatedUser(tx, manager.userId);
    const { result, change: what } = await work(tx, user);
    await finishSecurityChange(tx, kit, user, manager, what);
    return result;
  });
}

/** Without a strong factor, recovery codes and the wish about EMAIL mean nothing. */
async function dropLeftovers(tx: Transaction, userId: number): Promise<void> {
  if (hasStrongFactor(await readFactors(tx, userId))) return;
  await tx.query('delete from recovery_code where user_id = $1', [userId]);
  await tx.query('update user_security set is_email_factor_on = false where user_id = $1', [
    userId,
  ]);
}

/** @throws `reauthentication_required`, `not_found` when none is enrolled */
export function removeAuthenticator(
  kit: IdentityContext,
  manager: Manager,
  endsOtherSessions = false,
): Promise<void> {
  return change(kit, manager, async (tx, { userId }) => {
    const { rowCount } = await tx.query(
      'delete from authenticator where user_id = $1 and confirmed_at is not null',
      [userId],
    );
    if (rowCount === 0) throw failure('not_found');
    await dropLeftovers(tx, userId);
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
  kit: IdentityContext,
  manager: Manager,
  passkeyId: number,
  endsOtherSessions = false,
): Promise<void> {
  return change(kit, manager, async (tx, { userId }) => {
    const { rows } = await tx.query<{ name: string }>(
      'delete from passkey where user_id = $1 and id = $2 returning name',
      [userId, passkeyId],
    );
    const name = rows[0]?.name;
    if (name === undefined) throw failure('not_found');
    await dropLeftovers(tx, userId);
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

/** Makes new recovery codes; the old ones are void. @throws `reauthentication_required`, `method_unavailable` without a strong factor */
export function renewRecoveryCodes(kit: IdentityContext, manager: Manager): Promise<string[]> {
  return change(kit, manager, async (tx, { userId }) => {
    if (!hasStrongFactor(await readFactors(tx, userId)))
      throw failure('method_unavailable', {
        detail: 'Recovery codes stand in for an authenticator or passkey.',
      });
    return {
      result: await makeRecoveryCodes(tx, kit, userId),
      change: { type: 'recovery_codes_made', notice: { kind: 'recoveryCodesMade' } },
    };
  });
}

/** Lets EMAIL serve beside a stronger factor, or stops it. @throws `reauthentication_required`, `method_unavailable` without a strong factor */
export function setEmailFactor(
  kit: IdentityContext,
  manager: Manager,
  isOn: boolean,
): Promise<void> {
  return change(kit, manager, async (tx, { userId }) => {
    if (!hasStrongFactor(await readFactors(tx, userId)))
      throw failure('method_unavailable', { detail: 'EMAIL is the only second factor: it is on.' });
    await tx.query(
      'insert into user_security (user_id, is_email_factor_on) values ($1, $2) on conflict (user_id) do update set is_email_factor_on = excluded.is_email_factor_on',
      [userId, isOn],
    );
    const notice = { kind: isOn ? 'emailFactorOn' : 'emailFactorOff' } as const;
    return {
      result: undefined,
      change: { type: 'email_factor_changed', notice, details: { is_on: isOn } },
    };
  });
}
