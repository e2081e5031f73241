import type { Transaction } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import type { NewSession } from './types.ts';

const USER_AGENT_MAX = 400;

/** Opens a session: the person has proven who they are. */
export async function createSession(
  tx: Transaction,
  session: NewSession,
): Promise<{ sid: string }> {
  const sid = newId();
  await tx.query(
    `insert into user_session (sid, user_id, client_id, amr, auth_time, expires_at, ip, user_agent, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $5)`,
    [
      sid,
      session.userId,
      session.clientId ?? null,
      [...session.amr],
      session.authTime,
      session.expiresAt,
      session.ip ?? null,
      session.userAgent?.slice(0, USER_AGENT_MAX).toWellFormed() ?? null,
    ],
  );
  return { sid };
}
