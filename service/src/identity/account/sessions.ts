/** The person's own sessions: seen and ended. */
import { type Db, transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { logSecurityEvent } from '../security-log.ts';
import { endAllSessions, endSession, listSessions } from '../sessions/index.ts';
import type { Manager } from './require-reauthentication.ts';

/** Sessions that live, newest first. */
export async function readSessions(db: Db, clock: Clock, { userId, sid }: Manager) {
  const sessions = await listSessions(db, userId, clock.now());
  return sessions.map((session) => ({
    sid: session.sid,
    is_current: session.sid === sid,
    ...(session.clientId !== undefined && { client_id: session.clientId }),
    amr: [...session.amr],
    ip: session.ip ?? '',
    user_agent: session.userAgent ?? '',
    auth_time: session.authTime.toISOString(),
    created_at: session.createdAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  }));
}

/** Ends one session of the person. @throws `not_found` */
export async function endOneSession(
  kit: IdentityContext,
  { userId, origin }: Manager,
  sid: string,
): Promise<void> {
  await transaction(kit.database, async (tx) => {
    if (!(await endSession(tx, kit.clock, { sid, reason: 'ended_by_owner', userId })))
      throw failure('not_found');
    await logSecurityEvent(tx, kit.clock, {
      userId,
      type: 'session_ended',
      origin,
      details: { sid },
    });
  });
}

/** Ends every session but this one, offline grants included. */
export async function endOtherSessions(
  kit: IdentityContext,
  { userId, sid, origin }: Manager,
): Promise<{ ended: number }> {
  return transaction(kit.database, async (tx) => {
    const ended = await endAllSessions(tx, kit.clock, {
      userId,
      reason: 'ended_by_owner',
      exceptSid: sid,
    });
    await logSecurityEvent(tx, kit.clock, {
      userId,
      type: 'other_sessions_ended',
      origin,
      details: { ended },
    });
    return { ended };
  });
}
