/** What a sign-in and a link do with the parameters of a provider. */
import { failure } from '../../lib/failures.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import type { IdentityContext } from '../context.ts';
import type { RateLimitKey } from '../limits.ts';
import type { Callback, UpstreamAccount } from './connect-provider.ts';
import type { UpstreamProvider } from './provider-store.ts';
import { requireProvider } from './start-upstream.ts';
import { openToken, type UpstreamRequest } from './upstream-request.ts';

export interface CallbackOrigin {
  readonly ip: string;
  readonly browser: string | undefined;
  /** Whether the request was started for what happens now. */
  readonly fits: (request: UpstreamRequest) => boolean;
}

/**
 * Redeems the code of the provider, once; a failure counts as an attempt.
 * @throws `rate_limited`, `invalid_ticket`, `not_found`, `upstream_refused`, `upstream_unreachable`
 */
export async function redeemCallback(
  context: IdentityContext,
  callback: Callback,
  { ip, browser, fits }: CallbackOrigin,
): Promise<{ readonly provider: UpstreamProvider; readonly account: UpstreamAccount }> {
  const { clock, limits, upstream } = context;
  const limitKey: RateLimitKey = ['code-ip', toSubnet(ip)];
  await limits.consume(limitKey);
  const cipher = upstream.tokens.request;
  const request = openToken({ cipher, clock }, callback.state, browser);
  if (!fits(request) || callback.provider !== request.providerId) throw failure('invalid_ticket');
  const provider = await requireProvider(context, request.providerId);
  const secrets = { ...request, state: callback.state };
  const account = await upstream.connections.redeem(provider, secrets, callback);
  await limits.refund([limitKey]);
  return { provider, account };
}
