/** TOTP (RFC 6238): SHA-1, six digits, 30 seconds, one step of drift; each step serves once. */
import { Secret, TOTP } from 'otpauth';
import { queryNamed, type Transaction } from '../../db/index.ts';
import type { IdentityContext } from '../context.ts';

const PERIOD_S = 30;
const DRIFT_STEPS = 1;

const toOwner = (userId: number): string => `authenticator ${userId}`;

/** How an authenticator names the secret. */
export interface TotpLabel {
  readonly issuer: string;
  readonly label: string;
}

export function newTotp(label: TotpLabel, secret = new Secret({ size: 20 })): TOTP {
  return new TOTP({
    ...label,
    secret,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
  });
}

/** Stores a new secret, encrypted; it is no factor before its first code is verified. */
export async function storePendingSecret(
  tx: Transaction,
  { clock, secretCipher }: IdentityContext,
  userId: number,
  totp: TOTP,
): Promise<void> {
  await queryNamed(
    tx,
    `insert into authenticator (user_id, secret_sealed, created_at)
      values (:user_id, :secret_sealed, :now)
     on conflict (user_id) do update set secret_sealed = excluded.secret_sealed,
       created_at = excluded.created_at, last_step = 0
     where authenticator.confirmed_at is null`,
    {
      user_id: userId,
      secret_sealed: secretCipher.encrypt(Buffer.from(totp.secret.buffer), toOwner(userId)),
      now: clock.now(),
    },
  );
}

/**
 * Verifies a code and uses up its time step: of parallel requests with one step exactly one wins.
 * `isConfirmed`: whether the authenticator must be confirmed already.
 */
export async function useTotpStep(
  tx: Transaction,
  { clock, secretCipher }: IdentityContext,
  userId: number,
  { code, isConfirmed }: { readonly code: string; readonly isConfirmed: boolean },
): Promise<boolean> {
  const { rows } = await queryNamed<{ secret_sealed: Buffer }>(
    tx,
    `select secret_sealed from authenticator
     where user_id = :user_id and (confirmed_at is not null) = :is_confirmed`,
    { user_id: userId, is_confirmed: isConfirmed },
  );
  if (!rows[0]) return false;
  const bytes = secretCipher.decrypt(Buffer.from(rows[0].secret_sealed), toOwner(userId));
  const secret = new Secret({ buffer: new Uint8Array(bytes).buffer });
  const timestamp = clock.now().getTime();
  const delta = newTotp({ issuer: '', label: '' }, secret).validate({
    token: code,
    timestamp,
    window: DRIFT_STEPS,
  });
  if (delta === null) return false;
  const step = Math.floor(timestamp / 1000 / PERIOD_S) + delta;
  const { rowCount } = await queryNamed(
    tx,
    `update authenticator set last_step = :step, confirmed_at = coalesce(confirmed_at, :now)
     where user_id = :user_id and last_step < :step`,
    { user_id: userId, step, now: clock.now() },
  );
  return rowCount === 1;
}
