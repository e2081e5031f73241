/**
 * Real tokens for tests: signed with the keys of the database under test, accepted by the guard.
 */
import type { Config } from '../../src/config.ts';
import { type Database, transaction } from '../../src/db/index.ts';
import { createSession, installPersonKeys } from '../../src/identity/index.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import {
  BUSINESS_SCOPES,
  createSignToken,
  createTokenIssuer,
  DEVICE_SCOPES,
  KeyRing,
  keyPolicyOf,
  maintainKeys,
} from '../../src/oidc/index.ts';
import { testConfig, testMasterKey } from './test-config.ts';

export interface TestTokens {
  /** Signs a user in: a session and the two tokens of the login. */
  login(
    userId: number,
    options?: { amr?: string[]; email?: string; lifetime_s?: number },
  ): Promise<{ sid: string; accessToken: string; deviceToken: string }>;
  /** A token of a user without a session. */
  person(
    userId: number,
    options?: {
      tokenUse?: 'business' | 'device';
      scopes?: readonly string[];
      grantId?: string;
      nodeId?: string;
      /** Operator scopes need a sign-in of the last minutes. */
      authTime?: Date;
    },
  ): Promise<string>;
  /** A token of an operator's client. */
  operator(...scopes: string[]): Promise<string>;
}

const LIFETIME_S = 3600;

/**
 * Signs with the keys of `database`; needs the `config` and `masterKey` of the app under test.
 */
export function createTestTokens(
  database: Database,
  {
    config = testConfig(),
    clock = systemClock,
    masterKey = testMasterKey,
  }: { config?: Config; clock?: Clock; masterKey?: typeof testMasterKey } = {},
): TestTokens {
  // The service under test may be another process.
  installPersonKeys(database, masterKey);
  const keys = new KeyRing(
    database,
    masterKey,
    () => maintainKeys(database, clock, masterKey, keyPolicyOf(config)),
    (error) => {
      throw error;
    },
  );
  const sign = createSignToken(keys, clock, config.BASE_URL);
  const issuer = createTokenIssuer(sign);
  const exp = () => Math.floor(clock.now().getTime() / 1000) + LIFETIME_S;
  return {
    async login(
      userId,
      { amr = ['pwd', 'otp', 'mfa'], email = 'someone@example.test', lifetime_s = LIFETIME_S } = {},
    ) {
      const authTime = clock.now();
      const expiresAt = new Date(authTime.getTime() + lifetime_s * 1000);
      const sid = newId();
      const login = { userId, sid, amr, authTime, expiresAt };
      await transaction(database, (tx) =>
        createSession(tx, { ...login, ip: '127.0.0.1', userAgent: 'test' }),
      );
      const { accessToken, deviceToken } = await issuer.issueLoginTokens({ ...login, email });
      return { sid, accessToken, deviceToken };
    },
    async person(
      userId,
      {
        tokenUse = 'business',
        scopes = tokenUse === 'business' ? BUSINESS_SCOPES : DEVICE_SCOPES,
        grantId,
        nodeId,
        authTime,
      } = {},
    ) {
      const bound = { grant_id: grantId, node_id: nodeId };
      return (
        await sign({
          token_use: tokenUse,
          sub: String(userId),
          client_id: 'test',
          scope: scopes.join(' '),
          exp: exp(),
          ...(authTime && { auth_time: Math.floor(authTime.getTime() / 1000) }),
          ...bound,
        })
      ).token;
    },
    async operator(...scopes) {
      return (
        await sign({
          token_use: 'operator',
          sub: 'test-operator',
          client_id: 'test-operator',
          scope: scopes.join(' '),
          exp: exp(),
        })
      ).token;
    },
  };
}
