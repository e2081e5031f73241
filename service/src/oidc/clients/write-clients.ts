/** Registers, changes and removes clients. Every node hears of it. */
import { type Db, isUniqueViolation, type Transaction, transaction } from '../../db/index.ts';
import { CONSOLE_CLIENT_ID } from '../../http/index.ts';
import { revoke } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { hashSecret, newId, newSecret } from '../../lib/ids.ts';
import { checkClient, readClientName } from './check-client.ts';
import { announceClientChange } from './client-change-feed.ts';
import { findClient } from './queries.ts';
import type { Client, ClientFields } from './types.ts';

/** No token lives longer (see LOGIN_TOKEN_TTL). */
const LONGEST_TOKEN_MS = 2_592_000_000;

/** Made at each start where they are missing. */
const OWN_CLIENTS: ReadonlySet<string> = new Set([
  CONSOLE_CLIENT_ID,
  'edge-terminal',
  'edge-extension',
]);

export interface NewClient extends ClientFields {
  /** Default: random. */
  readonly clientId?: string;
  /** Given for a confidential client whose secret exists already; otherwise one is made. */
  readonly secret?: string;
  readonly isPublic: boolean;
}

export interface CreatedClient {
  readonly client: Client;
  /** Shown once; only its hash is stored. */
  readonly secret?: string;
}

/**
 * What whoever writes may do themselves; absent: the command line, which may do everything. A client can be given no
 * operator's scope that its writer lacks, nor taken over when it has one: else the right to register clients would be
 * every right there is.
 */
export type ClientAccess = ReadonlySet<string>;

/** @throws `insufficient_scope` */
function checkReach(reach: ClientAccess | undefined, ...scopes: readonly string[]): void {
  const beyond =
    reach && scopes.find((scope) => scope.startsWith('operator:') && !reach.has(scope));
  if (beyond)
    throw failure('insufficient_scope', {
      detail: `You do not have ${beyond} yourself, which this client has or would have.`,
    });
}

/** Registers a client. @throws `client_exists`, `invalid_parameter`, `insufficient_scope` */
export async function createClient(
  db: Db,
  clock: Clock,
  input: NewClient,
  reach?: ClientAccess,
): Promise<CreatedClient> {
  const name = readClientName(input.name);
  checkClient(input, input.isPublic);
  checkReach(reach, ...input.scopes);
  const clientId = input.clientId ?? newId();
  const secret = input.isPublic ? undefined : (input.secret ?? newSecret());
  return transaction(db, async (tx) => {
    const values = [
      clientId,
      name,
      secret === undefined ? null : hashSecret(secret),
      [...input.redirectUris],
      [...new Set(input.scopes)],
      [...new Set(input.grantTypes)],
      input.isFirstParty,
      clock.now(),
    ];
    await tx
      .query(
        // What was granted to a former client of this name is not this one's.
        `insert into oauth_client (client_id, name, secret_hash, redirect_uris, scopes, grant_types, is_first_party, created_at, updated_at,
           grants_valid_after)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8,
           case when exists (select 1 from token_change c where c.kind = 'client' and c.value = $1) then $8::timestamptz end)`,
        values,
      )
      .catch((error: unknown) => {
        throw isUniqueViolation(error, 'oauth_client_pkey') ? failure('client_exists') : error;
      });
    await announceClientChange(tx);
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

export type ClientChanges = Partial<ClientFields> & { readonly isEnabled?: boolean };

/**
 * Changes a client. Disabling it, or taking scopes away, revokes its tokens. What was granted goes on with the scopes that
 * are left, but not beyond a disabling.
 * @throws `not_found`, `invalid_parameter`, `insufficient_scope`, `own_client` for the console's, without which nobody gets in
 */
export async function updateClient(
  db: Db,
  clock: Clock,
  clientId: string,
  changes: ClientChanges,
  reach?: ClientAccess,
): Promise<Client> {
  const { client, isLess } = await transaction(db, async (tx) => {
    const old = await mustFind(tx, clientId, true);
    const next = {
      ...old,
      ...changes,
      ...(changes.name !== undefined && { name: readClientName(changes.name) }),
    };
    if (reach && clientId === CONSOLE_CLIENT_ID) throw failure('own_client');
    checkReach(reach, ...old.scopes, ...next.scopes);
    checkClient(next, old.secretHash === undefined);
    const isSwitched = old.isEnabled !== next.isEnabled;
    await tx.query(
      `update oauth_client set name = $2, redirect_uris = $3, scopes = $4, grant_types = $5, is_first_party = $6, is_enabled = $7, updated_at = $8,
         grants_valid_after = case when $9 then $8::timestamptz else grants_valid_after end
       where client_id = $1`,
      [
        clientId,
        next.name,
        [...next.redirectUris],
        [...next.scopes],
        [...next.grantTypes],
        next.isFirstParty,
        next.isEnabled,
        clock.now(),
        isSwitched,
      ],
    );
    const isLess = isSwitched || old.scopes.some((scope) => !next.scopes.includes(scope));
    if (isLess) await revokeClientTokens(tx, clock, clientId, 'client_changed');
    await announceClientChange(tx);
    return { client: await mustFind(tx, clientId), isLess };
  });
  // What read the client as it was has begun before this, however late it signs.
  if (isLess)
    await transaction(db, (tx) => revokeClientTokens(tx, clock, clientId, 'client_changed'));
  return client;
}

async function revokeClientTokens(
  tx: Transaction,
  clock: Clock,
  clientId: string,
  reason: string,
): Promise<void> {
  const until = new Date(clock.now().getTime() + LONGEST_TOKEN_MS);
  await revoke(tx, clock, { kind: 'client', value: clientId, reason, until });
}

/** Gives a confidential client a new secret; the old one ends at once. @throws `not_found`, `public_client`, `insufficient_scope` */
export async function rotateClientSecret(
  db: Db,
  clock: Clock,
  clientId: string,
  reach?: ClientAccess,
): Promise<string> {
  const secret = newSecret();
  return transaction(db, async (tx) => {
    const client = await mustFind(tx, clientId, true);
    checkReach(reach, ...client.scopes);
    if (client.secretHash === undefined) throw failure('public_client');
    await tx.query(
      'update oauth_client set secret_hash = $2, updated_at = $3 where client_id = $1',
      [clientId, hashSecret(secret), clock.now()],
    );
    await announceClientChange(tx);
    return secret;
  });
}

/**
 * Removes a client, revokes its tokens and forgets what people allowed it.
 * @throws `not_found`, `own_client` for those that each start makes anew
 */
export async function deleteClient(db: Db, clock: Clock, clientId: string): Promise<void> {
  if (OWN_CLIENTS.has(clientId))
    throw failure('own_client', {
      detail: 'Each start of the service makes this client. What is not wanted can be disabled.',
    });
  await transaction(db, async (tx) => {
    const { rowCount } = await tx.query('delete from oauth_client where client_id = $1', [
      clientId,
    ]);
    if (rowCount === 0) throw failure('not_found');
    await tx.query("delete from oidc_object where payload->>'clientId' = $1", [clientId]);
    await revokeClientTokens(tx, clock, clientId, 'client_removed');
    await announceClientChange(tx);
  });
}
