/** When a user authorised the grant or session of a token. */
import type { Db } from '../db/index.ts';
import type { Principal } from '../http/index.ts';
import { findSession } from '../identity/index.ts';

/** Finds the time of an OAuth grant; the OpenID provider stores it. */
export type FindGrantTime = (db: Db, grantId: string) => Promise<Date | undefined>;

/**
 * The time of the grant, or of the sign-in for the tokens of a login. The claims have whole
 * seconds, too coarse for a sign-in right after a revocation, so the stored time is preferred.
 */
export async function resolveGrantTime(
  db: Db,
  principal: Principal,
  findGrantTime: FindGrantTime,
): Promise<Date> {
  const { grantId, sid, authTime, issuedAt } = principal;
  const grantedAt = grantId === undefined ? undefined : await findGrantTime(db, grantId);
  if (grantedAt) return grantedAt;
  const session = sid === undefined ? undefined : await findSession(db, sid);
  return session?.createdAt ?? authTime ?? issuedAt;
}
