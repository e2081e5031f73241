import type { Db } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { IS_KNOWN_ADDRESS, knownSince } from '../limits.ts';
import { type Credentials, type CredentialsRow, toCredentials, USER_COLUMNS } from '../queries.ts';
import { FACTOR_COLUMNS, type FactorRow, type FactorState, toFactors } from '../second-factors/available-methods.ts';

export interface SignInFacts {
  readonly user: Credentials;
  readonly factors: FactorState;
  /** The person has signed in from this address lately. */
  readonly isKnown: boolean;
}

/** All that a sign-in has to know about the person of an address, in one round trip. */
export async function findSignInFacts(db: Db, clock: Clock, emailKey: string, ip: string): Promise<SignInFacts | undefined> {
  const { rows } = await db.prepared<CredentialsRow & FactorRow & { is_known: boolean }>(
    'find-sign-in-facts',
    `select ${USER_COLUMNS}, password_hash, ${IS_KNOWN_ADDRESS} as is_known, ${FACTOR_COLUMNS}
     from app_user u left join user_security s on s.user_id = u.id where u.email_key = $1`,
    [emailKey, ip, knownSince(clock)],
  );
  const row = rows[0];
  return row && { user: toCredentials(row), factors: toFactors(row), isKnown: row.is_known };
}
