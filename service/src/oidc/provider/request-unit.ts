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
  /** Of a code: its grant, which most often nobody needs any more once the code was redeemed. */
  readonly grantPayload?: AdapterPayload | undefined;
  readonly grantId: string | null;
  readonly uid: string | null;
  readonly userCode: string | null;
  readonly expiresAt: Date;
}

export interface RequestUnit {
  /** Written at the end of the request. */
  readonly pending: Map<string, StoredObject>;
  /** Held already: as found, as it came sealed, or made for this request alone. */
  readonly held: Map<string, AdapterPayload>;
  /** The person's sign-in, where it was read along; null: the account is not active. */
  signIn?: { readonly accountId: string; readonly sid: string | undefined; readonly row: SignInRow | null };
  /** The code that was consumed as it was read. */
  consumed?: string;
  /** The request that the person has answered: this answer must be the first that is taken. */
  answered?: { readonly uid: string; readonly expiresAt: Date };
}

const units = new WeakMap<IncomingMessage, RequestUnit>();

/** The unit of a request; made at the first call. */
export function openUnit(req: IncomingMessage): RequestUnit {
  const known = units.get(req);
  if (known) return known;
  const unit: RequestUnit = { pending: new Map(), held: new Map() };
  units.set(req, unit);
  return unit;
}

export function findUnit(req: IncomingMessage | undefined): RequestUnit | undefined {
  return req && units.get(req);
}

export function keyOf(model: string, id: string): string {
  return `${model} ${id}`;
}

const ANSWERED = 'AnsweredRequest';

// A refresh token that exists stays as it is: parallel rotations agree on one successor. An answer that exists, too:
// it was taken already.
const WRITE = `insert into oidc_object (model, id, payload, grant_payload, grant_id, uid, user_code, expires_at)
  select model, id, payload::json, grant_payload::json, grant_id, uid, user_code, expires_at
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
    as t (model, id, payload, grant_payload, grant_id, uid, user_code, expires_at)
  on conflict (model, id) do update set payload = excluded.payload, grant_payload = excluded.grant_payload, grant_id = excluded.grant_id,
    uid = excluded.uid, user_code = excluded.user_code, expires_at = excluded.expires_at
    where oidc_object.model not in ('RefreshToken', '${ANSWERED}')
  returning model`;

/**
 * Losing one in a power failure costs the person another click, so its commit need not wait for the disk. What comes
 * of it waits, and is written after it: a code that was redeemed can never be forgotten without its redemption.
 */
const FLEETING: ReadonlySet<string> = new Set(['Grant', 'AuthorizationCode', ANSWERED]);
const WITHOUT_WAITING = "set_config('synchronous_commit', 'off', true)";

/** Writes objects in one statement and names the models of those that were written. `isFleeting` lets the commit go before the disk has it. */
export async function writeObjects(db: Db, objects: readonly StoredObject[], isFleeting = false): Promise<ReadonlySet<string>> {
  if (objects.length === 0) return new Set();
  const { rows } = await db.prepared<{ model: string }>(isFleeting ? 'oidc-write-soon' : 'oidc-write', isFleeting ? `${WRITE}, ${WITHOUT_WAITING}` : WRITE, [
    objects.map(({ model }) => model),
    objects.map(({ id }) => id),
    objects.map(({ payload }) => JSON.stringify(payload)),
    objects.map(({ grantPayload }) => (grantPayload === undefined ? null : JSON.stringify(grantPayload))),
    objects.map(({ grantId }) => grantId),
    objects.map(({ uid }) => uid),
    objects.map(({ userCode }) => userCode),
    objects.map(({ expiresAt }) => expiresAt),
  ]);
  return new Set(rows.map(({ model }) => model));
}

function answerOf({ uid, expiresAt }: NonNullable<RequestUnit['answered']>): StoredObject {
  return { model: ANSWERED, id: uid, payload: {}, grantId: null, uid: null, userCode: null, expiresAt };
}

/** Writes what the request has put off. False: the answer that it goes on with was taken before, and nothing of it may leave. */
export async function closeUnit(db: Db, req: IncomingMessage): Promise<boolean> {
  const unit = units.get(req);
  if (!unit) return true;
  units.delete(req);
  const objects = [...unit.pending.values(), ...(unit.answered ? [answerOf(unit.answered)] : [])];
  const written = await writeObjects(
    db,
    objects,
    objects.every(({ model }) => FLEETING.has(model)),
  );
  return !unit.answered || written.has(ANSWERED);
}
