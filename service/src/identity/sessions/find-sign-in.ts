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
  /** The client that is to get a token, while it is enabled. */
  readonly client?: ClientNow;
}

/** What a client may have at this moment. */
export interface ClientNow {
  readonly scopes: readonly string[];
  /** Grants made up to then give nothing any more. */
  readonly grantsValidAfter?: Date;
  /** The person's list of connections shows it, or it is the operator's own. */
  readonly isAuthorised: boolean;
}

/** What the SQL function `sign_in` gives. */
export interface SignInRow {
  readonly user_id: number;
  readonly email: string;
  readonly nickname: string;
  readonly operator_scopes: string[];
  readonly grants_valid_after_ms: number | null;
  readonly sid: string | null;
  readonly expires_at_ms: number | null;
  readonly is_grant_revoked: boolean;
  readonly client_scopes: string[] | null;
  readonly client_grants_valid_after_ms: number | null;
  readonly is_let_in: boolean | null;
}

function readClient({
  client_scopes: scopes,
  client_grants_valid_after_ms: after_ms,
  is_let_in: isLetIn,
}: SignInRow): ClientNow | undefined {
  return scopes === null
    ? undefined
    : {
        scopes,
        isAuthorised: isLetIn === true,
        ...(after_ms !== null && { grantsValidAfter: new Date(after_ms) }),
      };
}

export function readSignIn(row: SignInRow): SignIn {
  const client = readClient(row);
  return {
    userId: row.user_id,
    email: row.email,
    nickname: row.nickname,
    operatorScopes: row.operator_scopes,
    isGrantRevoked: row.is_grant_revoked,
    ...(client && { client }),
    ...(row.grants_valid_after_ms !== null && {
      grantsValidAfter: new Date(row.grants_valid_after_ms),
    }),
    ...(row.sid !== null &&
      row.expires_at_ms !== null && {
        session: { sid: row.sid, expiresAt: new Date(row.expires_at_ms) },
      }),
  };
}

/** Reads a sign-in; undefined where the account is not active. */
export async function findSignIn(
  db: Db,
  now: Date,
  {
    userId,
    sid,
    grantId,
    clientId,
  }: {
    userId: number;
    sid?: string | undefined;
    grantId?: string | undefined;
    clientId?: string | undefined;
  },
): Promise<SignIn | undefined> {
  const { rows } = await db.prepared<{ sign_in: SignInRow | null }>(
    'sign-in',
    'select sign_in($1, $2, $3, $4, $5)',
    [userId, sid ?? null, grantId ?? null, clientId ?? null, now],
  );
  return rows[0]?.sign_in ? readSignIn(rows[0].sign_in) : undefined;
}
