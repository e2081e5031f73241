/** An operator ends the sessions of a user, for example after a report of a stolen device. */
import { type Db, transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import type { StatusChange } from '../account/disable-user.ts';
import { lockUser } from '../queries.ts';
import { logSecurityEvent } from '../security-log.ts';
import { endAllSessions, listSessions, type Session } from '../sessions/index.ts';

/** Live sessions of a user, newest first; at most 200. */
export function listUserSessions(db: Db, clock: Clock, userId: number): Promise<Session[]> {
  return listSessions(db, userId, clock.now());
}

/**
 * Ends all sessions of a user and revokes offline grants.
 * @returns the number of sessions that ended
 * @throws `not_found`
 */
export async function endUserSessions(
  db: Db,
  clock: Clock,
  { userId, clientId, operatorId, reason = '', origin }: StatusChange,
): Promise<number> {
  return transaction(db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || user.status === 'closed') throw failure('not_found');
    const ended = await endAllSessions(tx, clock, { userId, reason: 'ended_by_operator' });
    await logSecurityEvent(tx, clock, {
      userId,
      type: 'sessions_ended_by_operator',
      origin,
      details: {
        client_id: clientId,
        ...(operatorId && { operator_id: operatorId }),
        reason,
        ended,
      },
    });
    return ended;
  });
}
