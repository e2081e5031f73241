/** APIs of the operator that take access tokens of this service (RFC 8707). */
import { type Db, queryNamed } from '../../db/index.ts';

export interface ResourceScope {
  /** Unique among all resource servers, and none of the service's own. */
  readonly name: string;
  /** Shown to the user who is asked for consent. */
  readonly description: string;
}

export interface ResourceServer {
  /** Lower-case letters, digits and hyphens; part of URLs. */
  readonly id: string;
  readonly name: string;
  /** The resource indicator of requests, and `aud` of tokens. */
  readonly audience: string;
  readonly scopes: readonly ResourceScope[];
  /** False: no token is issued for it, and none is active. */
  readonly isEnabled: boolean;
  readonly updatedAt: Date;
}

/** A client gets tokens for a resource server of which it has a scope. */
export const hasScopeOf = ({ scopes }: ResourceServer, registered: readonly string[]): boolean =>
  scopes.some(({ name }) => registered.includes(name));

interface Row {
  id: string;
  name: string;
  audience: string;
  scopes: ResourceScope[];
  is_enabled: boolean;
  updated_at: Date;
}

/** All resource servers, by id. There are few. */
export async function listResourceServers(db: Db): Promise<ResourceServer[]> {
  const { rows } = await db.query<Row>(
    `select r.id, r.name, r.audience, r.is_enabled, r.updated_at, coalesce((
       select json_agg(json_build_object('name', s.name, 'description', s.description)
         order by s.name)
       from resource_scope s where s.resource_server_id = r.id), '[]') as scopes
     from resource_server r order by r.id`,
  );
  return rows.map(({ is_enabled, updated_at, ...row }) => ({
    ...row,
    isEnabled: is_enabled,
    updatedAt: updated_at,
  }));
}

/** Those of some scopes that a resource server has. */
export async function findResourceScopes(
  db: Db,
  scopes: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await queryNamed<{ name: string }>(
    db,
    'select name from resource_scope where name = any (:scopes)',
    { scopes: [...scopes] },
  );
  return new Set(rows.map(({ name }) => name));
}
