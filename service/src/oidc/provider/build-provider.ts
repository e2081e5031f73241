/** Configuration of `oidc-provider` for one state of the key set and the resource servers. */
import type { Client, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { createOutgoingFetch } from '../../http/index.ts';
import { readCategories } from '../consent/categories.ts';
import type { OidcContext } from '../context.ts';
import { DPOP_ALGORITHMS } from '../guard/dpop-proof.ts';
import { type KeySet, SIGNING_ALGORITHMS } from '../keys/index.ts';
import { renderAfterLogout, renderLogoutPage } from '../logout/logout-pages.ts';
import { ACR_VALUES } from '../tokens/acr.ts';
import { createAdapter } from './adapter.ts';
import { cookieNames } from './browser-cookies.ts';
import { requestScopesOfClaims } from './claims-parameter.ts';
import { OWN_METADATA } from './client-metadata.ts';
import { createCookieSigner } from './cookie-signer.ts';
import { customizeToken } from './customize-token.ts';
import { renderError } from './error-page.ts';
import { createSignIns, type SignIns } from './find-account.ts';
import { createPageUrl } from './interaction-page.ts';
import { createGrantLoader, createPolicy } from './interaction-policy.ts';
import type { Library } from './library.ts';
import { canIntrospect, compareSecretsByHash } from './library-limits.ts';
import { readLifetimes } from './lifetimes.ts';
import { ALL_SCOPES, indicateResources } from './resource-indicators.ts';

export const ROUTES = {
  authorization: '/oauth2/authorize',
  token: '/oauth2/token',
  revocation: '/oauth2/revoke',
  introspection: '/oauth2/introspect',
  pushed_authorization_request: '/oauth2/par',
  userinfo: '/oauth2/userinfo',
  device_authorization: '/oauth2/device_authorization',
  code_verification: '/device',
  end_session: '/oauth2/logout',
  jwks: '/.well-known/jwks.json',
} as const;

const ASSERTION_TTL_MAX_S = 3600;
/** What clients sign with. */
const CLIENT_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA'];

function chooseFeatures(library: Library, context: OidcContext): Configuration['features'] {
  const { clients, look } = context;
  return {
    devInteractions: { enabled: false },
    pushedAuthorizationRequests: { enabled: true },
    requestObjects: { enabled: true },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => renderLogoutPage(look(), ctx, form),
      postLogoutSuccessSource: (ctx) => renderAfterLogout(look(), ctx),
    },
    claimsParameter: { enabled: true, assertClaimsParameter: requestScopesOfClaims },
    deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
    introspection: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) =>
        canIntrospect(clients, client, String(token.clientId)) as Promise<boolean>,
    },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    userinfo: { enabled: true },
    dPoP: { enabled: true },
    resourceIndicators: indicateResources(library, context),
  };
}

/** Who is asked, and what tokens contain. */
function configureHooks(
  library: Library,
  context: OidcContext,
  signIns: SignIns,
): Partial<Configuration> {
  return {
    extraParams: {
      device_categories(_ctx, value) {
        if (readCategories(value) === undefined)
          throw new library.errors.InvalidRequest(
            'device_categories takes at most 32 categories of 64 characters',
          );
      },
    },
    ttl: readLifetimes(context, signIns),
    interactions: {
      policy: createPolicy(library.interactionPolicy, signIns, context),
      url: createPageUrl(library, context),
    },
    findAccount: signIns.findAccount,
    loadExistingGrant: createGrantLoader({ ...context, signIns }),
    // Each use checks the sign-in itself (find-account.ts).
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client, source) =>
      client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access'),
    rotateRefreshToken: () => true,
    formats: { customizers: { jwt: customizeToken(context, signIns) } },
    clientBasedCORS: () => true,
    renderError: (ctx, out) => renderError(context.look(), ctx, out),
  };
}

/**
 * PKCE is required of all but confidential clients that are registered without. Those send `nonce`
 * instead, which binds the ID token, and so the code, to their request (RFC 9700 2.1.1).
 */
function isPkceRequired({ oidc }: KoaContextWithOIDC, client: Client): boolean {
  if (client.require_pkce !== false || client.clientAuthMethod === 'none') return true;
  const { nonce } = oidc.params ?? {};
  // Without the scope `openid` the library refuses `nonce`.
  return typeof nonce !== 'string' || nonce === '';
}

export interface ProviderState {
  readonly keys: KeySet;
  /** Scopes of the resource servers. */
  readonly resourceScopes: readonly string[];
}

function configure(
  library: Library,
  { keys, resourceScopes }: ProviderState,
  context: OidcContext,
): Configuration {
  const { config, masterKey } = context;
  const scopes = [...ALL_SCOPES, ...resourceScopes];
  const storage = {
    ...context,
    knownScopes: new Set(scopes),
    errors: library.errors,
    currentContext: () => library.Provider.ctx as KoaContextWithOIDC | undefined,
  };
  return {
    ...configureHooks(library, context, createSignIns(context)),
    adapter: (model) => createAdapter(model, storage),
    jwks: {
      keys: keys.all.map(({ jwk, privateKey }) => ({
        ...privateKey.export({ format: 'jwk' }),
        ...jwk,
      })) as never,
    },
    cookies: {
      names: cookieNames(config.BASE_URL),
      keys: createCookieSigner(masterKey.derive('oidc-cookies')),
      // The session id is random and stored by hash: a signature would add nothing.
      long: { httpOnly: true, sameSite: 'lax', signed: false },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    claims: {
      openid: ['sub', 'auth_time', 'amr', 'acr'],
      profile: ['nickname'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
      roles: ['roles'],
      sid: null,
    } as never,
    scopes,
    acrValues: [...ACR_VALUES],
    responseTypes: ['code'],
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    assertJwtClientAuthClaimsAndHeader: async (_ctx, { exp }) => {
      if (Number(exp) > context.clock.now().getTime() / 1000 + ASSERTION_TTL_MAX_S)
        throw new library.errors.InvalidClientAuth('the assertion is valid for more than an hour');
    },
    fetch: createOutgoingFetch(context.outgoing),
    clientDefaults: { id_token_signed_response_alg: 'RS256' },
    enabledJWA: {
      idTokenSigningAlgValues: [...SIGNING_ALGORITHMS],
      clientAuthSigningAlgValues: [...CLIENT_ALGORITHMS] as never,
      requestObjectSigningAlgValues: [...CLIENT_ALGORITHMS] as never,
      dPoPSigningAlgValues: [...DPOP_ALGORITHMS] as never,
    },
    extraClientMetadata: { properties: [...OWN_METADATA] },
    pkce: { required: isPkceRequired },
    routes: ROUTES,
    features: chooseFeatures(library, context),
  };
}

/** Creates the provider for a key set, whose first key signs, and for the scopes that there are. */
export function buildProvider(
  library: Library,
  state: ProviderState,
  context: OidcContext,
): Provider {
  const provider = new library.Provider(
    context.config.BASE_URL,
    configure(library, state, context),
  );
  provider.proxy = true;
  compareSecretsByHash(provider);
  return provider;
}
