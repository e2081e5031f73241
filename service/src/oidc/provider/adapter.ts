/**
 * The provider's storage in PostgreSQL. Whatever may be used once is consumed by a conditional UPDATE, so that of any
 * number of parallel redemptions one wins; the others, and every later one, end what was given. Codes and tokens are
 * stored by hash: a copy of the database redeems nothing.
 */
import type { Adapter, AdapterPayload, errors as Errors, KoaContextWithOIDC } from 'oidc-provider';
import { type Db, type Transaction, transaction } from '../../db/index.ts';
import { revoke } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/ids.ts';
import { type ClientRegistry, isNative } from '../clients/index.ts';
import { connectionKey } from '../consent/revoke-application.ts';
import { isPollingTooFast } from '../device-flow/enforce-poll-interval.ts';
import { deleteExpiredProofs, type RecordDpopJti } from '../guard/dpop-replay-store.ts';
import { isMissingDpopProof, redeemCode, type StoredRow } from './redeem-code.ts';
import { narrowGrant, restrictScopes } from './restrict-scopes.ts';
import { keyOf, type RequestUnit, type StoredObject, writeObjects } from './unit-of-work.ts';

export interface StorageDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly clients: ClientRegistry;
  readonly errors: typeof Errors;
  readonly takeProof: RecordDpopJti;
  /** The unit of the request that the provider serves now. */
  currentUnit(): RequestUnit | undefined;
  currentContext(): KoaContextWithOIDC | undefined;
  /** Longest life of an access token. */
  readonly tokenTtl_s: number;
}

/** A retry with a rotated refresh token gets the same successor for so long. */
const REFRESH_GRACE_MS = 30_000;
const SECRET_MODELS: ReadonlySet<string> = new Set([
  'AuthorizationCode',
  'RefreshToken',
  'DeviceCode',
]);

const CONSUME = `update oidc_object set consumed_at = coalesce(consumed_at, $3)
  where model = $1 and id = $2 and (consumed_at is null or consumed_at > $4)`;

// With a code or refresh token come its grant and its person: whoever reads the one needs the others.
const FIND = `select o.payload, o.consumed_at, coalesce(o.grant_payload, g.payload) as grant_payload,
    case when o.grant_id is not null then sign_in((o.payload->>'accountId')::bigint, o.payload->>'sid', o.grant_id, o.payload->>'clientId', $3) end as sign_in
  from oidc_object o left join oidc_object g on o.grant_payload is null and g.model = 'Grant' and g.id = o.grant_id and g.expires_at > $3`;

/** Forgets a grant with its codes and refresh tokens. */
export async function deleteGrant(db: Db, grantId: string): Promise<void> {
  await db.query("delete from oidc_object where grant_id = $1 or (model = 'Grant' and id = $1)", [
    grantId,
  ]);
}

/** Ends everything that came from a grant: what is stored, and the tokens that are out. */
export async function endGrant(
  tx: Transaction,
  clock: Clock,
  grantId: string,
  reason: string,
  tokenTtl_s: number,
): Promise<void> {
  await deleteGrant(tx, grantId);
  const until = new Date(clock.now().getTime() + tokenTtl_s * 1000);
  await revoke(tx, clock, { kind: 'grant', value: grantId, reason, until });
}

async function findClientMetadata(
  clients: ClientRegistry,
  clientId: string,
): Promise<AdapterPayload | undefined> {
  const client = await clients.find(clientId);
  if (!client) return undefined;
  return {
    client_id: client.clientId,
    client_name: client.name,
    ...(client.secretHash !== undefined && { client_secret: client.secretHash }),
    token_endpoint_auth_method: client.secretHash === undefined ? 'none' : 'client_secret_basic',
    redirect_uris: [...client.redirectUris],
    grant_types: [...client.grantTypes],
    response_types: client.redirectUris.length > 0 ? ['code'] : [],
    response_modes: ['query'],
    scope: client.scopes.join(' '),
    application_type: isNative(client) ? 'native' : 'web',
  } as AdapterPayload;
}

/** What else a record is found by: a grant or code by whose it is. */
function secondKey(model: string, { accountId, clientId }: AdapterPayload): string | null {
  return (model === 'Grant' || model === 'AuthorizationCode') &&
    accountId !== undefined &&
    clientId !== undefined
    ? connectionKey(accountId, clientId)
    : null;
}

/** Makes the adapter of one model that is stored. */
export function createAdapter(model: string, deps: StorageDeps): Adapter {
  const { db, clock, clients, errors, tokenTtl_s } = deps;
  const isSecret = SECRET_MODELS.has(model);
  const idOf = (value: string): string => (isSecret ? hashSecret(value) : value);

  function read(
    row: StoredRow,
    jti: string | undefined,
    unit: RequestUnit | undefined,
  ): AdapterPayload {
    if (unit && row.grant_payload) {
      unit.held.set(
        keyOf('Grant', String(row.grant_payload.jti)),
        narrowGrant(row.grant_payload, row.sign_in),
      );
      unit.signIn = {
        accountId: String(row.payload.accountId),
        sid: row.payload.sid as string | undefined,
        row: row.sign_in,
      };
    }
    const isWithinGrace =
      model === 'RefreshToken' &&
      row.consumed_at !== null &&
      clock.now().getTime() - row.consumed_at.getTime() <= REFRESH_GRACE_MS;
    const consumed =
      row.consumed_at !== null && !isWithinGrace
        ? { consumed: Math.floor(row.consumed_at.getTime() / 1000) }
        : {};
    return {
      ...restrictScopes(row.payload, row.sign_in),
      ...(jti !== undefined && { jti }),
      ...consumed,
    };
  }

  async function findWhere(
    column: 'id' | 'user_code',
    value: string,
    jti?: string,
  ): Promise<AdapterPayload | undefined> {
    const unit = deps.currentUnit();
    const held =
      column === 'id'
        ? (unit?.pending.get(keyOf(model, value))?.payload ?? unit?.held.get(keyOf(model, value)))
        : undefined;
    if (held) return jti === undefined ? held : { ...held, jti };
    const { rows } = await db.prepared<StoredRow>(
      `oidc-find-${column}`,
      `${FIND} where o.model = $1 and o.${column} = $2 and o.expires_at > $3`,
      [model, value, clock.now()],
    );
    return rows[0] && read(rows[0], jti, unit);
  }

  async function findCode(code: string): Promise<AdapterPayload | undefined> {
    const id = idOf(code);
    const ctx = deps.currentContext();
    const unit = deps.currentUnit();
    const redirectUri = ctx?.oidc.params?.redirect_uri;
    // The operator may have removed it since the code went there.
    if (
      typeof redirectUri === 'string' &&
      ctx?.oidc.client?.redirectUriAllowed(redirectUri) === false
    )
      return undefined;
    const row = ctx && unit && (await redeemCode(db, clock.now(), id, ctx));
    if (!row) {
      const found = await findWhere('id', id, code);
      if (found && found.consumed === undefined && (await isMissingDpopProof(found, ctx)))
        throw new errors.InvalidGrant('the code is bound to another key');
      return found;
    }
    unit.consumed = keyOf(model, id);
    return read(row, code, unit);
  }

  async function findDeviceCode(code: string): Promise<AdapterPayload | undefined> {
    const { route, client } = deps.currentContext()?.oidc ?? {};
    if (
      route === 'token' &&
      client &&
      (await isPollingTooFast(db, clock.now(), idOf(code), client.clientId))
    )
      throw new errors.SlowDown();
    return findWhere('id', idOf(code), code);
  }

  const finders: Readonly<Record<string, typeof findCode>> = {
    Client: (id) => findClientMetadata(clients, id),
    AuthorizationCode: findCode,
    DeviceCode: findDeviceCode,
  };

  function toObject(
    id: string,
    payload: AdapterPayload,
    expiresIn: number,
    unit: RequestUnit | undefined,
  ): StoredObject {
    const { jti, ...rest } = payload;
    return {
      model,
      id: idOf(id),
      payload: isSecret ? rest : { ...rest, jti },
      grantPayload:
        model === 'AuthorizationCode'
          ? unit?.held.get(keyOf('Grant', String(payload.grantId)))
          : undefined,
      grantId: payload.grantId ?? null,
      uid: secondKey(model, payload),
      userCode: payload.userCode ?? null,
      expiresAt: new Date(clock.now().getTime() + expiresIn * 1000),
    };
  }

  return {
    async upsert(id, payload, expiresIn = tokenTtl_s) {
      const unit = deps.currentUnit();
      const object = toObject(id, payload, expiresIn, unit);
      if (model === 'ReplayDetection') {
        if (!(await deps.takeProof(id, object.expiresAt)))
          throw new errors.InvalidDpopProof('DPoP proof JWT Replay detected');
      } else if (unit) unit.pending.set(keyOf(model, object.id), object);
      else await writeObjects(db, [object]);
    },
    find: finders[model] ?? ((id) => findWhere('id', idOf(id), isSecret ? id : undefined)),
    // Asked for by tokens that end with the cookie session only; ours end with the sign-in.
    findByUid: async () => undefined,
    findByUserCode: (userCode) => findWhere('user_code', userCode),
    async consume(id) {
      if (deps.currentUnit()?.consumed === keyOf(model, idOf(id))) return;
      const now = clock.now();
      // Null compares to nothing: a code is taken once, however the clocks of two requests stand to each other.
      const again = model === 'RefreshToken' ? new Date(now.getTime() - REFRESH_GRACE_MS) : null;
      const { rowCount } = await db.prepared('oidc-consume', CONSUME, [
        model,
        idOf(id),
        now,
        again,
      ]);
      if (rowCount > 0) return;
      const { rows: used } = await db.query<{ grant_id: string | null }>(
        'select grant_id from oidc_object where model = $1 and id = $2',
        [model, idOf(id)],
      );
      const grantId = used[0]?.grant_id;
      if (grantId)
        await transaction(db, (tx) => endGrant(tx, clock, grantId, 'replayed', tokenTtl_s));
      throw new errors.InvalidGrant('it was used before');
    },
    async destroy(id) {
      const unit = deps.currentUnit();
      const key = keyOf(model, idOf(id));
      unit?.pending.delete(key);
      unit?.held.delete(key);
      await db.prepared('oidc-destroy', 'delete from oidc_object where model = $1 and id = $2', [
        model,
        idOf(id),
      ]);
    },
    // Asked once for each model of the grant's family; the first does it all.
    async revokeByGrantId(grantId) {
      if (model !== 'AccessToken') return;
      for (const [key, object] of deps.currentUnit()?.pending ?? [])
        if (object.grantId === grantId) deps.currentUnit()?.pending.delete(key);
      await transaction(db, (tx) => endGrant(tx, clock, grantId, 'grant_revoked', tokenTtl_s));
    },
  };
}

/** Deletes what has expired, a bounded number at a time. */
export async function deleteExpiredObjects(db: Db, clock: Clock, limit = 2000): Promise<number> {
  const { rowCount } = await db.query(
    `delete from oidc_object where (model, id) in (
       select model, id from oidc_object where expires_at < $1 order by expires_at limit $2 for update skip locked)`,
    [clock.now(), limit],
  );
  await deleteExpiredProofs(db, clock.now(), limit);
  return rowCount;
}
