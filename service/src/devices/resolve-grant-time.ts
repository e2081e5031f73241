/** When a person authorised what a token was issued from. */
import type { Db } from '../db/index.ts';
import type { Principal } from '../http/index.ts';
import { findSession } from '../identity/index.ts';

/** Finds when an OAuth grant was made; the OpenID provider knows it. */
export type FindGrantTime = (db: Db, grantId: string) => Promise<Date | undefined>;

/**
 * The instant of the grant, or of the sign-in for the tokens of a login. The claims have whole seconds only, too
 * coarse to tell a sign-in right after a cut from one right before, so the stored instant comes first.
 */
export async function authorisedAt(
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
