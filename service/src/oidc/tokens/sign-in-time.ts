/** When the user of a token signed in. */
import type { Db } from '../../db/index.ts';
import type { Principal } from '../../http/index.ts';
import { findSession } from '../../identity/index.ts';

/** The claim `auth_time` has whole seconds, so the stored instant is preferred. */
export async function readSignInTime(
  db: Db,
  { sid, authTime, issuedAt }: Principal,
): Promise<Date> {
  const session = sid === undefined ? undefined : await findSession(db, sid);
  return session?.createdAt ?? authTime ?? issuedAt;
}
