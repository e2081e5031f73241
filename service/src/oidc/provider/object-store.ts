/** Statements on `oidc_object`, which holds what the provider stores. */
import type { AdapterPayload } from 'oidc-provider';
import {
  type Db,
  defineStatement,
  execute,
  type RetentionRule,
  type Transaction,
} from '../../db/index.ts';
import { revoke, type SignInRow } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { LOGOUT_RETENTION } from '../logout/deliver-logouts.ts';

export interface StoredObject {
  readonly model: string;
  /** A grant's id; of codes, tokens and sessions the hash. */
  readonly id: string;
  readonly payload: AdapterPayload;
  readonly grantId?: string | undefined;
  /** Of grants: the connection of user and client that they belong to. */
  readonly connection?: string | undefined;
  readonly userCode?: string | undefined;
  readonly expiresAt: Date;
}

export interface FoundObject {
  readonly payload: AdapterPayload;
  readonly consumed_at: Date | null;
  /** Scopes of the client now; null: it is disabled or removed. */
  readonly client_scopes: readonly string[] | null;
  /** Of a code or token: its grant. */
  readonly grant_payload: AdapterPayload | null;
}

const INSERT_OBJECT = `insert into oidc_object (model, id, payload, grant_id, uid, user_code,
    expires_at)
  values (:model, :id, :payload, :grant_id, :connection, :user_code, :expires_at)
  on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
    uid = excluded.uid, user_code = excluded.user_code, expires_at = excluded.expires_at`;
// A refresh token that exists stays as it is: parallel rotations agree on one successor.
const WRITE_OBJECT = defineStatement(
  'write-oidc-object',
  `${INSERT_OBJECT} where oidc_object.model <> 'RefreshToken'`,
);
// Losing a code or session in a power failure costs the user one more click. The commit that
// consumes a code waits for the disk, and is later in the log.
const WRITE_DEFERRED = defineStatement(
  'write-oidc-objects-async',
  `insert into oidc_object (model, id, payload, grant_id, expires_at)
   select * from unnest(:models::text[], :ids::text[], :payloads::json[], :grant_ids::text[],
     :expire_at::timestamptz[])
   on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
     expires_at = excluded.expires_at
   returning set_config('synchronous_commit', 'off', true)`,
);
// The end of a session or connection that runs at the same time sees the grant, or is seen by it.
const WRITE_GRANT = defineStatement(
  'write-oidc-grant',
  `${INSERT_OBJECT} returning wait_for_revocations((payload->>'accountId')::bigint)`,
);

// The grant is a subquery: a join that is planned while the table is small reads all grants.
const SELECT_OBJECT = `select o.payload, o.consumed_at, c.scopes as client_scopes,
    (select payload from oidc_object
     where model = 'Grant' and id = o.grant_id and expires_at > :now) as grant_payload
  from oidc_object o
    left join oauth_client c on c.client_id = o.payload->>'clientId' and c.is_enabled`;
const FIND_BY_ID = defineStatement(
  'find-oidc-object',
  `${SELECT_OBJECT} where o.model = :model and o.id = :id and o.expires_at > :now`,
);
const FIND_BY_USER_CODE = defineStatement(
  'find-oidc-user-code',
  `${SELECT_OBJECT} where o.model = :model and o.user_code = :user_code and o.expires_at > :now`,
);

const CONSUME_OBJECT = defineStatement(
  'consume-oidc-object',
  `update oidc_object set consumed_at = coalesce(consumed_at, :now)
   where model = :model and id = :id and (consumed_at is null or consumed_at > :again_after)
   returning load_sign_in((payload->>'accountId')::bigint, payload->>'sid', grant_id,
     payload->>'clientId', :now) as sign_in`,
);
const DELETE_OBJECT = defineStatement(
  'delete-oidc-object',
  'delete from oidc_object where model = :model and id = :id',
);

export async function writeObject(db: Db, object: StoredObject): Promise<void> {
  await execute(db, object.model === 'Grant' ? WRITE_GRANT : WRITE_OBJECT, {
    model: object.model,
    id: object.id,
    payload: JSON.stringify(object.payload),
    grant_id: object.grantId ?? null,
    connection: object.connection ?? null,
    user_code: object.userCode ?? null,
    expires_at: object.expiresAt,
  });
}

/** Writes codes and sessions, each once, without waiting for the disk. */
export async function writeDeferred(db: Db, objects: readonly StoredObject[]): Promise<void> {
  if (objects.length === 0) return;
  await execute(db, WRITE_DEFERRED, {
    models: objects.map(({ model }) => model),
    ids: objects.map(({ id }) => id),
    payloads: objects.map(({ payload }) => JSON.stringify(payload)),
    grant_ids: objects.map(({ grantId }) => grantId ?? null),
    expire_at: objects.map(({ expiresAt }) => expiresAt),
  });
}

export async function findObject(
  db: Db,
  now: Date,
  model: string,
  by: { readonly id: string } | { readonly userCode: string },
): Promise<FoundObject | undefined> {
  const { rows } =
    'id' in by
      ? await execute<FoundObject>(db, FIND_BY_ID, { model, id: by.id, now })
      : await execute<FoundObject>(db, FIND_BY_USER_CODE, { model, user_code: by.userCode, now });
  return rows[0];
}

/**
 * Consumes an object once, or again while it was first consumed after `againAfter`. Undefined: it
 * was consumed before. Of parallel calls one wins, and gets the sign-in as it is in that statement:
 * the others then revoke the grant.
 */
export async function consumeObject(
  db: Db,
  now: Date,
  { model, id, againAfter }: { model: string; id: string; againAfter: Date | null },
): Promise<{ readonly sign_in: SignInRow | null } | undefined> {
  const values = { model, id, now, again_after: againAfter };
  return (await execute<{ sign_in: SignInRow | null }>(db, CONSUME_OBJECT, values)).rows[0];
}

export async function deleteObject(db: Db, model: string, id: string): Promise<void> {
  await execute(db, DELETE_OBJECT, { model, id });
}

/** Deletes a grant with its codes and refresh tokens. */
export async function deleteGrant(db: Db, grantId: string): Promise<void> {
  await db.query("delete from oidc_object where grant_id = $1 or (model = 'Grant' and id = $1)", [
    grantId,
  ]);
}

/** Deletes a grant and revokes the access tokens that were issued under it. */
export async function endGrant(
  tx: Transaction,
  clock: Clock,
  grantId: string,
  reason: string,
): Promise<void> {
  await deleteGrant(tx, grantId);
  await revoke(tx, clock, { kind: 'grant', value: grantId, reason });
}

/** Codes, tickets, grants and tokens of the provider are of no use after they have expired. */
export const OIDC_RETENTION: readonly RetentionRule[] = [
  {
    table: 'oidc_object',
    reason: 'Codes, grants and refresh tokens, until they expire.',
    since: 'expires_at',
    kept_s: 0,
    rowsPerDay: 6_000_000,
  },
  {
    table: 'dpop_proof',
    reason: 'Each proof of possession is accepted once.',
    since: 'expires_at',
    kept_s: 0,
    rowsPerDay: 6_000_000,
  },
  {
    table: 'registration_token',
    reason: 'Permission to register an application.',
    since: 'expires_at',
    kept_s: 0,
    rowsPerDay: 1000,
  },
  ...LOGOUT_RETENTION,
];
