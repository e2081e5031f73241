/** Stores a resource server with its scopes, or removes it. */
import { isUniqueViolation, queryNamed, type Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { readDisplayText } from '../../lib/display-text.ts';
import { failure, fieldError } from '../../lib/failures.ts';
import { notifyClientChange } from '../clients/client-change-feed.ts';
import { SCOPES } from '../tokens/scopes.ts';
import type { ResourceScope, ResourceServer } from './resource-server.ts';

export const SCOPE_NAME_MAX = 64;
/** Parts of a name are separated, so that no name is one of OpenID Connect's own. */
export const SCOPE_NAME = '^[a-z][a-z0-9_-]*([:./][a-z0-9_-]+)+$';
const NAME = { min: 1, max: 100, bytes_max: 400 };
const DESCRIPTION = { min: 1, max: 200, bytes_max: 800 };

const firstPartOf = (scope: string): string => scope.split(/[:./]/)[0] ?? '';
/** The service's own scopes, and those that later versions may add. */
const OWN_PARTS: ReadonlySet<string> = new Set([
  'operator',
  ...Object.keys(SCOPES).map(firstPartOf),
]);

export type ResourceServerSettings = Omit<ResourceServer, 'updatedAt'>;

/** @throws `invalid_parameter` */
function readScopes(scopes: readonly ResourceScope[]): ResourceScope[] {
  const names = scopes.map(({ name }) => name);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw fieldError('scopes', 'repeated', `has ${repeated} twice`);
  const own = names.find((name) => OWN_PARTS.has(firstPartOf(name)));
  if (own !== undefined)
    throw fieldError('scopes', 'reserved', `${own} begins like a scope of the service`);
  return scopes.map(({ name, description }) => ({
    name,
    description: readDisplayText(description, 'scopes', DESCRIPTION),
  }));
}

/** RFC 8707 2: an absolute URI without a fragment. @throws `invalid_parameter` */
function checkAudience(audience: string, issuer: string): void {
  const refuse = (message: string) => fieldError('audience', 'audience', message);
  const uri = URL.parse(audience);
  if (!uri || !/^[\x21-\x7e]+$/.test(audience)) throw refuse('must be an absolute URI, in ASCII');
  if (audience.includes('#')) throw refuse('must not have a fragment');
  if (uri.href.startsWith(`${new URL(issuer).href.replace(/\/$/, '')}/`) || audience === issuer)
    throw refuse('must not be an address of this service');
}

/** @throws `invalid_parameter` for a scope that a client still has */
async function checkUnused(tx: Transaction, id: string, kept: readonly string[]): Promise<void> {
  const { rows } = await queryNamed<{ name: string; client_id: string }>(
    tx,
    `select s.name, c.client_id from resource_scope s
       join oauth_client c on s.name = any (c.scopes) and c.removed_at is null
     where s.resource_server_id = :id and not s.name = any (:kept)
     order by s.name, c.client_id limit 1`,
    { id, kept: [...kept] },
  );
  const [used] = rows;
  if (used)
    throw fieldError('scopes', 'in_use', `${used.name} is a scope of the client ${used.client_id}`);
}

async function writeServer(
  tx: Transaction,
  clock: Clock,
  { id, name, audience, isEnabled }: ResourceServerSettings,
): Promise<void> {
  const { rows } = await queryNamed<{ audience: string }>(
    tx,
    `insert into resource_server as kept (id, name, audience, is_enabled, created_at, updated_at)
     values (:id, :name, :audience, :is_enabled, :now, :now)
     on conflict (id) do update set name = excluded.name, is_enabled = excluded.is_enabled,
       updated_at = excluded.updated_at
     returning audience`,
    {
      id,
      name: readDisplayText(name, 'name', NAME),
      audience,
      is_enabled: isEnabled,
      now: clock.now(),
    },
  ).catch((error: unknown) => {
    throw isUniqueViolation(error, 'resource_server_audience_key')
      ? fieldError('audience', 'taken', 'is that of another resource server')
      : error;
  });
  // Tokens name it: with another one they would be those of another API.
  if (rows[0]?.audience !== audience) throw fieldError('audience', 'fixed', 'cannot be changed');
}

/**
 * Removes the scopes that are not `kept`, from consents too: the name may come back as the scope of
 * another API, for which no user was asked.
 */
async function removeScopes(tx: Transaction, id: string, kept: readonly string[]): Promise<void> {
  const { rows } = await queryNamed<{ name: string }>(
    tx,
    `delete from resource_scope where resource_server_id = :id and not name = any (:kept)
     returning name`,
    { id, kept: [...kept] },
  );
  if (rows.length === 0) return;
  await queryNamed(
    tx,
    `update consent
     set scopes = array(select name from unnest(scopes) as name where not name = any (:removed))
     where scopes && :removed::text[]`,
    { removed: rows.map(({ name }) => name) },
  );
}

async function writeScopes(
  tx: Transaction,
  id: string,
  scopes: readonly ResourceScope[],
): Promise<void> {
  const values = {
    id,
    names: scopes.map(({ name }) => name),
    descriptions: scopes.map(({ description }) => description),
  };
  await removeScopes(tx, id, values.names);
  const { rowCount } = await queryNamed(
    tx,
    `insert into resource_scope as kept (name, resource_server_id, description)
     select name, :id, description
     from unnest(:names::text[], :descriptions::text[]) as s (name, description)
     on conflict (name) do update set description = excluded.description
       where kept.resource_server_id = excluded.resource_server_id`,
    values,
  );
  if (rowCount !== scopes.length)
    throw fieldError('scopes', 'taken', 'has a scope of another resource server');
}

/**
 * Creates a resource server or replaces its settings.
 * @throws `invalid_parameter`: a name that is taken or reserved, an audience that was another, a
 *   removed scope that a client has
 */
export async function putResourceServer(
  tx: Transaction,
  { clock, issuer }: { readonly clock: Clock; readonly issuer: string },
  settings: ResourceServerSettings,
): Promise<void> {
  const scopes = readScopes(settings.scopes);
  checkAudience(settings.audience, issuer);
  await writeServer(tx, clock, settings);
  await checkUnused(
    tx,
    settings.id,
    scopes.map(({ name }) => name),
  );
  await writeScopes(tx, settings.id, scopes);
  await notifyClientChange(tx);
}

/** @throws `not_found`, `invalid_parameter` while a client has one of its scopes */
export async function deleteResourceServer(tx: Transaction, id: string): Promise<void> {
  await checkUnused(tx, id, []);
  await removeScopes(tx, id, []);
  const { rowCount } = await queryNamed(tx, 'delete from resource_server where id = :id', { id });
  if (rowCount === 0) throw failure('not_found');
  await notifyClientChange(tx);
}
