/**
 * What `oidc-provider` offers no configuration for, all in this file:
 *
 * - Client secrets are stored as hashes. The maintainer names the prototype of the client as the
 *   place for such a comparison: https://github.com/panva/node-oidc-provider/issues/631
 * - A retry with a rotated refresh token gets the same successor for 30 seconds. The library always
 *   refuses a rotated token: https://github.com/panva/node-oidc-provider/issues/1022. The adapter
 *   therefore stores the successor under a value derived from the old token, and the answer names
 *   that value.
 * - Introspection and revocation refuse JWTs after the client was authenticated, and a JWT is left
 *   to the service to introspect: https://github.com/panva/node-oidc-provider/issues/525. The
 *   refusal is replaced by the answer for our own JWTs.
 * - `dpop_jkt` of a code is compared only after the code was consumed, so an attacker without the
 *   key could use up a stolen code. The adapter compares it when the code is read.
 */
import { createHmac, createSecretKey } from 'node:crypto';
import { calculateJwkThumbprint, decodeProtectedHeader } from 'jose';
import type { AdapterPayload, errors as Errors, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { transaction } from '../../db/index.ts';
import { revoke } from '../../identity/index.ts';
import { equalSecrets, hashSecret } from '../../lib/ids.ts';
import type { MasterKey } from '../../master-key.ts';
import type { ClientRegistry } from '../clients/index.ts';
import type { OidcContext } from '../context.ts';
import { withBoundNode } from '../guard/bound-node.ts';
import { verifyAccessToken } from '../guard/verify-access-token.ts';
import { describeToken } from './introspection.ts';
import { stateOf } from './request-state.ts';

/** Compares a presented client secret with the stored hash. */
export function compareSecretsByHash(provider: Provider): void {
  const client = provider.Client.prototype as unknown as {
    clientSecret: string;
    compareClientSecret(secret: string): boolean;
  };
  client.compareClientSecret = function compareClientSecret(secret) {
    return equalSecrets(this.clientSecret, hashSecret(secret));
  };
}

/** How long a rotated refresh token may be used again. */
export const REFRESH_RETRY_MS = 30_000;

/** The successor of the refresh token that a request rotates, the same for each retry. */
export function successorOf(
  ctx: KoaContextWithOIDC | undefined,
  masterKey: MasterKey,
): string | undefined {
  const { RotatedRefreshToken: rotated } = (ctx?.oidc.entities ?? {}) as {
    RotatedRefreshToken?: { readonly jti: string };
  };
  if (!rotated) return undefined;
  const key = createSecretKey(masterKey.derive('refresh-tokens'));
  return createHmac('sha256', key).update(rotated.jti).digest('base64url');
}

/** @throws `invalid_grant` for a code that is bound to a key, without a proof of that key */
export async function checkDpopBinding(
  { dpopJkt, consumed }: AdapterPayload,
  ctx: KoaContextWithOIDC,
  errors: typeof Errors,
): Promise<void> {
  if (dpopJkt === undefined || consumed !== undefined) return;
  const proof = ctx.get('dpop');
  const { jwk } = proof === '' ? {} : decodeProtectedHeader(proof);
  if (!jwk || (await calculateJwkThumbprint(jwk)) !== dpopJkt)
    throw new errors.InvalidGrant('the code is bound to another key');
}

/**
 * A client may introspect its own tokens. First-party clients that authenticate are resource
 * servers and may introspect all tokens.
 */
export async function canIntrospect(
  clients: ClientRegistry,
  { clientId, clientAuthMethod }: { clientId: string; clientAuthMethod?: string | undefined },
  tokenClientId: string,
): Promise<boolean> {
  if (clientId === tokenClientId) return true;
  return clientAuthMethod !== 'none' && (await clients.find(clientId))?.isFirstParty === true;
}

/** Answers introspection (RFC 7662) and revocation (RFC 7009) of this service's JWTs. */
export async function answerForJwt(ctx: KoaContextWithOIDC, context: OidcContext): Promise<void> {
  const { route, client, params } = ctx.oidc;
  const isIntrospection = route === 'introspection';
  if (!stateOf(ctx).isJwtRefused || !client) return;
  const { database, clock, keys, tokenState, baseUrl, clients, applications } = context;
  const token = String(params?.token);
  const verified = await verifyAccessToken(await keys.current(), token, {
    issuer: baseUrl,
    audiences: [...(await clients.resourceServers()).keys()],
    clock,
    applications,
  }).catch(() => undefined);
  const isLive = verified && (await tokenState.check(verified)) === undefined;
  const principal = isLive ? await withBoundNode(verified, context.findBoundNode) : undefined;
  ctx.status = 200;
  if (isIntrospection) {
    const asking = await clients.find(client.clientId);
    const isShown = principal && (await canIntrospect(clients, client, principal.clientId));
    ctx.body = isShown && asking ? describeToken(principal, context, asking) : { active: false };
    return;
  }
  if (principal?.clientId !== client.clientId) return;
  await transaction(database, (tx) =>
    revoke(tx, clock, {
      kind: 'jti',
      value: principal.jti,
      reason: 'revoked_by_client',
      until: principal.expiresAt,
    }),
  );
}
