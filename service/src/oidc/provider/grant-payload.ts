/** A grant as the provider stores it. */
import type { Clock } from '../../lib/clock.ts';
import { connectionKey } from '../consent/revoke-application.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { newTokenId } from '../tokens/token-id.ts';
import { keyOf, type RequestUnit, type StoredObject } from './unit-of-work.ts';

/** An offline grant lives as long as its refresh tokens may, another no longer than the tokens that come of it. */
export interface GrantLifetimes {
  readonly online_s: number;
  readonly offline_s: number;
}

export interface NewGrant {
  readonly userId: number;
  readonly clientId: string;
  readonly baseUrl: string;
  readonly requested: readonly string[];
  readonly allowed: readonly string[];
  /** Categories of traffic that the device asked for, and those of them that the person granted. */
  readonly categories?: { readonly asked: readonly string[]; readonly granted: readonly string[] };
  readonly lifetimes: GrantLifetimes;
}

/** Makes a grant: what is allowed, and what was asked but refused, both for OpenID Connect and for the API. */
export function makeGrant(
  clock: Clock,
  { userId, clientId, baseUrl, requested, allowed, categories, lifetimes }: NewGrant,
): StoredObject {
  const now = clock.now();
  const ttl_s = allowed.includes('offline_access') ? lifetimes.offline_s : lifetimes.online_s;
  const id = newTokenId(now);
  const iat = Math.floor(now.getTime() / 1000);
  const accountId = String(userId);
  const grantedScope = requested.filter((scope) => allowed.includes(scope)).join(' ');
  const refusedScope = requested.filter((scope) => !allowed.includes(scope)).join(' ');
  const holding = (scope: string) => ({ openid: { scope }, resources: { [baseUrl]: scope } });
  const payload = {
    kind: 'Grant',
    jti: id,
    iat,
    exp: iat + ttl_s,
    accountId,
    clientId,
    ...holding(grantedScope),
    ...(refusedScope !== '' && { rejected: holding(refusedScope) }),
    ...(categories &&
      categories.asked.length > 0 && {
        device_categories: categories.granted,
        device_categories_asked: categories.asked,
      }),
  };
  return {
    model: 'Grant',
    id,
    payload,
    grantId: null,
    uid: connectionKey(accountId, clientId),
    userCode: null,
    expiresAt: new Date((iat + ttl_s) * 1000),
  };
}

/**
 * Gives a new grant to the request that goes on with it. The code carries it; it is stored by itself too where it is
 * asked for after the code was redeemed: by refresh tokens, and by the registration of a device with categories.
 */
export function holdGrant(unit: RequestUnit, grant: StoredObject): void {
  const key = keyOf('Grant', grant.id);
  const { openid, device_categories_asked } = grant.payload as {
    openid?: { scope: string };
    device_categories_asked?: readonly string[];
  };
  unit.held.set(key, grant.payload);
  if (
    splitScopes(openid?.scope).includes('offline_access') ||
    device_categories_asked !== undefined
  )
    unit.pending.set(key, grant);
}
