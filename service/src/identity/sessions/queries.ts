/** Reads of sessions. */
import type { Db } from '../../db/index.ts';
import type { Session } from './types.ts';

interface SessionRow {
  sid: string;
  user_id: number;
  client_id: string | null;
  amr: string[];
  auth_time: Date;
  expires_at: Date;
  ip: string;
  user_agent: string;
  created_at: Date;
  ended_at: Date | null;
  end_reason: string | null;
}

const COLUMNS = `sid, user_id, client_id, amr, auth_time, expires_at, coalesce(ip, '') as ip,
     coalesce(user_agent, '') as user_agent, created_at, ended_at, end_reason`;

function toSession(row: SessionRow): Session {
  return {
    sid: row.sid,
    userId: row.user_id,
    amr: row.amr,
    authTime: row.auth_time,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    ip: row.ip,
    userAgent: row.user_agent,
    ...(row.client_id !== null && { clientId: row.client_id }),
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
    ...(row.end_reason !== null && { endReason: row.end_reason }),
  };
}

/** A session, ended or not. */
export async function findSession(db: Db, sid: string): Promise<Session | undefined> {
  const { rows } = await db.query<SessionRow>(
    `select ${COLUMNS} from user_session where sid = $1`,
    [sid],
  );
  return rows[0] && toSession(rows[0]);
}

/**
 * A user's sessions that were not ended, newest first; with `at`, only those that have not expired
 * by then.
 */
export async function listSessions(db: Db, userId: number, at?: Date): Promise<Session[]> {
  const { rows } = await db.query<SessionRow>(
    `select ${COLUMNS} from user_session
     where user_id = $1 and ended_at is null and ($2::timestamptz is null or expires_at > $2)
     order by created_at desc, sid limit 200`,
    [userId, at ?? null],
  );
  return rows.map(toSession);
}
