/** Registers, changes and removes clients, and notifies every instance. */
import {
  type Db,
  defineStatement,
  execute,
  isUniqueViolation,
  queryNamed,
  type Transaction,
  transaction,
} from '../../db/index.ts';
import { CONSOLE_CLIENT_ID } from '../../http/index.ts';
import { LONGEST_TOKEN_MS, revoke } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure, fieldError } from '../../lib/failures.ts';
import { hashSecret, newId, newSecret } from '../../lib/ids.ts';
import type { RasterImage } from '../../lib/raster-image.ts';
import { putLogo } from '../logos/logo-store.ts';
import { findResourceScopes } from '../resource-servers/resource-server.ts';
import { checkClient, readClientName, sectorOf } from './check-client.ts';
import { notifyClientChange } from './client-change-feed.ts';
import { normaliseMetadata } from './metadata.ts';
import { findClient } from './queries.ts';
import { authMethodOf, type Client, type ClientFields } from './types.ts';

export interface NewClient extends ClientFields {
  /** Default: random. */
  readonly clientId?: string;
  /** Secret of a confidential client; default: random. */
  readonly secret?: string;
  readonly isPublic: boolean;
  /** What was fetched from its `logo_uri`. */
  readonly logo?: RasterImage | null;
}

export interface CreatedClient {
  readonly client: Client;
  /** Not stored: only its hash is. */
  readonly secret?: string;
}

/**
 * Scopes of the caller; absent: the command line, which is unrestricted. A caller can neither give
 * a client an operator scope that the caller lacks, nor change a client that has one: otherwise
 * `operator:clients` would imply every operator scope.
 */
export type ClientAccess = ReadonlySet<string>;

/** @throws `insufficient_scope` */
function checkAccess(access: ClientAccess | undefined, scopes: readonly string[]): void {
  const beyond =
    access && scopes.find((scope) => scope.startsWith('operator:') && !access.has(scope));
  if (beyond)
    throw failure('insufficient_scope', {
      detail: `This client has or would have ${beyond}, which the caller lacks.`,
    });
}

// Grants of a former client with the same id are not valid for the new one.
const INSERT_CLIENT = defineStatement(
  'insert-oauth-client',
  `insert into oauth_client (client_id, name, secret_hash, redirect_uris, scopes, grant_types,
     sector, is_first_party, requires_pkce, metadata, created_at, updated_at, grants_valid_after)
   values (:client_id, :name, :secret_hash, :redirect_uris, :scopes, :grant_types,
     :sector, :is_first_party, :requires_pkce, :metadata, :now, :now,
     case when exists (
       select 1 from token_revocation c where c.kind = 'client' and c.value = :client_id)
     then :now::timestamptz end)`,
);

const UPDATE_CLIENT = defineStatement(
  'update-oauth-client',
  `update oauth_client set name = :name, redirect_uris = :redirect_uris, scopes = :scopes,
     grant_types = :grant_types, is_first_party = :is_first_party,
     requires_pkce = :requires_pkce, metadata = :metadata, is_enabled = :is_enabled,
     updated_at = :now,
     grants_valid_after = case when :is_switched then :now::timestamptz else grants_valid_after end
   where client_id = :client_id`,
);

function toValues(fields: ClientFields) {
  const { name, redirectUris, scopes, grantTypes, isFirstParty, requiresPkce = true } = fields;
  return {
    name,
    redirect_uris: [...redirectUris],
    scopes: [...new Set(scopes)],
    grant_types: [...new Set(grantTypes)],
    is_first_party: isFirstParty,
    requires_pkce: requiresPkce,
    metadata: JSON.stringify(normaliseMetadata(fields.metadata ?? {})),
  };
}

/** Registers a client. @throws `client_exists`, `invalid_parameter`, `insufficient_scope` */
export async function createClient(
  db: Db,
  clock: Clock,
  input: NewClient,
  access?: ClientAccess,
): Promise<CreatedClient> {
  const name = readClientName(input.name);
  checkClient(input, input.isPublic, await findResourceScopes(db, input.scopes));
  checkAccess(access, input.scopes);
  const clientId = input.clientId ?? newId();
  const hasNoSecret =
    input.isPublic || input.metadata?.token_endpoint_auth_method === 'private_key_jwt';
  const secret = hasNoSecret ? undefined : (input.secret ?? newSecret());
  return transaction(db, async (tx) => {
    const secretHash = secret === undefined ? null : hashSecret(secret);
    await execute(tx, INSERT_CLIENT, {
      ...toValues({ ...input, name }),
      client_id: clientId,
      secret_hash: secretHash,
      sector: sectorOf(clientId, input.redirectUris),
      now: clock.now(),
    }).catch((error: unknown) => {
      throw isUniqueViolation(error, 'oauth_client_pkey') ? failure('client_exists') : error;
    });
    if (input.logo) await putLogo(tx, clientId, input.logo, clock.now());
    await notifyClientChange(tx);
    return { client: await mustFind(tx, clientId), ...(secret !== undefined && { secret }) };
  });
}

async function mustFind(tx: Transaction, clientId: string, isLocked = false): Promise<Client> {
  if (isLocked)
    await tx.query('select 1 from oauth_client where client_id = $1 for update', [clientId]);
  const client = await findClient(tx, clientId);
  if (!client) throw failure('not_found');
  return client;
}

export type ClientChanges = Partial<ClientFields> & {
  readonly isEnabled?: boolean;
  /** Null removes it. */
  readonly logo?: RasterImage | null;
};
type ClientUpdate = ClientChanges & { readonly access?: ClientAccess };

/**
 * Changes a client. Disabling it or removing scopes revokes its tokens. Grants stay valid with the
 * remaining scopes, but end when the client is disabled.
 * @throws `not_found`, `invalid_parameter`, `insufficient_scope`; `own_client` for the console's,
 * without which no user can sign in
 */
export async function updateClient(
  db: Db,
  clock: Clock,
  clientId: string,
  { access, logo, ...changes }: ClientUpdate,
): Promise<Client> {
  const { client, isLess } = await transaction(db, async (tx) => {
    const old = await mustFind(tx, clientId, true);
    const next = {
      ...old,
      ...changes,
      ...(changes.name !== undefined && { name: readClientName(changes.name) }),
      metadata: { ...old.metadata, ...changes.metadata },
    };
    if (access && clientId === CONSOLE_CLIENT_ID) throw failure('own_client');
    checkAccess(access, [...old.scopes, ...next.scopes]);
    const authMethod = authMethodOf(old);
    if (authMethodOf(next) !== authMethod)
      throw fieldError('token_endpoint_auth_method', 'fixed', 'is fixed at registration');
    checkClient(next, authMethod === 'none', await findResourceScopes(tx, next.scopes));
    const isSwitched = old.isEnabled !== next.isEnabled;
    await execute(tx, UPDATE_CLIENT, {
      ...toValues(next),
      client_id: clientId,
      is_enabled: next.isEnabled,
      is_switched: isSwitched,
      now: clock.now(),
    });
    if (logo !== undefined) await putLogo(tx, clientId, logo, clock.now());
    const isLess = isSwitched || old.scopes.some((scope) => !next.scopes.includes(scope));
    if (isLess) await revokeClientTokens(tx, clock, clientId);
    await notifyClientChange(tx);
    return { client: await mustFind(tx, clientId), isLess };
  });
  // A request that read the old client may sign a token after the commit: revoke that one too.
  if (isLess) await transaction(db, (tx) => revokeClientTokens(tx, clock, clientId));
  return client;
}

async function revokeClientTokens(tx: Transaction, clock: Clock, clientId: string): Promise<void> {
  const until = new Date(clock.now().getTime() + LONGEST_TOKEN_MS);
  await revoke(tx, clock, { kind: 'client', value: clientId, reason: 'client_changed', until });
}

/**
 * Gives a confidential client a new secret; the old one ends at once. @throws `not_found`,
 * `public_client`, `insufficient_scope`
 */
export async function rotateClientSecret(
  db: Db,
  clock: Clock,
  clientId: string,
  access?: ClientAccess,
): Promise<string> {
  const secret = newSecret();
  return transaction(db, async (tx) => {
    const client = await mustFind(tx, clientId, true);
    checkAccess(access, client.scopes);
    if (client.secretHash === undefined) throw failure('public_client');
    await queryNamed(
      tx,
      `update oauth_client set secret_hash = :secret_hash, updated_at = :now
        where client_id = :client_id`,
      { client_id: clientId, secret_hash: hashSecret(secret), now: clock.now() },
    );
    await notifyClientChange(tx);
    return secret;
  });
}
