/** Which resource servers get tokens (RFC 8707): this service, and those of the operator. */
import type { Configuration } from 'oidc-provider';
import type { OidcContext } from '../context.ts';
import { hasScopeOf } from '../resource-servers/resource-server.ts';
import { OPERATOR_SCOPES, SCOPES, splitScopes } from '../tokens/scopes.ts';
import type { Library } from './library.ts';

/** The scopes of this service. */
export const ALL_SCOPES: readonly string[] = [...Object.keys(SCOPES), ...OPERATOR_SCOPES];

export function indicateResources(
  { errors }: Library,
  { config, clients }: OidcContext,
): NonNullable<Configuration['features']>['resourceIndicators'] {
  const issuer = config.BASE_URL;
  const tokenOf = (audience: string, scopes: readonly string[]) => ({
    ...{ audience, scope: scopes.join(' ') },
    ...({ accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } } as const),
  });
  return {
    enabled: true,
    defaultResource({ oidc }, _client, granted) {
      // A code or refresh token knows its own; of several, this service is the default.
      if (granted) return granted.includes(issuer) ? issuer : (granted[0] ?? issuer);
      return (oidc.route === 'token' ? undefined : issuer) as string;
    },
    useGrantedResource: () => true,
    async getResourceServerInfo(_ctx, resource, client) {
      if (resource === issuer) return tokenOf(issuer, ALL_SCOPES);
      const server = (await clients.resourceServers()).get(resource);
      if (!server || !hasScopeOf(server, splitScopes(client.scope)))
        throw new errors.InvalidTarget('resource is not known, or not one of this client');
      return tokenOf(
        resource,
        server.scopes.map(({ name }) => name),
      );
    },
  };
}
