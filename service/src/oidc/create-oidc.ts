/** Puts the parts of the provider together. */
import type { Config } from '../config.ts';
import { type Database, type Transaction, transaction } from '../db/index.ts';
import type { Authenticator, HttpServer } from '../http/index.ts';
import { deleteOldTokenChanges, logSecurityEvent, type TokenState } from '../identity/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../master-key.ts';
import {
  type ClientRegistry,
  createClientRegistry,
  createConsoleClient,
  createDeviceClients,
} from './clients/index.ts';
import { registerConsent } from './consent/routes.ts';
import { registerDeviceFlow } from './device-flow/routes.ts';
import type { Exchange } from './exchange/exchange-grant.ts';
import { createAuthenticator } from './guard/authenticator.ts';
import { createTakeProof } from './guard/dpop-replay-store.ts';
import { createKeyRing, type KeyPolicy, type KeyRing, maintainKeys } from './keys/index.ts';
import { deleteExpiredObjects, deleteGrant } from './provider/adapter.ts';
import { grantLifetimesOf } from './provider/build-provider.ts';
import { createSeals, type Seals } from './provider/interaction-encryption.ts';
import { createProviderHost, type ProviderHost } from './provider/provider-cache.ts';
import { registerProtocol } from './provider/routes.ts';
import { registerKeyRoutes, registerUserInfo } from './routes.ts';
import { createTokenIssuer, type TokenIssuer } from './tokens/issue-login-tokens.ts';
import { createSignToken, type SignToken } from './tokens/sign-token.ts';

const MAINTAIN_EVERY_MS = 300_000;
const CLEAN_EVERY_MS = 60_000;
/** The provider's library is loaded once the service answers, so that it neither delays the start nor the first sign-in. */
const WARM_UP_MS = 1500;

export interface OidcDeps {
  readonly config: Config;
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
  readonly tokenState: TokenState;
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
  /** Makes what a new installation needs, and follows changes. */
  start(): Promise<void>;
  stop(): void;
}

/** How keys rotate in this configuration. */
export function keyPolicyOf(config: Config): KeyPolicy {
  return {
    rotateEvery_ms: config.KEY_ROTATION_INTERVAL * 1000,
    longestToken_ms: config.LOGIN_TOKEN_TTL * 1000,
  };
}

function createJobs(database: Database, clock: Clock, maintain: () => Promise<void>): Job[] {
  return [
    { name: 'maintain-keys', every_ms: MAINTAIN_EVERY_MS, isExclusive: false, run: maintain },
    {
      name: 'delete-old-token-changes',
      every_ms: MAINTAIN_EVERY_MS,
      run: () => transaction(database, (tx) => deleteOldTokenChanges(tx, clock)),
    },
    {
      name: 'delete-expired-grants',
      every_ms: CLEAN_EVERY_MS,
      isExclusive: false,
      run: () => deleteExpiredObjects(database, clock),
    },
  ];
}

function logExchange(
  tx: Transaction,
  clock: Clock,
  { userId, clientId, scope, nodeId, ip, userAgent }: Exchange,
): Promise<void> {
  const details = { client_id: clientId, scope, ...(nodeId !== undefined && { node_id: nodeId }) };
  return logSecurityEvent(tx, clock, {
    userId,
    type: 'token_exchanged',
    origin: { ip, userAgent },
    details,
  });
}

function registerAll(
  app: HttpServer,
  deps: OidcDeps,
  parts: { keys: KeyRing; clients: ClientRegistry; host: ProviderHost; seals: Seals },
): void {
  const { config, database: db, clock, tokenState } = deps;
  const { clients, host, seals } = parts;
  const baseUrl = config.BASE_URL;
  const lifetimes = grantLifetimesOf(config);
  registerKeyRoutes(app, parts.keys);
  registerUserInfo(app, db);
  registerDeviceFlow(app, { db, clock, baseUrl, clients, lifetimes });
  registerProtocol(app, { clock, baseUrl, host, clients, seals, tokenState, lifetimes });
  registerConsent(app, { db, clock, baseUrl, clients, seals });
}

export function createOidc(deps: OidcDeps): Oidc {
  const { config, database, masterKey, clock, tokenState, onError } = deps;
  const maintain = (): Promise<void> =>
    maintainKeys(database, clock, masterKey, keyPolicyOf(config));
  const keys = createKeyRing(database, masterKey, maintain, onError);
  const clients = createClientRegistry(database);
  const sign = createSignToken(keys, clock, config.BASE_URL);
  const takeProof = createTakeProof(database);
  const seals = createSeals(masterKey);
  const authenticator = createAuthenticator({
    keys,
    state: tokenState,
    clock,
    baseUrl: config.BASE_URL,
    takeProof,
  });
  const host = createProviderHost(keys, {
    ...deps,
    db: database,
    takeProof,
    seals,
    clients,
    sign,
    keys,
    authenticator,
    baseUrl: config.BASE_URL,
    tokenTtl_s: config.LOGIN_TOKEN_TTL,
    onExchange: (exchange) => transaction(database, (tx) => logExchange(tx, clock, exchange)),
  });
  let warmUp: NodeJS.Timeout | undefined;
  return {
    authenticator,
    issuer: createTokenIssuer(sign),
    sign,
    keys,
    clients,
    jobs: createJobs(database, clock, maintain),
    register: (app) => registerAll(app, deps, { keys, clients, host, seals }),
    async start() {
      await Promise.all([keys.start(), clients.start()]);
      await createConsoleClient(database, clock, config);
      await createDeviceClients(database, clock);
      tokenState.onRevoked(({ kind, value }) => {
        if (kind === 'grant') deleteGrant(database, value).catch(onError);
      });
      warmUp = setTimeout(() => void host.get().catch(onError), WARM_UP_MS).unref();
    },
    stop() {
      clearTimeout(warmUp);
      keys.stop();
    },
  };
}
