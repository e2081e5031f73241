import { type Db, defineStatement, execute } from '../../db/index.ts';

/** State of an active user and their session, which a provider checks before it issues a token. */
export interface SignIn {
  readonly userId: number;
  readonly email: string;
  readonly nickname: string;
  /** Assigned by operators. */
  readonly groups: readonly string[];
  /** Offline grants made before are invalid. */
  readonly grantsValidAfter?: Date;
  /** The session, if it is live. */
  readonly session?: { readonly sid: string; readonly expiresAt: Date };
  /** Scopes and roles that the user may request as an operator. */
  readonly operatorGrants: readonly string[];
  /** The grant was revoked, for example with its device. */
  readonly isGrantRevoked: boolean;
  /** The client that requests the token, if it is enabled. */
  readonly client?: ClientNow;
}

/** Current permissions of a client. */
export interface ClientNow {
  readonly scopes: readonly string[];
  /** Grants made before are invalid. */
  readonly grantsValidAfter?: Date;
  /** The user has connected it, or it is first-party. */
  readonly isAuthorised: boolean;
}

/** The result of the SQL function `load_sign_in`. */
export interface SignInRow {
  readonly user_id: number;
  readonly email: string;
  readonly nickname: string;
  readonly groups: string[];
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
    groups: row.groups,
    operatorGrants: row.operator_scopes,
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

const SIGN_IN = defineStatement(
  'sign-in',
  'select load_sign_in(:user_id, :sid, :grant_id, :client_id, :now) as sign_in',
);

/** Undefined for an account that is not active. */
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
  const { rows } = await execute<{ sign_in: SignInRow | null }>(db, SIGN_IN, {
    user_id: userId,
    sid: sid ?? null,
    grant_id: grantId ?? null,
    client_id: clientId ?? null,
    now,
  });
  return rows[0]?.sign_in ? readSignIn(rows[0].sign_in) : undefined;
}
