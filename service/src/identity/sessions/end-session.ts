import { type Transaction, takePersonLock } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { ALL_USERS, revoke } from './revoke.ts';

/** No token may live longer (see LOGIN_TOKEN_TTL). */
const LONGEST_TOKEN_MS = 2_592_000_000;

export interface EndSessionInput {
  readonly sid: string;
  readonly reason: string;
  /** Given: the session is ended only if it is this person's. */
  readonly userId?: number;
}

/** Waits for codes of the person that are being stored; those that come wait until this transaction has ended. */
export async function lockUser(tx: Transaction, userId: number): Promise<void> {
  await takePersonLock(tx, userId);
}

/** Ends a session and revokes its tokens. Returns false when there was nothing to end. */
export async function endSession(
  tx: Transaction,
  clock: Clock,
  { sid, reason, userId }: EndSessionInput,
): Promise<boolean> {
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

interface Named {
  readonly kind: 'sid' | 'grant';
  readonly value: string;
}

// A person's grants are found by whose they are, which is an index; to one client each.
const STORED_GRANTS = `select 'grant' as kind, o.id as value from oidc_object o
  where o.model = 'Grant' and o.uid in (select $1::text || ' ' || client_id from oauth_client)
    and not exists (select 1 from token_change c where c.kind = 'grant' and c.value = o.id)`;

/**
 * Ends every session of a person and revokes all tokens, offline grants included. Returns how many sessions ended.
 * Sessions and grants are revoked by name too: a refresh that read the state of before may sign while this commits, and
 * its token would be newer than the revocation that goes by time.
 */
export async function endAllSessions(
  tx: Transaction,
  clock: Clock,
  { userId, reason, exceptSid }: EndAllSessionsInput,
): Promise<number> {
  await lockUser(tx, userId);
  const now = clock.now();
  await tx.query('update app_user set grants_valid_after = $2 where id = $1', [userId, now]);
  const { rows: sessions } = await tx.query<Named>(
    `update user_session set ended_at = $2, end_reason = $3
     where user_id = $1 and ended_at is null and ($4::text is null or sid <> $4) returning 'sid' as kind, sid as value`,
    [userId, now, reason, exceptSid ?? null],
  );
  const { rows: grants } = await tx.query<Named>(STORED_GRANTS, [userId]);
  const shared = {
    reason,
    until: new Date(now.getTime() + LONGEST_TOKEN_MS),
    ...(exceptSid !== undefined && { sparedSid: exceptSid }),
  };
  const user = { kind: 'user', value: String(userId) } as const;
  await revoke(
    tx,
    clock,
    ...[user, ...sessions, ...grants].map((named) => ({ ...named, ...shared })),
  );
  return sessions.length;
}

/** Ends every sign-in, and revokes all tokens of everybody. */
export async function revokeAllTokens(
  tx: Transaction,
  clock: Clock,
  reason: string,
): Promise<void> {
  const now = clock.now();
  await tx.query('update user_session set ended_at = $1, end_reason = $2 where ended_at is null', [
    now,
    reason,
  ]);
  await revoke(tx, clock, {
    kind: 'all',
    value: ALL_USERS,
    reason,
    until: new Date(now.getTime() + LONGEST_TOKEN_MS),
  });
}
