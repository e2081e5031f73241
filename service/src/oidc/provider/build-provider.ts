/** Configuration of `oidc-provider` for one state of the key set. */
import type {
  Client,
  Configuration,
  errors as Errors,
  KoaContextWithOIDC,
  interactionPolicy as Policy,
  Provider,
} from 'oidc-provider';
import { readCategories } from '../consent/categories.ts';
import type { OidcContext } from '../context.ts';
import { DPOP_ALGORITHMS } from '../guard/dpop-proof.ts';
import type { KeySet } from '../keys/index.ts';
import { renderAfterLogout, renderLogoutPage } from '../logout/logout-pages.ts';
import { ACR_VALUES } from '../tokens/acr.ts';
import { OPERATOR_SCOPES, SCOPES } from '../tokens/scopes.ts';
import { createAdapter } from './adapter.ts';
import { cookieNames } from './browser-cookies.ts';
import { requestScopesOfClaims } from './claims-parameter.ts';
import { customizeToken } from './customize-token.ts';
import { renderError } from './error-page.ts';
import { createSignIns, type SignIns } from './find-account.ts';
import { INTERACTION_ID_MAX } from './interaction-encryption.ts';
import { createGrantLoader, createPolicy } from './interaction-policy.ts';
import { canIntrospect, compareSecretsByHash } from './library-limits.ts';

/** The library, imported at first use. */
export interface Library {
  readonly Provider: typeof Provider;
  readonly errors: typeof Errors;
  readonly interactionPolicy: typeof Policy;
}

export const ROUTES = {
  authorization: '/oauth2/authorize',
  token: '/oauth2/token',
  revocation: '/oauth2/revoke',
  introspection: '/oauth2/introspect',
  userinfo: '/oauth2/userinfo',
  device_authorization: '/oauth2/device_authorization',
  code_verification: '/device',
  end_session: '/oauth2/logout',
  jwks: '/.well-known/jwks.json',
} as const;

const ID_TOKEN_TTL_S = 3600;
const DEVICE_CODE_TTL_S = 600;
const INTERACTION_TTL_S = 3600;
const ALL_SCOPES = [...Object.keys(SCOPES), ...OPERATOR_SCOPES];

function readLifetimes({ config, clock }: OidcContext, signIns: SignIns): Configuration['ttl'] {
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
    AccessToken: untilSignInEnds,
    Session: untilSignInEnds,
    RefreshToken: (_ctx, token) => {
      // `iiat`: when the first refresh token of the family was issued.
      const { iiat = clock.now().getTime() / 1000 } = token as { iiat?: number };
      const familyEnd_s = iiat + config.REFRESH_TOKEN_MAX_TTL;
      return Math.min(config.REFRESH_TOKEN_TTL, secondsUntil(familyEnd_s));
    },
    AuthorizationCode: config.AUTHORIZATION_CODE_TTL,
    DeviceCode: DEVICE_CODE_TTL_S,
    Grant: config.REFRESH_TOKEN_MAX_TTL,
    IdToken: ID_TOKEN_TTL_S,
    Interaction: INTERACTION_TTL_S,
  };
}

function chooseFeatures(
  { errors }: Library,
  { config, clients }: OidcContext,
): Configuration['features'] {
  const api = {
    scope: ALL_SCOPES.join(' '),
    audience: config.BASE_URL,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'RS256' } },
  } as const;
  return {
    devInteractions: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: renderLogoutPage,
      postLogoutSuccessSource: renderAfterLogout,
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
    resourceIndicators: {
      enabled: true,
      defaultResource: () => config.BASE_URL,
      useGrantedResource: () => true,
      getResourceServerInfo(_ctx, resource) {
        if (resource === config.BASE_URL) return api;
        throw new errors.InvalidTarget('resource must be the issuer');
      },
    },
  };
}

const PAGE_HINTS = ['login_hint', 'ui_locales'];
const HINT_MAX = 320;

interface WaitingInteraction {
  readonly uid: string;
  readonly exp: number;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The page where the user decides, with the encrypted request. */
function createPageUrl({ errors }: Library, { config, encryption, clock }: OidcContext) {
  return (_ctx: KoaContextWithOIDC, interaction: WaitingInteraction) => {
    const { uid, exp } = interaction;
    const params = { ...interaction.params };
    const iat = clock.now().getTime() / 1000;
    const interactionId = encryption.request.encrypt({ uid, iat, exp, params });
    if (interactionId.length > INTERACTION_ID_MAX)
      throw new errors.InvalidRequest('the request is too long');
    const url = new URL(config.AUTHORIZATION_PAGE_URL);
    url.searchParams.set('interaction_id', interactionId);
    // For the form, which is there before anyone may read the request.
    for (const hint of PAGE_HINTS) {
      const value = interaction.params[hint];
      if (typeof value === 'string') url.searchParams.set(hint, value.slice(0, HINT_MAX));
    }
    return url.href;
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
    renderError,
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

function configure(library: Library, keys: KeySet, context: OidcContext): Configuration {
  const { config, masterKey } = context;
  const storage = {
    ...context,
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
      keys: [masterKey.derive('oidc-cookies')],
      // The session id is random and stored by hash: a signature would add nothing.
      long: { httpOnly: true, sameSite: 'lax', signed: false },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    claims: {
      openid: ['sub', 'auth_time', 'amr', 'acr'],
      profile: ['nickname'],
      email: ['email', 'email_verified'],
      sid: null,
    } as never,
    scopes: ALL_SCOPES,
    acrValues: [...ACR_VALUES],
    responseTypes: ['code'],
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'RS256' },
    enabledJWA: {
      idTokenSigningAlgValues: ['RS256'],
      dPoPSigningAlgValues: [...DPOP_ALGORITHMS] as never,
    },
    extraClientMetadata: { properties: ['require_pkce'] },
    pkce: { required: isPkceRequired },
    routes: ROUTES,
    features: chooseFeatures(library, context),
  };
}

/** Creates the provider for a key set; the first key signs. */
export function buildProvider(library: Library, keys: KeySet, context: OidcContext): Provider {
  const provider = new library.Provider(context.config.BASE_URL, configure(library, keys, context));
  provider.proxy = true;
  compareSecretsByHash(provider);
  return provider;
}
