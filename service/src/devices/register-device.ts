/**
 * `PUT /me/devices/{node_id}`: a device registers, returns after a revocation, or updates itself.
 */
import {
  ADVISORY_LOCKS,
  type Db,
  defineStatement,
  execute,
  type Transaction,
  takeNamedLock,
  transaction,
} from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import { consumeRateLimit, type Principal, type RateLimit } from '../http/index.ts';
import { failure } from '../lib/failures.ts';
import { bumpDeviceListVersion } from './device-list-version.ts';
import { describeRevoked } from './device-status.ts';
import { bindCaller, type TokenDeps } from './device-tokens.ts';
import { DEVICE_SELECT, type DeviceRow, getOwnDevice, lockOwnDevice } from './queries.ts';
import { type OwnDevice, recordDisconnection, revokeDevice } from './revoke-device.ts';
import type { DeviceForm } from './schemas.ts';

/** The categories that a user was asked for with a grant, and those that were granted. */
export interface CategoryConsent {
  readonly asked: readonly string[];
  readonly granted: readonly string[];
}

/** Finds the categories of a grant; the OpenID provider stores them. */
export type FindGrantedCategories = (db: Db, grantId: string) => Promise<CategoryConsent>;

export interface DeviceLimits {
  readonly perUser: number;
  readonly perAddress: number;
}

export interface RegisterDeps extends TokenDeps {
  readonly limits: DeviceLimits;
  readonly findGrantedCategories: FindGrantedCategories;
  /** New devices of a user; those that are refused for another reason do not count. */
  readonly newDevices: RateLimit;
}

export interface RegisterInput extends OwnDevice {
  readonly principal: Principal;
  readonly address: string;
  readonly form: DeviceForm;
}

const LOCK_NODE = defineStatement(
  'device-lock-node',
  `${DEVICE_SELECT} where d.node_id = :node_id and d.cut is distinct from 'deleted'
   for update of d`,
);
const COUNT_DEVICES = defineStatement(
  'devices-count',
  `select
     (select count(*) from device
      where user_id = :user_id and cut is distinct from 'deleted') as of_user,
     (select count(*) from device
      where registered_address = :address and cut is distinct from 'deleted') as at_address`,
);
const INSERT_DEVICE = defineStatement(
  'device-insert',
  `insert into device (node_id, user_id, device_type, browser, extension_version, os, timezone,
     capabilities, requested_categories, registered_address, created_at, bound_at)
   values (:node_id, :user_id, :device_type, '', '', '', '', '{}', '{}', :address, :now, :now)`,
);
/**
 * A device that returns stays counted at its address; a deleted one begins anew. Categories that
 * are no longer requested are no longer granted; a new consent decides on those that it asked for.
 */
const UPDATE_DEVICE = defineStatement(
  'device-update',
  `update device set
     key_thumbprint = coalesce(:jkt, key_thumbprint),
     device_type = :device_type,
     browser = coalesce(:browser, browser),
     extension_version = coalesce(:extension_version, extension_version),
     os = coalesce(:os, os),
     timezone = coalesce(:timezone, timezone),
     capabilities = coalesce(:capabilities, capabilities),
     requested_categories = coalesce(:requested, requested_categories),
     granted_categories = array(
       select category from unnest(coalesce(:requested, requested_categories)) as category
       where category = any (:granted::text[])
         or (cut is distinct from 'deleted' and category = any (granted_categories)
           and category <> all (:asked::text[]))),
     bound_at = case when cut is null then bound_at else :now end,
     registered_address = case when cut = 'deleted' then :address else registered_address end,
     cut = null,
     cut_reason = null
   where user_id = :user_id and node_id = :node_id`,
);
const FIND_GRANT_USE = defineStatement(
  'device-find-grant-use',
  'select 1 from device_token where grant_id = :grant_id limit 1',
);

/** Serializes registrations of a node, then new devices of a user, then those of an address. */
async function lock(tx: Transaction, subject: string): Promise<void> {
  await takeNamedLock(tx, ADVISORY_LOCKS.deviceRegistration, subject);
}

/** The node of a key-bound token is its key; a node with a key takes no token without it. */
function checkKey(principal: Principal, nodeId: string, own: DeviceRow | undefined): void {
  if (principal.jkt !== undefined && principal.jkt !== nodeId)
    throw failure('node_key_mismatch', {
      detail: 'With a key-bound token the node ID is the thumbprint of its key.',
    });
  if (principal.jkt === undefined && own !== undefined && own.key_thumbprint !== null)
    throw failure('node_key_mismatch', {
      detail: 'The node has a key: only a token bound to that key can register it.',
    });
}

/** Only the owner releases a node; the proof of its key is stronger than a chosen name. */
async function releaseNode(
  tx: Transaction,
  deps: RegisterDeps,
  { principal, userId, nodeId }: RegisterInput,
): Promise<void> {
  const [holder] = (await execute<DeviceRow>(tx, LOCK_NODE, { node_id: nodeId })).rows;
  if (!holder || holder.user_id === userId) return;
  if (principal.jkt !== nodeId || holder.key_thumbprint !== null)
    throw failure('node_taken', {
      detail: 'The node belongs to another account; its owner must delete it first.',
    });
  await revokeDevice(tx, deps, holder, { kind: 'deleted', by: 'key_holder' });
}

/** @throws `token_not_fresh` when the token's grant is older than the last revocation */
async function checkFresh(
  tx: Transaction,
  { feed }: RegisterDeps,
  principal: Principal,
  device: DeviceRow,
): Promise<void> {
  const { revoked_at } = device;
  if (revoked_at === null || (await feed.resolveGrantTime(tx, principal)) > revoked_at) return;
  const revoked = device.revoked_as === null ? 'revoked' : describeRevoked(device);
  throw failure('token_not_fresh', {
    detail: `The node was ${revoked} after this token was authorised: sign in again.`,
  });
}

async function checkLimits(
  tx: Transaction,
  { limits }: RegisterDeps,
  { userId, address }: RegisterInput,
): Promise<void> {
  const { rows } = await execute<{ of_user: number; at_address: number }>(tx, COUNT_DEVICES, {
    user_id: userId,
    address,
  });
  const { of_user, at_address } = rows[0] ?? { of_user: 0, at_address: 0 };
  if (of_user >= limits.perUser)
    throw failure('device_limit', {
      detail: `You already have ${limits.perUser} devices; delete one first.`,
    });
  if (at_address >= limits.perAddress)
    throw failure('device_limit', {
      detail:
        `There are already ${limits.perAddress} devices at your network address; delete those ` +
        'that are not used any more.',
    });
}

/** A consent decides once: what the owner withdraws later stays withdrawn. */
async function findNewConsent(
  tx: Transaction,
  { findGrantedCategories }: RegisterDeps,
  { grantId }: Principal,
): Promise<CategoryConsent> {
  const none = { asked: [], granted: [] };
  if (grantId === undefined) return none;
  const { rowCount } = await execute(tx, FIND_GRANT_USE, { grant_id: grantId });
  return rowCount > 0 ? none : findGrantedCategories(tx, grantId);
}

async function writeDevice(
  tx: Transaction,
  deps: RegisterDeps,
  { principal, userId, nodeId, address, form }: RegisterInput,
  own: DeviceRow | undefined,
): Promise<void> {
  const { asked, granted } = await findNewConsent(tx, deps, principal);
  const values = {
    user_id: userId,
    node_id: nodeId,
    address,
    now: deps.clock.now(),
    device_type: form.device_type,
  };
  if (own) await recordDisconnection(tx, deps.clock, own);
  else {
    await consumeRateLimit(tx, deps.clock, deps.newDevices, String(userId));
    await execute(tx, INSERT_DEVICE, values);
  }
  await execute(tx, UPDATE_DEVICE, {
    ...values,
    jkt: principal.jkt ?? null,
    browser: form.browser ?? null,
    extension_version: form.extension_version ?? null,
    os: form.os ?? null,
    timezone: form.timezone ?? null,
    capabilities: form.capabilities ?? null,
    requested: form.requested_categories ?? null,
    granted,
    asked,
  });
}

async function register(
  tx: Transaction,
  deps: RegisterDeps,
  input: RegisterInput,
): Promise<DeviceRow> {
  const { principal, userId, nodeId, address } = input;
  await lock(tx, `node ${nodeId}`);
  const own = await lockOwnDevice(tx, userId, nodeId);
  checkKey(principal, nodeId, own);
  const isNew = !own || own.revoked_as === 'deleted';
  if (isNew) {
    // Before anything is changed that others may wait for.
    await lock(tx, `devices of user ${userId}`);
    await lock(tx, `devices at ${address}`);
  }
  await releaseNode(tx, deps, input);
  if (own) await checkFresh(tx, deps, principal, own);
  if (isNew) await checkLimits(tx, deps, input);
  await writeDevice(tx, deps, input, own);
  await bumpDeviceListVersion(tx, [userId]);
  const row = await getOwnDevice(tx, userId, nodeId);
  await bindCaller(tx, deps, principal, row);
  if (own?.revoked_as !== null)
    await recordEvent(tx, deps.clock, {
      userId,
      type: 'device.registered',
      data: { node_id: nodeId },
    });
  return row;
}

/**
 * Registers or updates a device and binds the caller's token to it.
 * @throws `node_taken`, `node_key_mismatch`, `token_not_fresh`, `token_bound_elsewhere`,
 * `device_limit`, `rate_limited`
 */
export function registerDevice(
  db: Db,
  deps: RegisterDeps,
  input: RegisterInput,
): Promise<DeviceRow> {
  return transaction(db, (tx) => register(tx, deps, input));
}
