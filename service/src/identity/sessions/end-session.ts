import type { Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { EVERYBODY, revoke } from './revoke.ts';

/** No token may live longer (see LOGIN_TOKEN_TTL). */
const LONGEST_TOKEN_MS = 2_592_000_000;

export interface EndSessionInput {
  readonly sid: string;
  readonly reason: string;
  /** Given: the session is ended only if it is this person's. */
  readonly userId?: number;
}

/** Ends a session and revokes its tokens. Returns false when there was nothing to end. */
export async function endSession(tx: Transaction, clock: Clock, { sid, reason, userId }: EndSessionInput): Promise<boolean> {
  const { rows } = await tx.query<{ expires_at: Date }>(
    `update user_session set ended_at = $2, end_reason = $3
     where sid = $1 and ended_at is null and ($4::bigint is null or user_id = $4) returning expires_at`,
    [sid, clock.now(), reason, userId ?? null],
  );
  if (!rows[0]) return false;
  await revoke(tx, clock, { kind: 'sid', value: sid, reason, until: rows[0].expires_at });
  return true;
}

export interface EndAllSessionsInput {
  readonly userId: number;
  readonly reason: string;
  /** A session that goes on. */
  readonly exceptSid?: string;
}

/** Ends every session of a person and revokes all tokens, offline grants included. Returns how many sessions ended. */
export async function endAllSessions(tx: Transaction, clock: Clock, { userId, reason, exceptSid }: EndAllSessionsInput): Promise<number> {
  const now = clock.now();
  const { rowCount } = await tx.query(
    `update user_session set ended_at = $2, end_reason = $3
     where user_id = $1 and ended_at is null and ($4::text is null or sid <> $4)`,
    [userId, now, reason, exceptSid ?? null],
  );
  await tx.query('update app_user set grants_valid_after = $2 where id = $1', [userId, now]);
  const until = new Date(now.getTime() + LONGEST_TOKEN_MS);
  await revoke(tx, clock, { kind: 'user', value: String(userId), reason, until, ...(exceptSid !== undefined && { sparedSid: exceptSid }) });
  return rowCount;
}

/** Ends every sign-in, and revokes all tokens of everybody. */
export async function endEverything(tx: Transaction, clock: Clock, reason: string): Promise<void> {
  const now = clock.now();
  await tx.query('update user_session set ended_at = $1, end_reason = $2 where ended_at is null', [now, reason]);
  await revoke(tx, clock, { kind: 'all', value: EVERYBODY, reason, until: new Date(now.getTime() + LONGEST_TOKEN_MS) });
}
