import type { Db } from '../../db/index.ts';

/** What a provider must know of a person before it gives a token: are they active, and is the sign-in still alive. */
export interface SignIn {
  readonly userId: number;
  readonly email: string;
  readonly nickname: string;
  /** Offline grants made up to then give nothing any more. */
  readonly grantsValidAfter?: Date;
  /** The session, while it lives. */
  readonly session?: { readonly sid: string; readonly expiresAt: Date };
  /** What the person may do as an operator. */
  readonly operatorScopes: readonly string[];
  /** The grant was revoked, for example with its node. */
  readonly isGrantRevoked: boolean;
}

interface Row {
  id: number;
  email: string;
  nickname: string;
  grants_valid_after: Date | null;
  operator_scopes: string[];
  sid: string | null;
  expires_at: Date | null;
  is_grant_revoked: boolean;
}

const READ = `select u.id, u.email, u.nickname, u.grants_valid_after, u.operator_scopes, s.sid, s.expires_at,
    exists (select 1 from token_change c where c.kind = 'grant' and c.value = $3) as is_grant_revoked
  from app_user u left join user_session s on s.sid = $2 and s.user_id = u.id and s.ended_at is null and s.expires_at > $4
  where u.id = $1 and u.status = 'active'`;

/** Reads a sign-in in one statement; undefined where the account is not active. */
export async function findSignIn(db: Db, now: Date, { userId, sid, grantId }: { userId: number; sid?: string; grantId?: string }): Promise<SignIn | undefined> {
  const { rows } = await db.prepared<Row>('sign-in', READ, [userId, sid ?? null, grantId ?? null, now]);
  const row = rows[0];
  if (!row) return undefined;
  return {
    userId: row.id,
    email: row.email,
    nickname: row.nickname,
    operatorScopes: row.operator_scopes,
    isGrantRevoked: row.is_grant_revoked,
    ...(row.grants_valid_after !== null && { grantsValidAfter: row.grants_valid_after }),
    ...(row.sid !== null && row.expires_at !== null && { session: { sid: row.sid, expiresAt: row.expires_at } }),
  };
}
