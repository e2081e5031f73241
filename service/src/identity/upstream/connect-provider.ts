/** The requests to an upstream provider: code flow with PKCE, state and nonce (RFC 9700 2.1). */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client';
import type { Config } from '../../config.ts';
import {
  createOutgoingFetch,
  type Outgoing,
  OutgoingError,
  UPSTREAM_CALLBACK_PATH,
} from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import type { MasterKey } from '../../master-key.ts';
import { isEmail } from '../emails.ts';
import { signAppleSecret } from './apple-secret.ts';
import { openCredential, type UpstreamProvider } from './provider-store.ts';

const HOUR_MS = 3_600_000;

/** What only the browser that started the request brings back. */
export interface RequestSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The parameters with which the provider sent the browser back. */
export interface Callback {
  /** Its redirect URI is its own, so that no other provider can answer for it (RFC 9700 4.4.2). */
  readonly provider: string;
  readonly state: string;
  readonly code: string;
  /** RFC 9207. */
  readonly iss?: string | undefined;
}

/** An account of a provider, from its ID token. */
export interface UpstreamAccount {
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
  readonly isEmailVerified: boolean;
  readonly name?: string;
  readonly amr: readonly string[];
}

export interface UpstreamConnections {
  /** @throws `upstream_unreachable` */
  authorizationUrl(provider: UpstreamProvider, secrets: RequestSecrets): Promise<string>;
  /** @throws `upstream_unreachable`, `upstream_refused` */
  redeem(
    provider: UpstreamProvider,
    secrets: RequestSecrets,
    callback: Callback,
  ): Promise<UpstreamAccount>;
  /**
   * Reads the metadata of an issuer.
   * @returns the issuer as its metadata and ID tokens spell it
   * @throws an error of the library or of the request
   */
  readIssuer(issuer: string): Promise<string>;
}

/** The status of the provider's answer, if that is what is wrong. */
function statusOf(error: unknown): number | undefined {
  const { status, cause } = error as { status?: number; cause?: unknown };
  return cause instanceof Response ? cause.status : status;
}

/** An unreachable provider is not the user's fault: the same request can succeed later. */
function toFailure(error: unknown): Error {
  const isRequest =
    error instanceof OutgoingError || (error as Error).cause instanceof OutgoingError;
  return isRequest || (statusOf(error) ?? 0) >= 500
    ? failure('upstream_unreachable', { cause: error })
    : failure('upstream_refused', { cause: error });
}

/** By the method that the provider supports; Basic is OpenID Connect's default. */
function authenticate(secret: string | undefined): ClientAuth {
  if (secret === undefined) return None();
  const [post, basic] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, ...rest) =>
    server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
      ? post(server, ...rest)
      : basic(server, ...rest);
}

/** OpenID Connect Core 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;
const NAME_MAX = 200;

/** @throws Error for a subject that no account may have */
function readAccount(
  { issuer }: UpstreamProvider,
  claims: Readonly<Record<string, unknown>>,
): UpstreamAccount {
  const { sub, email, email_verified, nickname, name = nickname, amr } = claims;
  if (!SUBJECT.test(String(sub))) throw new Error('the subject is not one of OpenID Connect');
  return {
    issuer,
    subject: String(sub),
    ...(typeof email === 'string' && isEmail(email) && { email }),
    // Some providers send the text.
    isEmailVerified: email_verified === true || email_verified === 'true',
    ...(typeof name === 'string' && { name: name.slice(0, NAME_MAX).toWellFormed() }),
    amr: Array.isArray(amr) ? amr.filter((value) => typeof value === 'string') : [],
  };
}

/**
 * The claims of the ID token, and those that the provider leaves to userinfo (OpenID Connect
 * Core 5.4); the library compares the subjects.
 */
async function readClaims(
  config: Configuration,
  { scopes }: UpstreamProvider,
  tokens: Awaited<ReturnType<typeof authorizationCodeGrant>>,
): Promise<Readonly<Record<string, unknown>>> {
  const claims = tokens.claims();
  if (!claims) return {};
  const isComplete = claims.email !== undefined || !scopes.includes('email');
  if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
}

export interface ConnectionDeps {
  readonly outgoing: Outgoing;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
  readonly config: Pick<Config, 'BASE_URL'>;
}

/** Reads the metadata of providers. */
function createDiscovery({ outgoing, masterKey, clock }: ConnectionDeps) {
  const known = new Map<string, { config: Promise<Configuration>; version: string }>();

  async function discover(
    issuer: string,
    clientId: string,
    authentication: ClientAuth,
  ): Promise<Configuration> {
    outgoing.checkUrl(issuer);
    const config = await discovery(new URL(issuer), clientId, undefined, authentication, {
      [customFetch]: createOutgoingFetch(outgoing),
      execute: [
        // The library would trust the connection alone.
        enableNonRepudiationChecks,
        // The guarded client allows plain http to this machine only.
        ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
      ],
    });
    // The library has exceptions, and takes an address of metadata for an issuer.
    if (new URL(config.serverMetadata().issuer).href !== new URL(issuer).href)
      throw new Error('the metadata is that of another issuer');
    return config;
  }

  /** A provider that binds its codes by nothing would let codes of others in (RFC 9700 2.1.1). */
  function checkBinding(config: Configuration, { sendsNonce }: { sendsNonce: boolean }): void {
    if (!sendsNonce && !config.serverMetadata().supportsPKCE('S256'))
      throw new Error('a provider without nonce must support PKCE');
  }

  async function readSecret(provider: UpstreamProvider): Promise<string | undefined> {
    const credential = openCredential(masterKey, provider);
    if (credential === undefined || 'secret' in credential) return credential?.secret;
    return signAppleSecret(clock, provider, credential.appleKey);
  }

  /** The metadata of a provider, read again after an hour or a change of its settings. */
  async function connect(provider: UpstreamProvider): Promise<Configuration> {
    const { id, updatedAt } = provider;
    const hour = Math.floor(clock.now().getTime() / HOUR_MS);
    const version = `${updatedAt.getTime()} ${hour}`;
    const last = known.get(id);
    if (last?.version === version) return last.config;
    const config = readSecret(provider).then(async (secret) => {
      const found = await discover(provider.issuer, provider.clientId, authenticate(secret));
      checkBinding(found, provider);
      return found;
    });
    known.set(id, { config, version });
    config.catch(() => {
      if (known.get(id)?.config === config) known.delete(id);
    });
    return config;
  }

  return { discover, connect };
}

export function createUpstreamConnections(deps: ConnectionDeps): UpstreamConnections {
  const redirectUriOf = ({ id }: UpstreamProvider): string =>
    new URL(UPSTREAM_CALLBACK_PATH + id, deps.config.BASE_URL).href;
  const { discover, connect } = createDiscovery(deps);
  return {
    async readIssuer(issuer) {
      return (await discover(issuer, 'unknown', None())).serverMetadata().issuer;
    },
    async authorizationUrl(provider, { state, nonce, codeVerifier }) {
      const code_challenge = await calculatePKCECodeChallenge(codeVerifier);
      try {
        const url = buildAuthorizationUrl(await connect(provider), {
          redirect_uri: redirectUriOf(provider),
          scope: provider.scopes.join(' '),
          state,
          ...(provider.sendsNonce && { nonce }),
          code_challenge,
          code_challenge_method: 'S256',
          ...(provider.responseMode === 'form_post' && { response_mode: 'form_post' }),
        });
        return url.href;
      } catch (error) {
        throw failure('upstream_unreachable', { cause: error });
      }
    },
    async redeem(provider, { state, nonce, codeVerifier }, { code, iss }) {
      const url = new URL(redirectUriOf(provider));
      url.search = new URLSearchParams({
        code,
        state,
        ...(iss !== undefined && { iss }),
      }).toString();
      try {
        const config = await connect(provider);
        const tokens = await authorizationCodeGrant(config, url, {
          expectedState: state,
          // Without one in the request, one in the token is refused.
          ...(provider.sendsNonce && { expectedNonce: nonce }),
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        return readAccount(provider, await readClaims(config, provider, tokens));
      } catch (error) {
        throw toFailure(error);
      }
    },
  };
}
