/** The tokens of a device: which are bound to it, and what a cut does to them. */
import { ADVISORY_LOCKS, type Db, type Transaction, takeNamedLock } from '../db/index.ts';
import type { Principal } from '../http/index.ts';
import type { BindInput, RevokeInput } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import type { DeviceRow } from './queries.ts';

/** No token lives longer (see LOGIN_TOKEN_TTL): a revoked grant gives no new ones. */
const LONGEST_TOKEN_MS = 2_592_000_000;

/** What devices need of identity. */
export interface TokenFeed {
  /** Binds a token, and those refreshed from its grant, to a node. */
  bindToken(tx: Transaction, clock: Clock, binding: BindInput): Promise<void>;
  /** Revokes a token, all of a grant, or all that were issued for a person's node. */
  revoke(tx: Transaction, clock: Clock, revocation: RevokeInput): Promise<void>;
  /** Tokens are refreshed from a grant for at most this long. */
  readonly longestGrant_ms: number;
  /** When the person authorised what the token was issued from; a refresh does not move it. */
  authorisedAt(db: Db, principal: Principal): Promise<Date>;
}

interface BoundDevice {
  readonly device_id: number;
  readonly node_id: string;
  readonly user_id: number;
  readonly cut: 'disconnected' | 'deleted' | null;
}

/** The device that a token, or another of its grant, was bound to. */
export async function findBoundDevice(
  db: Db,
  principal: Principal,
): Promise<BoundDevice | undefined> {
  const { rows } = await db.query<BoundDevice>(
    `select t.device_id, d.node_id, d.user_id, d.cut from device_token t join device d on d.id = t.device_id
     where t.jti = $1 or t.grant_id = $2 order by t.jti = $1 desc limit 1`,
    [principal.jti, principal.grantId ?? null],
  );
  return rows[0];
}

/** Binds the caller's token to a device, once: a token serves one node for all its life. */
export async function bindCaller(
  tx: Transaction,
  clock: Clock,
  feed: TokenFeed,
  principal: Principal,
  device: { id: number; nodeId: string },
): Promise<void> {
  const grantId = principal.grantId ?? null;
  // Two registrations with one token, or with two of one grant, go one after the other.
  await takeNamedLock(tx, ADVISORY_LOCKS.deviceToken, grantId ?? principal.jti);
  const { rows } = await tx.query<{ device_id: number; is_new: boolean }>(
    `with added as (
       insert into device_token (jti, grant_id, device_id, expires_at) values ($1, $2, $3, $4) on conflict (jti) do nothing returning device_id)
     select device_id, true as is_new from added
     union all select device_id, false from device_token where jti = $1 or grant_id = $2`,
    [principal.jti, grantId, device.id, principal.expiresAt],
  );
  if (rows.some((row) => row.device_id !== device.id)) throw failure('token_bound_elsewhere');
  if (!rows.some((row) => row.is_new)) return;
  await feed.bindToken(tx, clock, {
    jti: principal.jti,
    nodeId: device.nodeId,
    until:
      grantId === null
        ? principal.expiresAt
        : new Date(clock.now().getTime() + feed.longestGrant_ms),
    ...(grantId !== null && { grantId }),
  });
}

/**
 * Revokes every token that was bound to a device, with the grants they came from; and what was issued for the node up to
 * now, though it never registered it.
 */
export async function revokeDeviceTokens(
  tx: Transaction,
  clock: Clock,
  feed: TokenFeed,
  device: Pick<DeviceRow, 'id' | 'user_id' | 'node_id'>,
  reason: string,
): Promise<void> {
  const { rows } = await tx.query<{ jti: string; grant_id: string | null; expires_at: Date }>(
    'delete from device_token where device_id = $1 returning jti, grant_id, expires_at',
    [device.id],
  );
  const grants = new Set(rows.flatMap((row) => row.grant_id ?? []));
  for (const row of rows)
    await feed.revoke(tx, clock, { kind: 'jti', value: row.jti, reason, until: row.expires_at });
  const until = new Date(clock.now().getTime() + LONGEST_TOKEN_MS);
  for (const value of grants) await feed.revoke(tx, clock, { kind: 'grant', value, reason, until });
  await feed.revoke(tx, clock, {
    kind: 'node',
    value: `${device.user_id} ${device.node_id}`,
    reason,
    until,
  });
}

/** Forgets bindings of tokens that have expired; those of a grant stay as long as the grant may. */
export async function deleteOldBindings(
  db: Db,
  clock: Clock,
  longestGrant_ms: number,
): Promise<void> {
  await db.query(
    `delete from device_token where jti in (
       select jti from device_token where expires_at < $1 and (grant_id is null or expires_at < $2) limit 5000)`,
    [clock.now(), new Date(clock.now().getTime() - longestGrant_ms)],
  );
}
