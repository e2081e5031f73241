/** Restricts a grant, code or token to the scopes that the client may have now. */
import type { AdapterPayload } from 'oidc-provider';
import { splitScopes } from '../tokens/scopes.ts';

interface ScopedPayload extends AdapterPayload {
  readonly openid?: { readonly scope?: string };
  readonly resources?: Readonly<Record<string, string>>;
}

/** The payload with its scopes restricted to those that are `allowed`. */
export function restrictScopes(payload: ScopedPayload, allowed: readonly string[]): AdapterPayload {
  const { scope, openid, resources } = payload;
  const restrict = (scopes: string | undefined): string =>
    splitScopes(scopes)
      .filter((name) => allowed.includes(name))
      .join(' ');
  return {
    ...payload,
    ...(scope !== undefined && { scope: restrict(scope) }),
    ...(openid && { openid: { ...openid, scope: restrict(openid.scope) } }),
    ...(resources && {
      resources: Object.fromEntries(
        Object.entries(resources).map(([name, scopes]) => [name, restrict(scopes)]),
      ),
    }),
  };
}
