import { queryNamed, type Transaction, takePersonLock } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { ALL_USERS, LONGEST_TOKEN_MS, revoke } from './revoke.ts';

export interface EndSessionInput {
  readonly sid: string;
  readonly reason: string;
  /** Given: ends the session only if it belongs to this user. */
  readonly userId?: number;
}

/** Ends a session and revokes its tokens. Returns false when there was nothing to end. */
export async function endSession(
  tx: Transaction,
  clock: Clock,
  { sid, reason, userId }: EndSessionInput,
): Promise<boolean> {
  const { rows } = await queryNamed<{ expires_at: Date }>(
    tx,
    `update user_session set ended_at = :now, end_reason = :reason
     where sid = :sid and ended_at is null and (:user_id::bigint is null or user_id = :user_id)
     returning expires_at`,
    { sid, now: clock.now(), reason, user_id: userId ?? null },
  );
  if (!rows[0]) return false;
  await revoke(tx, clock, { kind: 'sid', value: sid, reason, until: rows[0].expires_at });
  return true;
}

export interface EndAllSessionsInput {
  readonly userId: number;
  readonly reason: string;
  /** A session to keep. */
  readonly exceptSid?: string;
}

interface Named {
  readonly kind: 'sid' | 'grant';
  readonly value: string;
}

// The index of grants is by user and client.
const STORED_GRANTS = `select 'grant' as kind, o.id as value from oidc_object o
  where o.model = 'Grant' and o.uid in (select $1::text || ' ' || client_id from oauth_client)
    and not exists (select 1 from token_revocation c where c.kind = 'grant' and c.value = o.id)`;

/**
 * Ends every session of a user and revokes all tokens, offline grants included. Sessions and grants
 * are also revoked by id: a refresh in flight may sign a token after the time of the revocation.
 * @returns the number of ended sessions
 */
export async function endAllSessions(
  tx: Transaction,
  clock: Clock,
  { userId, reason, exceptSid }: EndAllSessionsInput,
): Promise<number> {
  await takePersonLock(tx, userId);
  const now = clock.now();
  await queryNamed(tx, 'update app_user set grants_valid_after = :now where id = :user_id', {
    user_id: userId,
    now,
  });
  const { rows: sessions } = await queryNamed<Named>(
    tx,
    `update user_session set ended_at = :now, end_reason = :reason
     where user_id = :user_id and ended_at is null
       and (:except_sid::text is null or sid <> :except_sid)
     returning 'sid' as kind, sid as value`,
    { user_id: userId, now, reason, except_sid: exceptSid ?? null },
  );
  const { rows: grants } = await tx.query<Named>(STORED_GRANTS, [userId]);
  const shared = { reason, ...(exceptSid !== undefined && { sparedSid: exceptSid }) };
  const user = { kind: 'user', value: String(userId) } as const;
  // An instance deletes the grants once it has read this.
  const until = new Date(now.getTime() + LONGEST_TOKEN_MS);
  await revoke(
    tx,
    clock,
    ...[user, ...sessions].map((named) => ({ ...named, ...shared })),
    ...grants.map((grant) => ({ ...grant, ...shared, until })),
  );
  return sessions.length;
}

/**
 * Ends all sessions and revokes all tokens of all users, for the longest time: a restored database
 * does not know what was signed since its backup.
 */
export async function revokeAllTokens(
  tx: Transaction,
  clock: Clock,
  reason: string,
): Promise<void> {
  const now = clock.now();
  await queryNamed(
    tx,
    'update user_session set ended_at = :now, end_reason = :reason where ended_at is null',
    { now, reason },
  );
  await revoke(tx, clock, {
    kind: 'all',
    value: ALL_USERS,
    reason,
    until: new Date(now.getTime() + LONGEST_TOKEN_MS),
  });
}
