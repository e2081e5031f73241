/** Client credentials of business servers. Without `scope`, all scopes of the client. */
import type { errors as Errors, KoaContextWithOIDC } from 'oidc-provider';
import type { OidcContext } from '../context.ts';
import { createConfirmationReader } from '../guard/dpop-proof.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { lifetimeOf } from './lifetimes.ts';

const LIFETIME_S = 3600;

export function clientCredentialsGrant(errors: typeof Errors, context: OidcContext) {
  const readConfirmation = createConfirmationReader(errors, context);
  return async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { client, params } = ctx.oidc;
    if (!client || client.clientAuthMethod === 'none')
      throw new errors.InvalidClient('a confidential client is required');
    const registered = splitScopes(client.scope);
    const requested = splitScopes(params?.scope as string | undefined);
    const foreign = requested.find((scope) => !registered.includes(scope));
    if (foreign !== undefined)
      throw new errors.InvalidScope('requested scope is not allowed', foreign);
    const scope = (requested.length > 0 ? requested : registered).join(' ');
    const lifetime_s = Math.min(LIFETIME_S, lifetimeOf(client, 'access_token_lifetime'));
    const cnf = await readConfirmation(ctx);
    const { token } = await context.sign({
      token_use: 'operator',
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
