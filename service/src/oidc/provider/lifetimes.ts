/** How long what the provider issues is valid. */
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { OidcContext } from '../context.ts';
import type { OwnMetadata } from './client-metadata.ts';
import type { SignIns } from './find-account.ts';

const ID_TOKEN_TTL_S = 3600;
const DEVICE_CODE_TTL_S = 600;
const INTERACTION_TTL_S = 3600;

/** Seconds that the client is registered for; infinite: it has no limit of its own. */
export function lifetimeOf(
  client: object,
  name: 'access_token_lifetime' | 'refresh_token_lifetime',
): number {
  return (client as OwnMetadata)[name] ?? Number.POSITIVE_INFINITY;
}

export function readLifetimes(
  { config, clock }: OidcContext,
  signIns: SignIns,
): Configuration['ttl'] {
  const secondsUntil = (at_s: number): number =>
    Math.max(1, Math.floor(at_s - clock.now().getTime() / 1000));
  // No token outlives its sign-in while that lives; an offline token has the configured lifetime.
  const untilSignInEnds = (ctx: KoaContextWithOIDC): number => {
    const session = signIns.of(ctx)?.session;
    return session
      ? Math.min(config.LOGIN_TOKEN_TTL, secondsUntil(session.expiresAt.getTime() / 1000))
      : config.LOGIN_TOKEN_TTL;
  };
  return {
    AccessToken: (ctx, _token, client) =>
      Math.min(untilSignInEnds(ctx), lifetimeOf(client, 'access_token_lifetime')),
    Session: untilSignInEnds,
    RefreshToken: (_ctx, token, client) => {
      // `iiat`: when the first refresh token of the family was issued.
      const { iiat = clock.now().getTime() / 1000 } = token as { iiat?: number };
      const familyEnd_s = iiat + config.REFRESH_TOKEN_MAX_TTL;
      return Math.min(
        config.REFRESH_TOKEN_TTL,
        lifetimeOf(client, 'refresh_token_lifetime'),
        secondsUntil(familyEnd_s),
      );
    },
    AuthorizationCode: config.AUTHORIZATION_CODE_TTL,
    DeviceCode: DEVICE_CODE_TTL_S,
    Grant: config.REFRESH_TOKEN_MAX_TTL,
    IdToken: ID_TOKEN_TTL_S,
    Interaction: INTERACTION_TTL_S,
  };
}
