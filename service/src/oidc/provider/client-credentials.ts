/** Client credentials: operators' business servers. Without a scope, all that the client has. */
import type { errors as Errors, KoaContextWithOIDC } from 'oidc-provider';
import { createProofReader, type ProofDeps, readConfirmation } from '../guard/dpop-proof.ts';
import { splitScopes } from '../tokens/scopes.ts';
import type { SignToken } from '../tokens/sign-token.ts';
import { originalPathOf } from './delegate-to-provider.ts';

const LIFETIME_S = 3600;

export interface ClientCredentialsDeps extends ProofDeps {
  readonly sign: SignToken;
}

export function clientCredentialsGrant(errors: typeof Errors, deps: ClientCredentialsDeps) {
  const { sign, clock } = deps;
  const readProof = createProofReader(deps);
  const toError = (cause: unknown): Error =>
    new errors.InvalidDpopProof('the DPoP proof is not valid', { cause } as never);
  return async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { client, params } = ctx.oidc;
    if (!client || client.clientAuthMethod === 'none')
      throw new errors.InvalidClient('a confidential client is needed');
    const registered = splitScopes(client.scope);
    const requested = splitScopes(params?.scope as string | undefined);
    const foreign = requested.find((scope) => !registered.includes(scope));
    if (foreign !== undefined)
      throw new errors.InvalidScope('requested scope is not allowed', foreign);
    const scope = (requested.length > 0 ? requested : registered).join(' ');
    const exp = Math.floor(clock.now().getTime() / 1000) + LIFETIME_S;
    const cnf = await readConfirmation(
      readProof,
      { dpop: ctx.get('dpop'), method: ctx.method, url: originalPathOf(ctx.req) },
      toError,
    );
    const { token } = await sign({
      token_use: 'operator',
      sub: client.clientId,
      client_id: client.clientId,
      scope,
      exp,
      cnf,
    });
    ctx.body = {
      access_token: token,
      token_type: cnf ? 'DPoP' : 'Bearer',
      expires_in: LIFETIME_S,
      scope,
    };
  };
}
