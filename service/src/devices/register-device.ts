/** `PUT /me/devices/{node_id}`: a device registers, comes back after a cut, or says something new of itself. */
import {
  ADVISORY_LOCKS,
  type Db,
  type Transaction,
  takeNamedLock,
  transaction,
} from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import { type Principal, type RateLimit, takeHit } from '../http/index.ts';
import { failure } from '../lib/failures.ts';
import { bumpDeviceListVersion } from './device-list-version.ts';
import { bindCaller } from './device-tokens.ts';
import { countDevices, DEVICE_SELECT, type DeviceRow, findOwnDevice } from './queries.ts';
import { type CutDeps, cutDevice, recordDisconnection } from './revoke-device.ts';
import type { DeviceForm } from './schemas.ts';

/** What a person was asked with a sign-in, and what of it was granted. */
export interface CategoryConsent {
  readonly asked: readonly string[];
  readonly granted: readonly string[];
}

/** Finds the categories that the person decided on with a grant; the OpenID provider knows them. */
export type FindGrantedCategories = (db: Db, grantId: string) => Promise<CategoryConsent>;

export interface DeviceLimits {
  readonly perUser: number;
  readonly perAddress: number;
}

export interface RegisterDeps extends CutDeps {
  readonly limits: DeviceLimits;
  readonly findGrantedCategories: FindGrantedCategories;
  /** New devices of one person; what is refused for another reason does not count. */
  readonly newDevices: RateLimit;
}

export interface RegisterInput {
  readonly principal: Principal;
  readonly userId: number;
  readonly nodeId: string;
  readonly address: string;
  readonly form: DeviceForm;
}

/** Serializes registrations of a node, then new devices of a user, then those of an IP address. */
async function lock(tx: Transaction, subject: string): Promise<void> {
  await takeNamedLock(tx, ADVISORY_LOCKS.deviceRegistration, subject);
}

async function findLivingDevice(tx: Transaction, nodeId: string): Promise<DeviceRow | undefined> {
  const { rows } = await tx.query<DeviceRow>(
    `${DEVICE_SELECT} where d.node_id = $1 and d.cut is distinct from 'deleted' for update of d`,
    [nodeId],
  );
  return rows[0];
}

/** With a key-bound token the node is its key; a node with a key takes no token without it. */
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

/** Nobody but its owner moves a node; only the proof of its key is stronger than a name that somebody chose. */
async function freeNode(tx: Transaction, deps: RegisterDeps, input: RegisterInput): Promise<void> {
  const living = await findLivingDevice(tx, input.nodeId);
  if (!living || living.user_id === input.userId) return;
  if (input.principal.jkt !== input.nodeId || living.key_thumbprint !== null)
    throw failure('node_taken', {
      detail: 'The node belongs to another account; its owner must delete it first.',
    });
  await cutDevice(
    tx,
    deps,
    living,
    'deleted',
    'the holder of the key that this node is named after',
  );
}

/** @throws `token_not_fresh` when the token's grant is older than the last cut */
async function checkFresh(
  tx: Transaction,
  { feed }: RegisterDeps,
  principal: Principal,
  own: DeviceRow,
): Promise<void> {
  if (own.cut_at === null) return;
  if ((await feed.authorisedAt(tx, principal)) <= own.cut_at)
    throw failure('token_not_fresh', {
      detail: `The node was ${own.cut_reason ?? 'cut off'} after this token was authorised: sign in again.`,
    });
}

/** Before anything is changed that others may wait for. */
async function lockLimits(tx: Transaction, { userId, address }: RegisterInput): Promise<void> {
  await lock(tx, `devices of user ${userId}`);
  await lock(tx, `devices at ${address}`);
}

async function checkLimits(
  tx: Transaction,
  { limits }: RegisterDeps,
  { userId, address }: RegisterInput,
): Promise<void> {
  if ((await countDevices(tx, userId)) >= limits.perUser)
    throw failure('device_limit', {
      detail: `You have ${limits.perUser} devices already; delete one first.`,
    });
  const { rows } = await tx.query<{ count: number }>(
    "select count(*) as count from device where registered_address = $1 and cut is distinct from 'deleted'",
    [address],
  );
  if ((rows[0]?.count ?? 0) >= limits.perAddress)
    throw failure('device_limit', {
      detail: `There are ${limits.perAddress} devices at your network address already.`,
    });
}

function formValues({ form, principal }: RegisterInput, own: DeviceRow | undefined): unknown[] {
  return [
    principal.jkt ?? null,
    form.device_type,
    form.browser ?? own?.browser ?? '',
    form.extension_version ?? own?.extension_version ?? '',
    form.os ?? own?.os ?? '',
    form.timezone ?? own?.timezone ?? '',
    form.capabilities ?? own?.capabilities ?? [],
    form.requested_categories ?? own?.requested_categories ?? [],
  ];
}

async function insertDevice(
  tx: Transaction,
  { clock }: RegisterDeps,
  input: RegisterInput,
  { granted }: CategoryConsent,
): Promise<void> {
  await tx.query(
    `insert into device (key_thumbprint, device_type, browser, extension_version, os, timezone, capabilities, requested_categories,
       node_id, user_id, registered_address, created_at, bound_at, granted_categories)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, array(select g from unnest($8::text[]) as g where g = any ($13::text[])))`,
    [
      ...formValues(input, undefined),
      input.nodeId,
      input.userId,
      input.address,
      clock.now(),
      granted,
    ],
  );
}

/**
 * A device that registers again stays counted at the address that it had a place at. Categories that are no longer asked for are no longer granted. A new consent decides on those that it showed, and a
 * device that was deleted begins with nothing else.
 */
async function updateDevice(
  tx: Transaction,
  { clock }: RegisterDeps,
  input: RegisterInput,
  own: DeviceRow,
  { asked, granted }: CategoryConsent,
): Promise<void> {
  await tx.query(
    `update device set key_thumbprint = coalesce($1, key_thumbprint), device_type = $2, browser = $3, extension_version = $4, os = $5, timezone = $6,
       capabilities = $7, requested_categories = $8,
       granted_categories = array(select g from unnest($8::text[]) as g where g = any ($12::text[])
         or (cut is distinct from 'deleted' and g = any (granted_categories) and g <> all ($13::text[]))),
       bound_at = case when cut is null then bound_at else $10 end,
       registered_address = case when cut = 'deleted' then $11 else registered_address end, cut = null, cut_reason = null
     where id = $9`,
    [...formValues(input, own), own.id, clock.now(), input.address, granted, asked],
  );
}

const NOTHING: CategoryConsent = { asked: [], granted: [] };

/** What a consent decides, once: what its owner takes back later stays taken back, however often the device registers. */
async function newlyConsented(
  tx: Transaction,
  { findGrantedCategories }: RegisterDeps,
  { grantId }: Principal,
): Promise<CategoryConsent> {
  if (grantId === undefined) return NOTHING;
  const { rowCount } = await tx.query('select 1 from device_token where grant_id = $1 limit 1', [
    grantId,
  ]);
  return rowCount > 0 ? NOTHING : findGrantedCategories(tx, grantId);
}

async function register(
  tx: Transaction,
  deps: RegisterDeps,
  input: RegisterInput,
): Promise<DeviceRow> {
  const { principal, userId, nodeId } = input;
  await lock(tx, `node ${nodeId}`);
  const own = await findOwnDevice(tx, userId, nodeId, true);
  checkKey(principal, nodeId, own);
  const isNew = !own || own.cut === 'deleted';
  if (isNew) await lockLimits(tx, input);
  await freeNode(tx, deps, input);
  if (own) await checkFresh(tx, deps, principal, own);
  if (isNew) await checkLimits(tx, deps, input);
  const consented = await newlyConsented(tx, deps, principal);
  if (own) {
    await recordDisconnection(tx, deps.clock, own);
    await updateDevice(tx, deps, input, own, consented);
  } else {
    await takeHit(tx, deps.clock, deps.newDevices, String(userId));
    await insertDevice(tx, deps, input, consented);
  }
  await bumpDeviceListVersion(tx, [userId]);
  const row = await findOwnDevice(tx, userId, nodeId);
  if (!row) throw new Error('the device vanished in its own transaction');
  await bindCaller(tx, deps.clock, deps.feed, principal, { id: row.id, nodeId });
  if (own?.cut !== null)
    await recordEvent(tx, deps.clock, {
      userId,
      type: 'device.registered',
      data: { node_id: nodeId },
    });
  return row;
}

/**
 * Registers or updates a device and binds the caller's token to it.
 * @throws `node_taken`, `node_key_mismatch`, `token_not_fresh`, `token_bound_elsewhere`, `device_limit`, `rate_limited`
 */
export function registerDevice(
  db: Db,
  deps: RegisterDeps,
  input: RegisterInput,
): Promise<DeviceRow> {
  return transaction(db, (tx) => register(tx, deps, input));
}
