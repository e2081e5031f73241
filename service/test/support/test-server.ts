/**
 * A server for testing one domain's routes by `inject`, with an authenticator that accepts any
 * claims. The real authenticator has its own tests, and the end-to-end tests use only that.
 */
import type { Config } from '../../src/config.ts';
import {
  createServer,
  type HttpServer,
  installGuard,
  type Principal,
} from '../../src/http/index.ts';
import { failure } from '../../src/lib/failures.ts';
import { testConfig } from './test-config.ts';

export type Claims = Partial<Omit<Principal, 'scopes'>> & { scopes: string[] };

/** The Authorization header of a caller with these claims. */
export function bearer(claims: Claims): { authorization: string } {
  return { authorization: `Bearer ${Buffer.from(JSON.stringify(claims)).toString('base64url')}` };
}

/** Headers of a signed-in user. */
export function asPerson(userId: number, ...scopes: string[]): { authorization: string } {
  return bearer({ userId, tokenUse: 'business', scopes });
}

/** Headers of an operator's client. */
export function asOperator(...scopes: string[]): { authorization: string } {
  return bearer({ clientId: 'test-operator', tokenUse: 'operator', scopes });
}

function readClaims(token: string): Principal {
  try {
    const claims = JSON.parse(Buffer.from(token, 'base64url').toString()) as Claims;
    return {
      tokenUse: 'business',
      clientId: 'test',
      jti: 'test-jti',
      sid: 'test-sid',
      amr: ['pwd', 'otp'],
      issuedAt: new Date(),
      expiresAt: new Date(Date.now() + 3_600_000),
      ...claims,
      // JSON converted the time to a string.
      ...(claims.authTime && { authTime: new Date(claims.authTime) }),
      ...(claims.expiresAt && { expiresAt: new Date(claims.expiresAt) }),
      scopes: new Set(claims.scopes),
    };
  } catch {
    throw failure('invalid_token');
  }
}

/** Makes a server with the guard; register the domain's routes on it, then `inject`. */
export function createTestServer(config: Config = testConfig()): HttpServer {
  const app = createServer(config);
  installGuard(app, {
    authenticate: ({ token }) => readClaims(token),
  });
  return app;
}
