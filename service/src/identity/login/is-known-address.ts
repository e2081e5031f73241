/** Whether a user has signed in from an address lately. */
import { type Db, defineStatement, execute } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { hashAddress } from '../erasure/person-keys.ts';
import { IS_KNOWN_ADDRESS, knownSince } from '../limits.ts';

const IS_KNOWN = defineStatement(
  'identity-is-known-address',
  `select ${IS_KNOWN_ADDRESS} as is_known from app_user u where u.id = :user_id`,
);

/** True when the user has registered or signed in from the address within 90 days. */
export async function isKnownAddress(
  db: Db,
  clock: Clock,
  { userId, ip }: { readonly userId: number; readonly ip: string },
): Promise<boolean> {
  const { rows } = await execute<{ is_known: boolean }>(db, IS_KNOWN, {
    user_id: userId,
    ip,
    ip_hash: hashAddress(db, ip),
    known_since: knownSince(clock),
  });
  return rows[0]?.is_known === true;
}
