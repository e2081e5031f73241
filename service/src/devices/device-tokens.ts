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
import type { BindInput, RevokeInput } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import type { DeviceRow } from './queries.ts';

/** No token lives longer (see LOGIN_TOKEN_TTL); a revoked grant gives no new ones. */
const LONGEST_TOKEN_MS = 2_592_000_000;

/** What devices need of identity. */
export interface TokenFeed {
  /** Binds a token, and those refreshed from its grant, to a node. */
  bindToken(tx: Transaction, clock: Clock, binding: BindInput): Promise<void>;
  /** Revokes a token, those of a grant, or those that were issued for a user's node. */
  revoke(tx: Transaction, clock: Clock, revocation: RevokeInput): Promise<void>;
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
  readonly cut: 'disconnected' | 'deleted' | null;
}

const FIND_BOUND = defineStatement(
  'device-find-bound',
  `select t.device_id, d.node_id, d.user_id, d.cut
   from device_token t join device d on d.id = t.device_id
   where t.jti = :jti or t.grant_id = :grant_id order by t.jti = :jti desc limit 1`,
);
const BIND = defineStatement(
  'device-bind-token',
  `with added as (
     insert into device_token (jti, grant_id, device_id, expires_at)
     values (:jti, :grant_id, :device_id, :expires_at)
     on conflict (jti) do nothing returning device_id)
   select device_id, true as is_new from added
   union all
   select device_id, false from device_token where jti = :jti or grant_id = :grant_id`,
);
const UNBIND = defineStatement(
  'device-unbind-tokens',
  'delete from device_token where device_id = :device_id returning jti, grant_id, expires_at',
);
const DELETE_OLD = defineStatement(
  'device-tokens-delete-old',
  `delete from device_token where jti in (
     select jti from device_token
     where expires_at < :now and (grant_id is null or expires_at < :grants_before) limit 5000)`,
);

/** The device that a token, or another of its grant, is bound to. */
export async function findBoundDevice(
  db: Db,
  { jti, grantId }: Principal,
): Promise<BoundDevice | undefined> {
  const values = { jti, grant_id: grantId ?? null };
  return (await execute<BoundDevice>(db, FIND_BOUND, values)).rows[0];
}

/** Binds the caller's token to a device, once: a token serves one node for all its life. */
export async function bindCaller(
  tx: Transaction,
  { clock, feed }: TokenDeps,
  principal: Principal,
  { id, node_id }: Pick<DeviceRow, 'id' | 'node_id'>,
): Promise<void> {
  const { jti, grantId, expiresAt } = principal;
  // Serializes registrations with one token, or with several of one grant.
  await takeNamedLock(tx, ADVISORY_LOCKS.deviceToken, grantId ?? jti);
  const { rows } = await execute<{ device_id: number; is_new: boolean }>(tx, BIND, {
    jti,
    grant_id: grantId ?? null,
    device_id: id,
    expires_at: expiresAt,
  });
  if (rows.some((row) => row.device_id !== id)) throw failure('token_bound_elsewhere');
  if (!rows.some((row) => row.is_new)) return;
  const grantEnd = new Date(clock.now().getTime() + feed.longestGrant_ms);
  await feed.bindToken(tx, clock, {
    jti,
    nodeId: node_id,
    ...(grantId === undefined ? { until: expiresAt } : { until: grantEnd, grantId }),
  });
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
    UNBIND,
    { device_id: device.id },
  );
  const until = new Date(clock.now().getTime() + LONGEST_TOKEN_MS);
  const grants = new Set(rows.flatMap((row) => row.grant_id ?? []));
  const revocations: RevokeInput[] = [
    ...rows.map((row) => ({ kind: 'jti' as const, value: row.jti, reason, until: row.expires_at })),
    ...[...grants].map((value) => ({ kind: 'grant' as const, value, reason, until })),
    { kind: 'node', value: `${device.user_id} ${device.node_id}`, reason, until },
  ];
  for (const revocation of revocations) await feed.revoke(tx, clock, revocation);
}

/** Deletes bindings of expired tokens; those of a grant stay as long as the grant may. */
export async function deleteOldBindings(
  db: Db,
  clock: Clock,
  longestGrant_ms: number,
): Promise<void> {
  const now = clock.now();
  const grants_before = new Date(now.getTime() - longestGrant_ms);
  await execute(db, DELETE_OLD, { now, grants_before });
}
