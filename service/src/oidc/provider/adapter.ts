/**
 * The provider's storage in PostgreSQL. Whatever may be used once is consumed by a conditional UPDATE, so that of any
 * number of parallel redemptions one wins; the others, and every later one, end what was given. Codes and tokens are
 * stored by hash: a copy of the database redeems nothing.
 */
import type { Adapter, AdapterPayload, errors as Errors } from 'oidc-provider';
import { type Db, type Transaction, transaction } from '../../db/index.ts';
import { revoke } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/ids.ts';
import { type ClientRegistry, isNative } from '../clients/index.ts';
import { connectionKey } from '../consent/end-connection.ts';

export interface StorageDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly clients: ClientRegistry;
  readonly errors: typeof Errors;
  /** Longest life of an access token. */
  readonly tokenTtl_s: number;
}

/** A retry with a rotated refresh token gets the same successor for so long. */
const REFRESH_GRACE_MS = 30_000;
const SECRET_MODELS: ReadonlySet<string> = new Set(['AuthorizationCode', 'RefreshToken', 'DeviceCode']);

interface Row {
  payload: AdapterPayload;
  consumed_at: Date | null;
}

const UPSERT = `insert into oidc_object (model, id, payload, grant_id, uid, user_code, expires_at) values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
    user_code = excluded.user_code, expires_at = excluded.expires_at`;
const INSERT_ONCE = `insert into oidc_object (model, id, payload, grant_id, uid, user_code, expires_at) values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (model, id) do nothing`;

/** Forgets a grant with its codes and refresh tokens. */
export async function deleteGrant(db: Db, grantId: string): Promise<void> {
  await db.query("delete from oidc_object where grant_id = $1 or (model = 'Grant' and id = $1)", [grantId]);
}

/** Ends everything that came from a grant: what is stored, and the tokens that are out. */
export async function endGrant(tx: Transaction, clock: Clock, grantId: string, reason: string, tokenTtl_s: number): Promise<void> {
  await deleteGrant(tx, grantId);
  const until = new Date(clock.now().getTime() + tokenTtl_s * 1000);
  await revoke(tx, clock, { kind: 'grant', value: grantId, reason, until });
}

async function findClientMetadata(clients: ClientRegistry, clientId: string): Promise<AdapterPayload | undefined> {
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

/** What else a record is found by: a session by its uid, a grant by whose it is. */
function secondKey(model: string, payload: AdapterPayload): string | null {
  if (model === 'Session') return payload.uid ?? null;
  if (model === 'Grant' && payload.accountId !== undefined && payload.clientId !== undefined) return connectionKey(payload.accountId, payload.clientId);
  return null;
}

/** Makes the adapter of one model. */
export function createAdapter(model: string, { db, clock, clients, errors, tokenTtl_s }: StorageDeps): Adapter {
  const isSecret = SECRET_MODELS.has(model);
  const idOf = (value: string): string => (isSecret ? hashSecret(value) : value);

  async function findWhere(condition: string, value: string, jti?: string): Promise<AdapterPayload | undefined> {
    const { rows } = await db.prepared<Row>(
      `oidc-find-${condition}`,
      `select payload, consumed_at from oidc_object where model = $1 and ${condition} = $2 and expires_at > $3`,
      [model, value, clock.now()],
    );
    const row = rows[0];
    if (!row) return undefined;
    const isWithinGrace = model === 'RefreshToken' && row.consumed_at !== null && clock.now().getTime() - row.consumed_at.getTime() <= REFRESH_GRACE_MS;
    const consumed = row.consumed_at !== null && !isWithinGrace ? { consumed: Math.floor(row.consumed_at.getTime() / 1000) } : {};
    return { ...row.payload, ...(jti !== undefined && { jti }), ...consumed };
  }

  return {
    async upsert(id, payload, expiresIn = tokenTtl_s) {
      const { jti, ...rest } = payload;
      const isOnce = model === 'ReplayDetection' || model === 'RefreshToken';
      const { rowCount } = await db.prepared(isOnce ? 'oidc-insert' : 'oidc-upsert', isOnce ? INSERT_ONCE : UPSERT, [
        model,
        idOf(id),
        JSON.stringify(isSecret ? rest : { ...rest, jti }),
        payload.grantId ?? null,
        secondKey(model, payload),
        payload.userCode ?? null,
        new Date(clock.now().getTime() + expiresIn * 1000),
      ]);
      if (model === 'ReplayDetection' && rowCount === 0) throw new errors.InvalidDpopProof('DPoP proof JWT Replay detected');
    },
    find: (id) => (model === 'Client' ? findClientMetadata(clients, id) : findWhere('id', idOf(id), isSecret ? id : undefined)),
    findByUid: (uid) => findWhere('uid', uid),
    findByUserCode: (userCode) => findWhere('user_code', userCode),
    async consume(id) {
      const now = clock.now();
      const again = model === 'RefreshToken' ? new Date(now.getTime() - REFRESH_GRACE_MS) : now;
      const { rows } = await db.query<{ grant_id: string }>(
        `update oidc_object set consumed_at = coalesce(consumed_at, $3)
         where model = $1 and id = $2 and (consumed_at is null or consumed_at > $4) returning grant_id`,
        [model, idOf(id), now, again],
      );
      if (rows[0]) return;
      const { rows: used } = await db.query<{ grant_id: string | null }>('select grant_id from oidc_object where model = $1 and id = $2', [model, idOf(id)]);
      const grantId = used[0]?.grant_id;
      if (grantId) await transaction(db, (tx) => endGrant(tx, clock, grantId, 'replayed', tokenTtl_s));
      throw new errors.InvalidGrant('it was used before');
    },
    async destroy(id) {
      await db.query('delete from oidc_object where model = $1 and id = $2', [model, idOf(id)]);
    },
    // Asked once for each model of the grant's family; the first does it all.
    async revokeByGrantId(grantId) {
      if (model === 'AccessToken') await transaction(db, (tx) => endGrant(tx, clock, grantId, 'grant_revoked', tokenTtl_s));
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
  await db.query(
    'delete from consent_decision where interaction_id in (select interaction_id from consent_decision where expires_at < $1 order by expires_at limit $2)',
    [clock.now(), limit],
  );
  return rowCount;
}
