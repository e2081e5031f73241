/**
 * The parameter `claims` (OpenID Connect Core 5.5). A claim about the user is granted by its scope,
 * which the user can refuse: asking for a claim asks for that scope.
 */
import type { KoaContextWithOIDC } from 'oidc-provider';
import { splitScopes } from '../tokens/scopes.ts';

const SCOPE_OF_CLAIM: Readonly<Record<string, string>> = {
  email: 'email',
  email_verified: 'email',
  groups: 'groups',
  nickname: 'profile',
  roles: 'roles',
};

interface RequestedClaims {
  readonly userinfo?: object | undefined;
  readonly id_token?: object | undefined;
}

/** Adds the scopes of the requested claims that the client may have; it gets no other claim. */
export function requestScopesOfClaims(
  ctx: KoaContextWithOIDC,
  { userinfo, id_token }: RequestedClaims,
  client: { readonly scope?: string | undefined },
): void {
  const { params } = ctx.oidc;
  if (!params) return;
  const allowed = splitScopes(client.scope);
  const wanted = Object.keys({ ...userinfo, ...id_token })
    .map((claim) => SCOPE_OF_CLAIM[claim] ?? '')
    .filter((scope) => allowed.includes(scope));
  const requested = splitScopes(params.scope as string | undefined);
  params.scope = [...new Set([...requested, ...wanted])].join(' ');
}
