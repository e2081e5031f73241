/** Composes the parts of the provider. */
import type { Config } from '../config.ts';
import { type Database, runAsService } from '../db/index.ts';
import type { Authenticator, HttpServer, Outgoing, PageLook } from '../http/index.ts';
import { createLifetimeRecorder, type TokenState } from '../identity/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../master-key.ts';
import {
  type ClientRegistry,
  createClientRegistry,
  createClientRemoval,
  createConsoleClient,
  createDeviceClients,
} from './clients/index.ts';
import { registerConsent } from './consent/routes.ts';
import { registerDeviceFlow } from './device-flow/routes.ts';
import { createAuthenticator } from './guard/authenticator.ts';
import type { FindBoundNode } from './guard/bound-node.ts';
import { createSharedJtiStore } from './guard/dpop-replay-store.ts';
import { createRetiredKeyRemoval, type KeyPolicy, KeyRing, maintainKeys } from './keys/index.ts';
import { registerLogos } from './logos/routes.ts';
import { createLogoutSender } from './logout/deliver-logouts.ts';
import { createCallerLimits } from './provider/caller-limits.ts';
import { CLIENT_TOKEN_TTL_S } from './provider/client-credentials.ts';
import { createInteractionEncryption } from './provider/interaction-encryption.ts';
import { deleteGrant } from './provider/object-store.ts';
import { createProviderCache } from './provider/provider-cache.ts';
import { registerProtocol } from './provider/routes.ts';
import { registerRegistration } from './registration/routes.ts';
import { registerKeyRoutes, registerUserInfo } from './routes.ts';
import { createApplicationIdentity } from './tokens/application-identity.ts';
import { createTokenIssuer, type TokenIssuer } from './tokens/issue-login-tokens.ts';
import { createSignToken, type SignToken } from './tokens/sign-token.ts';

const MAINTAIN_EVERY_MS = 300_000;
/** The library is loaded after the start, which it would delay, and before the first sign-in. */
const WARM_UP_MS = 1500;

export interface OidcDeps {
  readonly config: Config;
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
  readonly tokenState: TokenState;
  readonly findBoundNode: FindBoundNode;
  readonly outgoing: Outgoing;
  /** Of the pages that the provider shows. */
  readonly look: () => PageLook;
  readonly onError: (error: unknown) => void;
}

export interface Oidc {
  readonly authenticator: Authenticator;
  readonly issuer: TokenIssuer;
  readonly sign: SignToken;
  readonly keys: KeyRing;
  readonly clients: ClientRegistry;
  readonly jobs: readonly Job[];
  register(app: HttpServer): void;
  /** Creates what a new installation needs, and subscribes to changes. */
  start(): Promise<void>;
  /** Ends the sending of logout tokens; requests are still served. */
  stopSending(): Promise<void>;
  stop(): void;
}

/** The rotation policy of this configuration. */
export function keyPolicyOf(config: Config): KeyPolicy {
  return {
    rotateEvery_ms: config.KEY_ROTATION_INTERVAL * 1000,
    longestToken_ms: config.LOGIN_TOKEN_TTL * 1000,
  };
}

function createContext(deps: OidcDeps, maintain: () => Promise<void>) {
  const { config, database, masterKey, clock, tokenState, onError } = deps;
  const baseUrl = config.BASE_URL;
  const keys = new KeyRing(database, masterKey, maintain, onError);
  const clients = createClientRegistry(database);
  const sign = createSignToken(keys, clock, baseUrl);
  const limits = createCallerLimits(deps);
  const recordJti = createSharedJtiStore(database);
  const applications = createApplicationIdentity(masterKey);
  const authenticator = createAuthenticator({
    keys,
    state: tokenState,
    clock,
    baseUrl,
    recordJti,
    applications,
    findBoundNode: deps.findBoundNode,
  });
  return {
    ...deps,
    baseUrl,
    keys,
    clients,
    sign,
    authenticator,
    recordJti,
    applications,
    limits,
    encryption: createInteractionEncryption(masterKey),
  };
}

export function createOidc(deps: OidcDeps): Oidc {
  const { config, database, masterKey, clock, tokenState, onError } = deps;
  const maintain = (): Promise<void> =>
    maintainKeys(database, clock, masterKey, keyPolicyOf(config));
  const context = createContext(deps, maintain);
  const { authenticator, baseUrl, clients, keys, limits, sign } = context;
  const lifetimes = createLifetimeRecorder({
    ...{ database, clock, onError },
    longestToken_s: Math.max(config.LOGIN_TOKEN_TTL, CLIENT_TOKEN_TTL_S),
  });
  const logouts = createLogoutSender(context);
  const getProvider = createProviderCache(context);
  let warmUp: NodeJS.Timeout | undefined;
  return {
    authenticator,
    issuer: createTokenIssuer(sign),
    sign,
    keys,
    clients,
    jobs: [
      { name: 'maintain-keys', every_ms: MAINTAIN_EVERY_MS, isExclusive: false, run: maintain },
      createRetiredKeyRemoval(database, clock),
      logouts.job,
      createClientRemoval(database),
    ],
    register(app) {
      registerKeyRoutes(app, keys);
      registerUserInfo(app, context);
      registerLogos(app, database);
      registerDeviceFlow(app, context);
      registerProtocol(app, { baseUrl, getProvider, limits, look: deps.look }, (scope) =>
        registerRegistration(scope, context),
      );
      registerConsent(app, context);
    },
    async start() {
      await Promise.all([keys.start(), clients.start(), lifetimes.start()]);
      await runAsService('start', async () => {
        await createConsoleClient(database, clock, config);
        await createDeviceClients(database, clock);
      });
      tokenState.onRevoked(({ kind, value }) => {
        if (kind === 'grant') deleteGrant(database, value).catch(onError);
      });
      warmUp = setTimeout(() => void getProvider().catch(onError), WARM_UP_MS).unref();
    },
    stopSending: () => logouts.stop(),
    stop() {
      clearTimeout(warmUp);
      keys.stop();
      lifetimes.stop();
    },
  };
}
