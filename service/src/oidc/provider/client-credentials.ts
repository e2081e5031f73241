/**
 * Client credentials of business servers. Without `scope`, all scopes of the client; with
 * `resource` (RFC 8707), those of a resource server of the operator.
 */
import type { errors as Errors, KoaContextWithOIDC } from 'oidc-provider';
import type { OidcContext } from '../context.ts';
import { createConfirmationReader } from '../guard/dpop-proof.ts';
import { hasScopeOf } from '../resource-servers/resource-server.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { lifetimeOf } from './lifetimes.ts';
import { ALL_SCOPES } from './resource-indicators.ts';

export const CLIENT_TOKEN_TTL_S = 3600;

/** The audience of the token, and the scopes that it may have. */
async function findTarget(
  errors: typeof Errors,
  { baseUrl, clients }: OidcContext,
  { resource = baseUrl, registered }: { resource?: unknown; registered: readonly string[] },
): Promise<{ audience: string; scopes: readonly string[] }> {
  if (resource === baseUrl) return { audience: baseUrl, scopes: ALL_SCOPES };
  const server = (await clients.resourceServers()).get(String(resource));
  if (!server || !hasScopeOf(server, registered))
    throw new errors.InvalidTarget('resource is not known, or not one of this client');
  return { audience: server.audience, scopes: server.scopes.map(({ name }) => name) };
}

export function clientCredentialsGrant(errors: typeof Errors, context: OidcContext) {
  const readConfirmation = createConfirmationReader(errors, context);
  return async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { client, params } = ctx.oidc;
    if (!client || client.clientAuthMethod === 'none')
      throw new errors.InvalidClient('a confidential client is required');
    const all = splitScopes(client.scope);
    const target = { resource: params?.resource, registered: all };
    const { audience, scopes } = await findTarget(errors, context, target);
    const registered = all.filter((scope) => scopes.includes(scope));
    const requested = splitScopes(params?.scope as string | undefined);
    const foreign = requested.find((scope) => !registered.includes(scope));
    if (foreign !== undefined)
      throw new errors.InvalidScope('requested scope is not allowed', foreign);
    const scope = (requested.length > 0 ? requested : registered).join(' ');
    const lifetime_s = Math.min(CLIENT_TOKEN_TTL_S, lifetimeOf(client, 'access_token_lifetime'));
    const cnf = await readConfirmation(ctx);
    const { token } = await context.sign({
      token_use: audience === context.baseUrl ? 'operator' : 'api_client',
      aud: audience,
      sub: client.clientId,
      client_id: client.clientId,
      scope,
      exp: Math.floor(context.clock.now().getTime() / 1000) + lifetime_s,
      cnf,
    });
    ctx.body = {
      access_token: token,
      token_type: cnf ? 'DPoP' : 'Bearer',
      expires_in: lifetime_s,
      scope,
    };
  };
}
