/**
 * What the provider stores while it serves one request is written in one statement before the answer leaves, and what
 * that request already holds is not read again. Consuming is never put off: it decides who wins.
 */
import type { IncomingMessage } from 'node:http';
import type { AdapterPayload } from 'oidc-provider';
import type { Db } from '../../db/index.ts';
import type { SignInRow } from '../../identity/index.ts';

export interface StoredObject {
  readonly model: string;
  /** As it is stored: the hash of a secret. */
  readonly id: string;
  readonly payload: AdapterPayload;
  readonly grantId: string | null;
  readonly uid: string | null;
  readonly userCode: string | null;
  readonly expiresAt: Date;
}

export interface RequestUnit {
  /** Written at the end of the request. */
  readonly pending: Map<string, StoredObject>;
  /** Held already: as found, or taken out of the database for this request alone. */
  readonly held: Map<string, AdapterPayload>;
  /** The person's sign-in, where it was read along; null: the account is not active. */
  signIn?: { readonly accountId: string; readonly sid: string | undefined; readonly row: SignInRow | null };
  /** No longer in the database, so that there is nothing to delete. */
  readonly taken: Set<string>;
}

const units = new WeakMap<IncomingMessage, RequestUnit>();

/** The unit of a request; made at the first call. */
export function openUnit(req: IncomingMessage): RequestUnit {
  const known = units.get(req);
  if (known) return known;
  const unit: RequestUnit = { pending: new Map(), held: new Map(), taken: new Set() };
  units.set(req, unit);
  return unit;
}

export function findUnit(req: IncomingMessage | undefined): RequestUnit | undefined {
  return req && units.get(req);
}

export function keyOf(model: string, id: string): string {
  return `${model} ${id}`;
}

// A refresh token that exists stays as it is: parallel rotations agree on one successor.
const WRITE = `insert into oidc_object (model, id, payload, grant_id, uid, user_code, expires_at)
  select model, id, payload::json, grant_id, uid, user_code, expires_at
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
    as t (model, id, payload, grant_id, uid, user_code, expires_at)
  on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
    user_code = excluded.user_code, expires_at = excluded.expires_at where oidc_object.model <> 'RefreshToken'`;

/**
 * Losing one in a power failure costs the person another click, so its commit need not wait for the disk. What comes
 * of it waits, and is written after it: a code that was redeemed can never be forgotten without its redemption.
 */
const FLEETING: ReadonlySet<string> = new Set(['Interaction', 'Session', 'Grant', 'AuthorizationCode']);
export const WITHOUT_WAITING = "returning set_config('synchronous_commit', 'off', true)";

/** Writes objects in one statement. `isFleeting` lets the commit that this belongs to go before the disk has it. */
export async function writeObjects(db: Db, objects: readonly StoredObject[], isFleeting = false): Promise<void> {
  if (objects.length === 0) return;
  await db.prepared(isFleeting ? 'oidc-write-soon' : 'oidc-write', isFleeting ? `${WRITE} ${WITHOUT_WAITING}` : WRITE, [
    objects.map(({ model }) => model),
    objects.map(({ id }) => id),
    objects.map(({ payload }) => JSON.stringify(payload)),
    objects.map(({ grantId }) => grantId),
    objects.map(({ uid }) => uid),
    objects.map(({ userCode }) => userCode),
    objects.map(({ expiresAt }) => expiresAt),
  ]);
}

/** Writes what the request has put off. */
export async function closeUnit(db: Db, req: IncomingMessage): Promise<void> {
  const unit = units.get(req);
  if (!unit) return;
  units.delete(req);
  const objects = [...unit.pending.values()];
  await writeObjects(
    db,
    objects,
    objects.every(({ model }) => FLEETING.has(model)),
  );
}
