/** Which applications a session has signed in to, and will hear of its end. */
import { announce, type Db, defineStatement, execute } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';

/** Announced when logout tokens were queued. The end of a whole session announces a revocation. */
export const LOGOUT_NOTICES = 'logout_notice';

// The lock makes the end of the session wait, and then see the row; or this waits for the end.
const JOIN = defineStatement(
  'join-application-session',
  `with live as (
     select sid, expires_at from user_session
     where sid = :sid and ended_at is null for share),
   joined as (
     insert into application_session (sid, client_id, expires_at)
     select sid, :client_id, expires_at from live on conflict do nothing)
   select 1 as live from live`,
);

/**
 * Notes that an application gets tokens of a session, before it gets them. False: the session has
 * ended, and the application would never hear of it.
 */
export async function joinSession(db: Db, sid: string, clientId: string): Promise<boolean> {
  const { rows } = await execute(db, JOIN, { sid, client_id: clientId });
  return rows.length > 0;
}

const LEAVE_SESSIONS = defineStatement(
  'leave-application-session',
  `with left_by as (
     delete from application_session where sid = :sid and client_id = :client_id
     returning sid, client_id)
   insert into logout_notice (client_id, user_id, sid, next_attempt_at, created_at)
   select l.client_id, s.user_id, s.sid, :now, :now
   from left_by l join user_session s on s.sid = l.sid`,
);

/** Logs the user out of one application; the session continues. */
export async function leaveSession(
  db: Db,
  clock: Clock,
  { sid, clientId }: { sid: string; clientId: string },
): Promise<void> {
  await execute(db, LEAVE_SESSIONS, { sid, client_id: clientId, now: clock.now() });
  announce(db, LOGOUT_NOTICES);
}
