/** The sessions of the signed-in user. */
import { type Db, transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { logSecurityEvent } from '../security-log.ts';
import { endAllSessions, endSession, listSessions } from '../sessions/index.ts';
import type { FullSession } from './require-reauthentication.ts';

/** Live sessions, newest first. */
export async function readSessions(db: Db, clock: Clock, { userId, sid }: FullSession) {
  const sessions = await listSessions(db, userId, clock.now());
  return sessions.map((session) => ({
    sid: session.sid,
    is_current: session.sid === sid,
    ...(session.clientId !== undefined && { client_id: session.clientId }),
    amr: [...session.amr],
    ip: session.ip,
    user_agent: session.userAgent,
    auth_time: session.authTime.toISOString(),
    created_at: session.createdAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  }));
}

/** Ends one session of the user. @throws `not_found` */
export async function endOneSession(
  context: IdentityContext,
  { userId, origin }: FullSession,
  sid: string,
): Promise<void> {
  await transaction(context.database, async (tx) => {
    if (!(await endSession(tx, context.clock, { sid, reason: 'ended_by_owner', userId })))
      throw failure('not_found');
    await logSecurityEvent(tx, context.clock, {
      userId,
      type: 'session_ended',
      origin,
      details: { sid },
    });
  });
}

/** Ends all other sessions and revokes offline grants. */
export async function endOtherSessions(
  context: IdentityContext,
  { userId, sid, origin }: FullSession,
): Promise<{ ended: number }> {
  return transaction(context.database, async (tx) => {
    const ended = await endAllSessions(tx, context.clock, {
      userId,
      reason: 'ended_by_owner',
      exceptSid: sid,
    });
    await logSecurityEvent(tx, context.clock, {
      userId,
      type: 'other_sessions_ended',
      origin,
      details: { ended },
    });
    return { ended };
  });
}
