/**
 * What the provider stores while it serves one request is written in one statement before the answer leaves, and what
 * that request already holds is not read again. Consuming is never put off: it decides who wins.
 */
import type { IncomingMessage } from 'node:http';
import type { AdapterPayload } from 'oidc-provider';
import type { Db } from '../../db/index.ts';
import type { Origin, SignInRow } from '../../identity/index.ts';

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
  /** When the request came: before anything was read that its tokens are made from. */
  readonly openedAt: Date;
  /** Written at the end of the request. */
  readonly pending: Map<string, StoredObject>;
  /** Held already: as found, as it came sealed, or made for this request alone. */
  readonly held: Map<string, AdapterPayload>;
  /** The person's sign-in, where it was read along; null: the account is not active. */
  signIn?: {
    readonly accountId: string;
    readonly sid: string | undefined;
    readonly row: SignInRow | null;
  };
  /** The code that was consumed as it was read. */
  consumed?: string;
  /** The request that the person has answered: this answer must be the first that is taken. */
  answered?: RecordedDecision;
}

/** A person's answer as it is recorded when it is taken. */
export interface RecordedDecision {
  readonly decidedAt: Date;
  readonly uid: string;
  /** Until then nobody can answer the same request again. */
  readonly expiresAt: Date;
  readonly userId: number;
  readonly clientId: string;
  /** Scopes; null: refused. */
  readonly allowed: readonly string[] | null;
  readonly isRemembered: boolean;
  readonly origin: Origin;
  readonly details: Readonly<Record<string, string | readonly string[]>>;
  readonly takenAt: Date;
}

const units = new WeakMap<IncomingMessage, RequestUnit>();

/** The unit of a request; made at the first call. */
export function beginUnitOfWork(req: IncomingMessage, now: Date): RequestUnit {
  const known = units.get(req);
  if (known) return known;
  const unit: RequestUnit = { openedAt: now, pending: new Map(), held: new Map() };
  units.set(req, unit);
  return unit;
}

export function getUnitOfWork(req: IncomingMessage | undefined): RequestUnit | undefined {
  return req && units.get(req);
}

export function keyOf(model: string, id: string): string {
  return `${model} ${id}`;
}

// A refresh token that exists stays as it is: parallel rotations agree on one successor.
const INSERT = `insert into oidc_object (model, id, payload, grant_payload, grant_id, uid, user_code, expires_at)
  select model, id, payload::json, grant_payload::json, grant_id, uid, user_code, expires_at
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
    as t (model, id, payload, grant_payload, grant_id, uid, user_code, expires_at)`;
const STORE = `on conflict (model, id) do update set payload = excluded.payload, grant_payload = excluded.grant_payload, grant_id = excluded.grant_id,
    uid = excluded.uid, user_code = excluded.user_code, expires_at = excluded.expires_at
    where oidc_object.model <> 'RefreshToken'
  returning model`;
const WRITE = `${INSERT} ${STORE}`;

/**
 * Losing one in a power failure costs the person another click, so its commit need not wait for the disk. What comes
 * of it waits, and is written after it: a code that was redeemed can never be forgotten without its redemption.
 */
const ASYNC_COMMIT_MODELS: ReadonlySet<string> = new Set(['Grant', 'AuthorizationCode']);
const WITHOUT_WAITING = "set_config('synchronous_commit', 'off', true)";
const WRITE_ASYNC = `${WRITE}, ${WITHOUT_WAITING}, wait_for_endings((payload->>'accountId')::bigint)`;
// Stored and recorded with the answer or not at all: of an answer that was taken before, or whose application was shut
// out since, nothing comes.
const TAKE_ANSWER = `with taken as (
    insert into oidc_object (model, id, payload, expires_at)
    select 'AnsweredRequest', $17::text, '{}'::json, $18::timestamptz where may_take_decision($9, $10, $19)
    on conflict do nothing returning true as is_first),
  written as (${INSERT} cross join taken ${STORE})
  select ${WITHOUT_WAITING}, record_decision($9, $10, $11, $12, $13, $14, $15, $16) from taken`;

function valuesOf(objects: readonly StoredObject[]): unknown[] {
  return [
    objects.map(({ model }) => model),
    objects.map(({ id }) => id),
    objects.map(({ payload }) => JSON.stringify(payload)),
    objects.map(({ grantPayload }) =>
      grantPayload === undefined ? null : JSON.stringify(grantPayload),
    ),
    objects.map(({ grantId }) => grantId),
    objects.map(({ uid }) => uid),
    objects.map(({ userCode }) => userCode),
    objects.map(({ expiresAt }) => expiresAt),
  ];
}

/** Writes objects in one statement. `isFleeting` lets the commit that this belongs to go before the disk has it. */
export async function writeObjects(
  db: Db,
  objects: readonly StoredObject[],
  isFleeting = false,
): Promise<void> {
  if (objects.length === 0) return;
  await db.prepared(
    isFleeting ? 'oidc-write-soon' : 'oidc-write',
    isFleeting ? WRITE_ASYNC : WRITE,
    valuesOf(objects),
  );
}

/** Takes an answer, and writes what comes of it. False: it, or another to the same request, was taken before, or it counts no more. */
async function recordDecision(
  db: Db,
  answer: RecordedDecision,
  objects: readonly StoredObject[],
): Promise<boolean> {
  const {
    uid,
    expiresAt,
    userId,
    clientId,
    allowed,
    isRemembered,
    origin,
    details,
    takenAt,
    decidedAt,
  } = answer;
  const record = [
    userId,
    clientId,
    allowed,
    isRemembered,
    origin.ip,
    origin.userAgent.toWellFormed(),
    JSON.stringify(details),
    takenAt,
  ];
  const { rowCount } = await db.prepared('oidc-take-answer', TAKE_ANSWER, [
    ...valuesOf(objects),
    ...record,
    uid,
    expiresAt,
    decidedAt,
  ]);
  return rowCount > 0;
}

/** Writes what the request has put off. False: the answer that it goes on with was taken before, and nothing of it may leave. */
export async function commitUnitOfWork(db: Db, req: IncomingMessage): Promise<boolean> {
  const unit = units.get(req);
  if (!unit) return true;
  units.delete(req);
  const objects = [...unit.pending.values()];
  if (unit.answered) return recordDecision(db, unit.answered, objects);
  await writeObjects(
    db,
    objects,
    objects.every(({ model }) => ASYNC_COMMIT_MODELS.has(model)),
  );
  return true;
}
