/** Begins a sign-in, or a link, at an upstream provider. */
import { failure } from '../../lib/failures.ts';
import { newSecret } from '../../lib/ids.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import { type FullSession, requireFreshProof } from '../account/require-reauthentication.ts';
import type { IdentityContext } from '../context.ts';
import type { RequestOrigin } from '../types.ts';
import { findProvider, type UpstreamProvider } from './provider-store.ts';
import { REQUEST_LIFETIME_S, startedBy, type UpstreamRequest } from './upstream-request.ts';

/** @throws `not_found` for a provider that is unknown or disabled */
export async function requireProvider(
  { database }: IdentityContext,
  id: string,
): Promise<UpstreamProvider> {
  const provider = await findProvider(database, id);
  if (!provider?.isEnabled) throw failure('not_found');
  return provider;
}

async function start(
  context: IdentityContext,
  providerId: string,
  request: Pick<UpstreamRequest, 'purpose' | 'sid'>,
  browser: string | undefined,
): Promise<{ authorization_url: string }> {
  const { clock, upstream } = context;
  const provider = await requireProvider(context, providerId);
  const secrets = { nonce: newSecret(), codeVerifier: newSecret() };
  const state = upstream.tokens.request.encrypt({
    ...request,
    ...secrets,
    ...startedBy(clock, REQUEST_LIFETIME_S, browser),
    providerId,
  });
  const authorization_url = await upstream.connections.authorizationUrl(provider, {
    ...secrets,
    state,
  });
  return { authorization_url };
}

/**
 * Where to send the browser for a sign-in. Each request counts.
 * @throws `not_found`, `rate_limited`, `upstream_unreachable`
 */
export async function startUpstreamSignIn(
  context: IdentityContext,
  providerId: string,
  origin: RequestOrigin,
  browser: string | undefined,
): Promise<{ authorization_url: string }> {
  await context.limits.consume(['upstream-ip', toSubnet(origin.ip)]);
  return start(context, providerId, { purpose: 'sign_in' }, browser);
}

/**
 * Where to send the browser to link an account of the provider.
 * @throws `reauthentication_required`, `not_found`, `rate_limited`, `upstream_unreachable`
 */
export async function startLink(
  context: IdentityContext,
  session: FullSession,
  providerId: string,
  browser: string | undefined,
): Promise<{ authorization_url: string }> {
  await requireFreshProof(context.database, context, session);
  await context.limits.consume(['upstream-ip', toSubnet(session.origin.ip)]);
  return start(context, providerId, { purpose: 'link', sid: session.sid }, browser);
}
