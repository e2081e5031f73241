import { defineStatement, execute, type Transaction } from '../../db/index.ts';
import { sealForUser } from '../erasure/person-keys.ts';
import type { NewSession } from './types.ts';

const USER_AGENT_MAX = 400;

const CREATE_SESSION = defineStatement(
  'identity-create-session',
  `insert into user_session
     (sid, user_id, client_id, amr, auth_time, expires_at, sealed, created_at)
   values (:sid, :user_id, null, :amr, :auth_time, :expires_at, :sealed, :auth_time)`,
);

/** Opens a session for a user who has signed in. */
export async function createSession(tx: Transaction, session: NewSession): Promise<void> {
  const userAgent = session.userAgent.slice(0, USER_AGENT_MAX).toWellFormed();
  const { userId, authTime } = session;
  const origin = { ip: session.ip, user_agent: userAgent };
  await execute(tx, CREATE_SESSION, {
    sid: session.sid,
    user_id: userId,
    amr: [...session.amr],
    auth_time: authTime,
    expires_at: session.expiresAt,
    sealed: await sealForUser(tx, userId, origin, authTime),
  });
}
