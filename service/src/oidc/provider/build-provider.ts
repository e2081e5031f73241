/** The OpenID provider's configuration: `oidc-provider` for one state of the key set. */
import { randomBytes } from 'node:crypto';
import type {
  Configuration,
  errors as Errors,
  KoaContextWithOIDC,
  interactionPolicy as Policy,
  Provider,
} from 'oidc-provider';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/index.ts';
import type { TokenState } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { equalSecrets, hashSecret } from '../../lib/ids.ts';
import type { MasterKey } from '../../master-key.ts';
import type { ClientRegistry } from '../clients/index.ts';
import { readCategories } from '../consent/categories.ts';
import { DPOP_ALGORITHMS } from '../guard/dpop-proof.ts';
import type { RecordDpopJti } from '../guard/dpop-replay-store.ts';
import type { KeySet } from '../keys/index.ts';
import { OPERATOR_SCOPES, SCOPES } from '../tokens/scopes.ts';
import type { SignToken } from '../tokens/sign-token.ts';
import { createAdapter } from './adapter.ts';
import { cookieNames } from './browser-cookies.ts';
import { createCookieSigner } from './cookie-signer.ts';
import { customizeToken, refreshSuccessor } from './customize-token.ts';
import { renderError } from './error-page.ts';
import { createSignIns, type SignIns } from './find-account.ts';
import type { GrantLifetimes } from './grant-payload.ts';
import { SEALED_REQUEST_MAX, type Seals, type WaitingRequest } from './interaction-encryption.ts';
import { createGrantLoader, createPolicy } from './interaction-policy.ts';
import { mayIntrospect } from './jwt-introspection.ts';
import { createSealedAdapter, isSealed, sealSessionCookies } from './stateless-adapter.ts';
import { beginUnitOfWork, getUnitOfWork, keyOf } from './unit-of-work.ts';

export interface ProviderDeps {
  readonly config: Config;
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
  readonly clients: ClientRegistry;
  readonly tokenState: TokenState;
  readonly sign: SignToken;
  readonly takeProof: RecordDpopJti;
  readonly seals: Seals;
}

/** The library, loaded when it is first needed: it takes longer to load than the rest of the service. */
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
  jwks: '/.well-known/jwks.json',
} as const;

const ID_TOKEN_TTL_S = 3600;
const DEVICE_CODE_TTL_S = 600;
const INTERACTION_TTL_S = 3600;
const ALL_SCOPES = [...Object.keys(SCOPES), ...OPERATOR_SCOPES];

const secondsUntil = (at: Date, now: Date): number =>
  Math.max(1, Math.floor((at.getTime() - now.getTime()) / 1000));

function lifetimes({ config, clock }: ProviderDeps, signIns: SignIns): Configuration['ttl'] {
  return {
    // No token outlives the sign-in it came from, while that lives; offline, it has the configured life.
    AccessToken: (ctx) => {
      const session = signIns.of(ctx)?.session;
      return session
        ? Math.min(config.LOGIN_TOKEN_TTL, secondsUntil(session.expiresAt, clock.now()))
        : config.LOGIN_TOKEN_TTL;
    },
    Session: (ctx) => {
      const session = signIns.of(ctx)?.session;
      return session ? secondsUntil(session.expiresAt, clock.now()) : config.LOGIN_TOKEN_TTL;
    },
    RefreshToken: (_ctx, token) => {
      const oldest = (token as { iiat?: number }).iiat ?? clock.now().getTime() / 1000;
      return Math.max(
        1,
        Math.min(
          config.REFRESH_TOKEN_TTL,
          Math.floor(oldest + config.REFRESH_TOKEN_MAX_TTL - clock.now().getTime() / 1000),
        ),
      );
    },
    AuthorizationCode: config.AUTHORIZATION_CODE_TTL,
    DeviceCode: DEVICE_CODE_TTL_S,
    Grant: config.REFRESH_TOKEN_MAX_TTL,
    IdToken: ID_TOKEN_TTL_S,
    Interaction: INTERACTION_TTL_S,
  };
}

function features(
  { errors }: Library,
  { config, clients }: ProviderDeps,
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
    rpInitiatedLogout: { enabled: false },
    claimsParameter: { enabled: false },
    deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
    introspection: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) =>
        mayIntrospect(clients, client, String(token.clientId)) as Promise<boolean>,
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

/** How long grants are kept. */
export function grantLifetimesOf(config: Config): GrantLifetimes {
  return { online_s: config.LOGIN_TOKEN_TTL, offline_s: config.REFRESH_TOKEN_MAX_TTL };
}

/** The page where a person decides, with the request that waits for them. */
function pageUrls(
  { errors }: Library,
  { config, seals, clock }: ProviderDeps,
): (ctx: KoaContextWithOIDC, uid: string) => string {
  const url = new URL(config.AUTHORIZATION_PAGE_URL);
  // Last, and of letters that an address can carry.
  url.searchParams.delete('interaction_id');
  url.searchParams.append('interaction_id', '');
  const [beforeHash = '', hash] = url.href.split('#', 2);
  return (ctx, uid) => {
    const { iat, exp, params } = beginUnitOfWork(ctx.req, clock.now()).held.get(
      keyOf('Interaction', uid),
    ) as unknown as WaitingRequest;
    const sealed = seals.request.seal({ uid, iat, exp, params });
    if (sealed.length > SEALED_REQUEST_MAX)
      throw new errors.InvalidRequest('the request is too long');
    return `${beforeHash}${sealed}${hash === undefined ? '' : `#${hash}`}`;
  };
}

function configure(
  library: Library,
  keys: KeySet,
  deps: ProviderDeps,
  signIns: SignIns,
): Configuration {
  const { config, database, clock, clients, masterKey, takeProof, seals } = deps;
  const pageUrlOf = pageUrls(library, deps);
  const currentUnit = () => getUnitOfWork(library.Provider.ctx?.req);
  const storage = {
    db: database,
    clock,
    clients,
    errors: library.errors,
    takeProof,
    currentUnit,
    currentContext: () => library.Provider.ctx as KoaContextWithOIDC | undefined,
    tokenTtl_s: config.LOGIN_TOKEN_TTL,
  };
  return {
    adapter: (model) =>
      isSealed(model)
        ? createSealedAdapter(model, seals, currentUnit)
        : createAdapter(model, storage),
    jwks: {
      keys: keys.all.map(({ jwk, privateKey }) => ({
        ...privateKey.export({ format: 'jwk' }),
        ...jwk,
      })) as never,
    },
    cookies: {
      names: cookieNames(config.BASE_URL),
      keys: createCookieSigner(masterKey.derive('oidc-cookies')) as never,
      // Sealed, which says more than a signature.
      long: { httpOnly: true, sameSite: 'lax', signed: false },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    claims: {
      openid: ['sub'],
      profile: ['nickname'],
      email: ['email', 'email_verified'],
      sid: null,
      auth_time: null,
      amr: null,
    } as never,
    scopes: ALL_SCOPES,
    responseTypes: ['code'],
    extraParams: {
      device_categories(_ctx, value) {
        if (readCategories(value) === undefined)
          throw new library.errors.InvalidRequest(
            'device_categories holds at most 32 categories of 64 characters',
          );
      },
    },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'RS256' },
    enabledJWA: {
      idTokenSigningAlgValues: ['RS256'],
      dPoPSigningAlgValues: [...DPOP_ALGORITHMS] as never,
    },
    pkce: { required: () => true },
    routes: ROUTES,
    features: features(library, deps),
    ttl: lifetimes(deps, signIns),
    interactions: {
      policy: createPolicy(library.interactionPolicy, signIns, config.BASE_URL),
      url: (ctx, interaction) => pageUrlOf(ctx, interaction.uid),
    },
    findAccount: signIns.findAccount,
    loadExistingGrant: createGrantLoader({
      db: database,
      clock,
      clients,
      signIns,
      baseUrl: config.BASE_URL,
      lifetimes: grantLifetimesOf(config),
    }),
    // Sign-ins are checked at each use (see sign-ins.ts), with more care than the cookie session allows.
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client, source) =>
      client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access'),
    rotateRefreshToken: () => true,
    formats: { customizers: { jwt: customizeToken(deps, signIns) } },
    clientBasedCORS: () => true,
    renderError,
  };
}

/** Makes the provider for a key set; the first key signs. */
export function buildProvider(library: Library, keys: KeySet, deps: ProviderDeps): Provider {
  const provider = new library.Provider(
    deps.config.BASE_URL,
    configure(library, keys, deps, createSignIns(deps.database, deps.clock)),
  );
  provider.proxy = true;
  sealSessionCookies(provider, deps.seals);
  // Nobody listens to what happens to single records, and making up the names of the events takes time.
  const recordPrototype = Object.getPrototypeOf(provider.BaseToken.prototype) as {
    emit(event: string): void;
  };
  recordPrototype.emit = () => {};
  const clientPrototype = provider.Client.prototype as unknown as {
    compareClientSecret(secret: string): boolean;
    clientSecret: string;
    includeSid(): boolean;
  };
  clientPrototype.compareClientSecret = function compareClientSecret(
    this: { clientSecret: string },
    secret: string,
  ) {
    return equalSecrets(this.clientSecret, hashSecret(secret));
  };
  clientPrototype.includeSid = () => true;
  const successorKey = deps.masterKey.derive('refresh-tokens');
  const refreshPrototype = provider.RefreshToken.prototype as unknown as {
    generateTokenId(): string;
  };
  refreshPrototype.generateTokenId = () => {
    const context = library.Provider.ctx as KoaContextWithOIDC | undefined;
    const rotated = (
      context?.oidc.entities as { RotatedRefreshToken?: { jti: string } } | undefined
    )?.RotatedRefreshToken;
    return rotated
      ? refreshSuccessor(successorKey, rotated.jti)
      : randomBytes(32).toString('base64url');
  };
  return provider;
}
