/** Grants as the provider stores them. */
import type { AdapterPayload } from 'oidc-provider';
import { connectionKey } from '../consent/revoke-application.ts';
import type { OidcContext } from '../context.ts';
import { newTokenId } from '../tokens/token-id.ts';
import type { StoredObject } from './object-store.ts';

export interface NewGrant {
  readonly userId: number;
  readonly clientId: string;
  readonly requested: readonly string[];
  readonly allowed: readonly string[];
  /** The resource servers that the request names; this service is one of them, or the only one. */
  readonly audiences: readonly string[];
  /** Traffic categories that the device requested, and those that the user granted. */
  readonly categories?: {
    readonly requested: readonly string[];
    readonly granted: readonly string[];
  };
}

/**
 * Creates a grant: allowed and rejected scopes, for OpenID Connect and for the API. It lives as
 * long as the tokens that it can give.
 */
export function createGrant(
  { clock, config }: OidcContext,
  { userId, clientId, requested, allowed, audiences, categories }: NewGrant,
): StoredObject {
  const now = clock.now();
  // The id contains the instant: revocations compare with it.
  const id = newTokenId(now);
  const iat = Math.floor(now.getTime() / 1000);
  const isOffline = allowed.includes('offline_access');
  const ttl_s = isOffline ? config.REFRESH_TOKEN_MAX_TTL : config.LOGIN_TOKEN_TTL;
  const accountId = String(userId);
  const granted = requested.filter((scope) => allowed.includes(scope)).join(' ');
  const rejected = requested.filter((scope) => !allowed.includes(scope)).join(' ');
  const inBothScopes = (scope: string) => ({
    openid: { scope },
    // Of these, a token for a resource server has the scopes of that server.
    resources: Object.fromEntries(audiences.map((audience) => [audience, scope])),
  });
  const payload = {
    kind: 'Grant',
    jti: id,
    iat,
    exp: iat + ttl_s,
    accountId,
    clientId,
    ...inBothScopes(granted),
    ...(rejected !== '' && { rejected: inBothScopes(rejected) }),
    ...(categories &&
      categories.requested.length > 0 && {
        device_categories: categories.granted,
        device_categories_asked: categories.requested,
      }),
  };
  return {
    model: 'Grant',
    id,
    payload: payload as AdapterPayload,
    connection: connectionKey(accountId, clientId),
    expiresAt: new Date((iat + ttl_s) * 1000),
  };
}
