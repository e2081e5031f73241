/** The tokens that are bound to a device, and their revocation. */
import {
  ADVISORY_LOCKS,
  type Db,
  defineStatement,
  execute,
  type Transaction,
  takeNamedLock,
} from '../db/index.ts';
import type { Principal } from '../http/index.ts';
import type { RevokeInput } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import type { DeviceRow } from './queries.ts';

/** What devices need of identity. */
export interface TokenFeed {
  /** Revokes a token, or those that were issued for a user's node. */
  revoke(tx: Transaction, clock: Clock, revocation: RevokeInput): Promise<void>;
  /** Deletes a grant, and revokes the tokens from it. */
  endGrant(tx: Transaction, clock: Clock, grantId: string, reason: string): Promise<void>;
  /** Tokens are refreshed from a grant for at most this long. */
  readonly longestGrant_ms: number;
  /** When the user authorised the token's grant; a refresh does not change it. */
  resolveGrantTime(db: Db, principal: Principal): Promise<Date>;
}

export interface TokenDeps {
  readonly clock: Clock;
  readonly feed: TokenFeed;
}

interface BoundDevice {
  readonly device_id: number;
  readonly node_id: string;
  readonly user_id: number;
  readonly revoked_as: 'disconnected' | 'deleted' | null;
}

const FIND_BOUND = defineStatement(
  'device-find-bound',
  `select t.device_id, d.node_id, d.user_id, d.cut as revoked_as
   from device_token t join device d on d.id = t.device_id
   where t.jti = :jti or t.grant_id = :grant_id order by t.jti = :jti desc limit 1`,
);
const BIND_TOKEN = defineStatement(
  'device-bind-token',
  `with added as (
     insert into device_token (jti, grant_id, device_id, expires_at)
     select :jti, :grant_id, :device_id, :expires_at
     where not exists (select from device_token where grant_id = :grant_id)
     on conflict (jti) do nothing returning device_id)
   select device_id from added
   union all
   select device_id from device_token where jti = :jti or grant_id = :grant_id`,
);
const UNBIND_TOKENS = defineStatement(
  'device-unbind-tokens',
  'delete from device_token where device_id = :device_id returning jti, grant_id, expires_at',
);

/** The device that a token, or another of its grant, is bound to. */
export async function findBoundDevice(
  db: Db,
  { jti, grantId }: Pick<Principal, 'jti' | 'grantId'>,
): Promise<BoundDevice | undefined> {
  const values = { jti, grant_id: grantId ?? null };
  return (await execute<BoundDevice>(db, FIND_BOUND, values)).rows[0];
}

/** The node that a token, or another of its grant, is bound to. */
export async function findBoundNode(
  db: Db,
  token: Pick<Principal, 'jti' | 'grantId'>,
): Promise<string | undefined> {
  return (await findBoundDevice(db, token))?.node_id;
}

/**
 * Binds the caller's token and its grant to a device, once: a token serves one node for all its
 * life. Tokens that are refreshed from the grant name the node themselves, and are not stored.
 */
export async function bindCaller(
  tx: Transaction,
  { clock, feed }: TokenDeps,
  principal: Principal,
  { id }: Pick<DeviceRow, 'id'>,
): Promise<void> {
  const { jti, grantId, expiresAt } = principal;
  // Serializes registrations with one token, or with several of one grant.
  await takeNamedLock(tx, ADVISORY_LOCKS.deviceToken, grantId ?? jti);
  const { rows } = await execute<{ device_id: number }>(tx, BIND_TOKEN, {
    jti,
    grant_id: grantId ?? null,
    device_id: id,
    expires_at:
      grantId === undefined ? expiresAt : new Date(clock.now().getTime() + feed.longestGrant_ms),
  });
  if (rows.some((row) => row.device_id !== id)) throw failure('token_bound_elsewhere');
}

/**
 * Revokes the tokens that are bound to a device, with their grants, and those that were issued for
 * the node but never registered it.
 */
export async function revokeDeviceTokens(
  tx: Transaction,
  { clock, feed }: TokenDeps,
  device: Pick<DeviceRow, 'id' | 'user_id' | 'node_id'>,
  reason: string,
): Promise<void> {
  const { rows } = await execute<{ jti: string; grant_id: string | null; expires_at: Date }>(
    tx,
    UNBIND_TOKENS,
    { device_id: device.id },
  );
  const grants = new Set(rows.flatMap((row) => row.grant_id ?? []));
  const revocations: RevokeInput[] = [
    ...rows.map(({ jti, grant_id, expires_at }) => ({
      kind: 'jti' as const,
      value: jti,
      reason,
      // Otherwise it is the expiry of the grant, which the token does not reach.
      ...(grant_id === null && { until: expires_at }),
    })),
    { kind: 'node', value: `${device.user_id} ${device.node_id}`, reason },
  ];
  for (const grant of grants) await feed.endGrant(tx, clock, grant, reason);
  for (const revocation of revocations) await feed.revoke(tx, clock, revocation);
}
