/** Reads of sessions. */
import { type Db, queryNamed } from '../../db/index.ts';
import { openOfUser } from '../erasure/person-keys.ts';
import type { Session } from './types.ts';

/** What is encrypted under the key of the user. */
interface SealedOrigin {
  readonly ip: string;
  readonly user_agent: string;
}

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
  sealed: Buffer | null;
}

const COLUMNS = `sid, user_id, client_id, amr, auth_time, expires_at, coalesce(ip, '') as ip,
     coalesce(user_agent, '') as user_agent, created_at, ended_at, end_reason, sealed`;

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

/** Opens the sessions of one user. */
async function openSessions(db: Db, rows: readonly SessionRow[]): Promise<Session[]> {
  const sealed = rows.map((row) => row.sealed);
  const opened = await openOfUser<SealedOrigin>(db, rows[0]?.user_id ?? 0, sealed);
  return rows.map((row, i) => toSession({ ...row, ...opened[i] }));
}

/** A session, ended or not. */
export async function findSession(db: Db, sid: string): Promise<Session | undefined> {
  const { rows } = await db.query<SessionRow>(
    `select ${COLUMNS} from user_session where sid = $1`,
    [sid],
  );
  return (await openSessions(db, rows))[0];
}

/** A user's sessions that were not ended, and have not expired by a time; newest first. */
export async function listSessions(db: Db, userId: number, at: Date): Promise<Session[]> {
  const { rows } = await queryNamed<SessionRow>(
    db,
    `select ${COLUMNS} from user_session
     where user_id = :user_id and ended_at is null and expires_at > :at
     order by created_at desc, sid limit 200`,
    { user_id: userId, at },
  );
  return openSessions(db, rows);
}
