/** Puts the parts of the provider together. */
import type { Config } from '../config.ts';
import { type Database, transaction } from '../db/index.ts';
import type { Authenticator, HttpServer } from '../http/index.ts';
import { deleteOldTokenChanges, type TokenState } from '../identity/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../master-key.ts';
import { createAuthenticator } from './guard/authenticator.ts';
import { createKeyRing, type KeyPolicy, type KeyRing, maintainKeys } from './keys/index.ts';
import { registerKeyRoutes } from './routes.ts';
import { createTokenIssuer, type TokenIssuer } from './tokens/issue-login-tokens.ts';
import { createSignToken, type SignToken } from './tokens/sign-token.ts';

const MAINTAIN_EVERY_MS = 300_000;

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
  readonly jobs: readonly Job[];
  register(app: HttpServer): void;
  start(): Promise<void>;
  stop(): void;
}

/** How keys rotate in this configuration. */
export function keyPolicyOf(config: Config): KeyPolicy {
  return { rotateEvery_ms: config.KEY_ROTATION_INTERVAL * 1000, longestToken_ms: config.LOGIN_TOKEN_TTL * 1000 };
}

export function createOidc({ config, database, masterKey, clock, tokenState, onError }: OidcDeps): Oidc {
  const maintain = (): Promise<void> => maintainKeys(database, clock, masterKey, keyPolicyOf(config));
  const keys = createKeyRing(database, masterKey, maintain, onError);
  const sign = createSignToken(keys, clock, config.BASE_URL);
  return {
    authenticator: createAuthenticator({ keys, state: tokenState, clock, baseUrl: config.BASE_URL }),
    issuer: createTokenIssuer(sign),
    sign,
    keys,
    jobs: [
      { name: 'maintain-keys', every_ms: MAINTAIN_EVERY_MS, isExclusive: false, run: maintain },
      {
        name: 'delete-old-token-changes',
        every_ms: MAINTAIN_EVERY_MS,
        run: () => transaction(database, (tx) => deleteOldTokenChanges(tx, clock)),
      },
    ],
    register: (app) => registerKeyRoutes(app, keys),
    start: () => keys.start(),
    stop: () => keys.stop(),
  };
}
