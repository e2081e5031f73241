import { type Db, queryNamed, takePersonLock, transaction } from '../../db/index.ts';
import { logSecurityEvent, type RequestOrigin, revoke } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';

export interface RevokeApplicationInput {
  readonly userId: number;
  readonly clientId: string;
  readonly origin: RequestOrigin;
}

/**
 * Revokes all that a user granted a client: consent, grants, refresh tokens and access tokens.
 * Returns false when there was nothing. Each grant is revoked by id too: a request that read the
 * state before may still sign a token while this commits.
 */
export async function revokeApplication(
  db: Db,
  clock: Clock,
  { userId, clientId, origin }: RevokeApplicationInput,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    await takePersonLock(tx, userId);
    const { rows: ended } = await queryNamed<{ client_name: string | null }>(
      tx,
      `delete from consent where user_id = :user_id and client_id = :client_id
         and not exists (
           select from oauth_client where client_id = :client_id and removed_at is not null)
       returning (
         select name from oauth_client c where c.client_id = consent.client_id) as client_name`,
      { user_id: userId, client_id: clientId },
    );
    if (!ended[0]) return false;
    const { rows: gone } = await tx.query<{ grant_id: string }>(
      `with gone as (
         delete from oidc_object where model = 'Grant' and uid = $1 returning id as grant_id),
       rest as (delete from oidc_object where grant_id in (select grant_id from gone))
       select grant_id from gone`,
      [connectionKey(userId, clientId)],
    );
    const shared = { reason: 'connection_ended' };
    const named = gone.map(({ grant_id: value }) => ({ kind: 'grant', value, ...shared }) as const);
    await revoke(
      tx,
      clock,
      { kind: 'connection', value: connectionKey(userId, clientId), ...shared },
      ...named,
    );
    await logSecurityEvent(tx, clock, {
      userId,
      type: 'application_shut_out',
      origin,
      details: { client_id: clientId, client_name: ended[0].client_name ?? clientId },
    });
    return true;
  });
}

/** Names the grants of a user to one client. */
export function connectionKey(userId: number | string, clientId: string): string {
  return `${userId} ${clientId}`;
}
