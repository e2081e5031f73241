import { type Db, transaction } from '../../db/index.ts';
import { holdPerson, logSecurityEvent, type Origin, revoke } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';

/** No token lives longer (see LOGIN_TOKEN_TTL). */
const LONGEST_TOKEN_MS = 2_592_000_000;

export interface EndConnectionInput {
  readonly userId: number;
  readonly clientId: string;
  readonly origin: Origin;
}

/**
 * Takes back all that a person allowed a client: its grants, refresh tokens and tokens. Returns false when there was
 * nothing. Grants are revoked by name too: what reads the state of before may sign while this commits.
 */
export async function endConnection(
  db: Db,
  clock: Clock,
  { userId, clientId, origin }: EndConnectionInput,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    await holdPerson(tx, userId);
    const { rows: ended } = await tx.query<{ client_name: string | null }>(
      `delete from consent where user_id = $1 and client_id = $2
       returning (select name from oauth_client c where c.client_id = consent.client_id) as client_name`,
      [userId, clientId],
    );
    if (!ended[0]) return false;
    const { rows: gone } = await tx.query<{ grant_id: string }>(
      `with gone as (
         delete from oidc_object where model in ('Grant', 'AuthorizationCode') and uid = $1 returning case model when 'Grant' then id else grant_id end as grant_id),
       rest as (delete from oidc_object where grant_id in (select grant_id from gone))
       select distinct grant_id from gone`,
      [connectionKey(userId, clientId)],
    );
    const until = new Date(clock.now().getTime() + LONGEST_TOKEN_MS);
    const shared = { reason: 'connection_ended', until };
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

/** Names a person's grants to one client. */
export function connectionKey(userId: number | string, clientId: string): string {
  return `${userId} ${clientId}`;
}
