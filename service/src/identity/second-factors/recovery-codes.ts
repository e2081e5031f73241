/** Recovery codes replace a lost strong factor. Shown once, stored salted and hashed, used once. */
import { createHmac, randomBytes } from 'node:crypto';
import { queryNamed, type Transaction } from '../../db/index.ts';
import { equalSecrets, newReadableCode } from '../../lib/ids.ts';
import type { MasterKey } from '../../master-key.ts';
import type { IdentityContext } from '../context.ts';

export const RECOVERY_CODES = 10;
/** 12 characters from an alphabet of 30 have 58 bits: too many to guess, even with the hashes. */
const GROUPS = 3;
const GROUP_LENGTH = 4;

function newCode(): string {
  return Array.from({ length: GROUPS }, () => newReadableCode(GROUP_LENGTH)).join('-');
}

function hashCode(masterKey: MasterKey, salt: string, code: string): string {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, '');
  return createHmac('sha256', masterKey.derive('recovery-code'))
    .update(`${salt} ${plain}`)
    .digest('base64url');
}

/** Replaces the user's codes. */
export async function makeRecoveryCodes(
  tx: Transaction,
  { masterKey }: IdentityContext,
  userId: number,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  const salts = codes.map(() => randomBytes(12).toString('base64url'));
  const hashes = codes.map((code, index) => hashCode(masterKey, salts[index] ?? '', code));
  await tx.query('delete from recovery_code where user_id = $1', [userId]);
  await queryNamed(
    tx,
    `insert into recovery_code (user_id, salt, code_hash)
     select :user_id, salt, code_hash
     from unnest(:salts::text[], :hashes::text[]) as t (salt, code_hash)`,
    { user_id: userId, salts, hashes },
  );
  return codes;
}

/** Uses up a code. Of parallel requests with the same code, one succeeds. */
export async function useRecoveryCode(
  tx: Transaction,
  { masterKey, clock }: IdentityContext,
  userId: number,
  code: string,
): Promise<boolean> {
  const { rows } = await tx.query<{ salt: string; code_hash: string }>(
    'select salt, code_hash from recovery_code where user_id = $1 and used_at is null',
    [userId],
  );
  const match = rows.find((row) =>
    equalSecrets(row.code_hash, hashCode(masterKey, row.salt, code)),
  );
  if (!match) return false;
  const { rowCount } = await queryNamed(
    tx,
    `update recovery_code set used_at = :now
     where user_id = :user_id and code_hash = :code_hash and used_at is null`,
    { user_id: userId, code_hash: match.code_hash, now: clock.now() },
  );
  return rowCount === 1;
}
