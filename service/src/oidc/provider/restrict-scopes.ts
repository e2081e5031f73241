/** What was granted, cut down to what the client may have now: the operator may have taken scopes away since. */
import type { AdapterPayload } from 'oidc-provider';
import type { SignInRow } from '../../identity/index.ts';
import { splitScopes } from '../tokens/scopes.ts';

function cut(scope: string | undefined, { client_scopes }: SignInRow): string {
  return splitScopes(scope)
    .filter((name) => client_scopes?.includes(name))
    .join(' ');
}

/** A code or token that is redeemed, with its person and client as they were read along with it. */
export function restrictScopes(payload: AdapterPayload, signIn: SignInRow | null): AdapterPayload {
  return signIn && payload.scope !== undefined
    ? { ...payload, scope: cut(payload.scope, signIn) }
    : payload;
}

/** Its grant. */
export function narrowGrant(payload: AdapterPayload, signIn: SignInRow | null): AdapterPayload {
  if (!signIn) return payload;
  const { openid, resources } = payload as {
    openid?: { scope?: string };
    resources?: Readonly<Record<string, string>>;
  };
  return {
    ...payload,
    ...(openid && { openid: { ...openid, scope: cut(openid.scope, signIn) } }),
    ...(resources && {
      resources: Object.fromEntries(
        Object.entries(resources).map(([name, scope]) => [name, cut(scope, signIn)]),
      ),
    }),
  } as AdapterPayload;
}
