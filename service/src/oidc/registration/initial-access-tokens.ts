/** Initial access tokens of dynamic registration (RFC 7591), stored by hash. */
import { type Db, queryNamed, type Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { fieldError } from '../../lib/failures.ts';
import { hashSecret, newSecret } from '../../lib/ids.ts';
import { SCOPES } from '../tokens/scopes.ts';

/** Scopes that a self-registered client may have: nothing of operators or the service's pages. */
export const REGISTRABLE_SCOPES: readonly string[] = Object.keys(SCOPES).filter(
  (scope) => scope !== 'identity:manage',
);

export interface NewInitialAccessToken {
  readonly uses: number;
  readonly lifetime_s: number;
  readonly scopes: readonly string[];
  /** The client of the operator. */
  readonly issuedBy: string;
}

/** @throws `invalid_parameter` for a scope that is not for registered clients */
export async function issueInitialAccessToken(
  db: Db,
  clock: Clock,
  { uses, lifetime_s, scopes, issuedBy }: NewInitialAccessToken,
): Promise<{ token: string; expiresAt: Date }> {
  const foreign = scopes.find((scope) => !REGISTRABLE_SCOPES.includes(scope));
  if (foreign !== undefined)
    throw fieldError(
      'scopes',
      'unknown_scope',
      `contains a scope that is not for them: ${foreign}`,
    );
  const token = newSecret();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + lifetime_s * 1000);
  await queryNamed(
    db,
    `insert into registration_token
       (token_hash, uses_left, scopes, issued_by, created_at, expires_at)
     values (:token_hash, :uses, :scopes, :issued_by, :now, :expires_at)`,
    {
      token_hash: hashSecret(token),
      uses,
      scopes: [...new Set(scopes)],
      issued_by: issuedBy,
      now,
      expires_at: expiresAt,
    },
  );
  return { token, expiresAt };
}

/** The token could be used now. */
export async function isInitialAccessToken(db: Db, clock: Clock, token: string): Promise<boolean> {
  const { rowCount } = await queryNamed(
    db,
    `select 1 from registration_token
     where token_hash = :token_hash and uses_left > 0 and expires_at > :now`,
    { token_hash: hashSecret(token), now: clock.now() },
  );
  return rowCount > 0;
}

/**
 * Uses the token once, in the transaction that registers the client. Undefined: it is unknown, used
 * up or has expired.
 */
export async function useInitialAccessToken(
  tx: Transaction,
  clock: Clock,
  token: string,
): Promise<readonly string[] | undefined> {
  const { rows } = await queryNamed<{ scopes: string[] }>(
    tx,
    `update registration_token set uses_left = uses_left - 1
     where token_hash = :token_hash and uses_left > 0 and expires_at > :now returning scopes`,
    { token_hash: hashSecret(token), now: clock.now() },
  );
  return rows[0]?.scopes;
}
