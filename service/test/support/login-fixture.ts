/**
 * A sign-in to attack: cheap password hashes that count their calls, and clients at any address.
 */
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, vi } from 'vitest';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/db/index.ts';
import { createPasswords, type Passwords, readHashCost } from '../../src/identity/passwords.ts';
import { type Engine, openTestDatabase } from './databases.ts';
import { createIdentityServer, type IdentityServer, md5, type Person } from './identity-server.ts';
import { testConfig, testMasterKey } from './test-config.ts';

/** A password of no user. */
export const WRONG = md5('a wrong password');

export interface LoginLab {
  readonly database: Database;
  readonly server: IdentityServer;
  /** Without challenges, which come before the limits. */
  readonly config: Config;
  /** Replaces argon2. */
  readonly argon2: {
    readonly hash: ReturnType<typeof vi.fn>;
    readonly verify: ReturnType<typeof vi.fn>;
  };
  readonly passwords: Passwords;
  /** POST from an address. */
  from(
    remoteAddress: string,
    url: string,
    payload: Record<string, unknown>,
  ): Promise<LightMyRequestResponse>;
  login(email: string, loginPassword: string, ip?: string): Promise<LightMyRequestResponse>;
  /** The second step with EMAIL. */
  finish(
    person: Person,
    ticket: string,
    code: string,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
}

/** Opens a lab before the tests of this `describe` and closes it after them. */
export function useLoginLab(engine: Engine): LoginLab {
  const argon2 = {
    hash: vi.fn(async (text: string) => `hash of ${text}`),
    verify: vi.fn(async (stored: string, text: string) => stored === `hash of ${text}`),
    verifyImported: vi.fn(async () => false),
  };
  const config = testConfig({ CHALLENGE: 'off' });
  const passwords = {
    ...createPasswords(testMasterKey, readHashCost(config), argon2),
    isOutdated: () => false,
  };
  const opened = {} as { database: Database; server: IdentityServer };
  const lab: LoginLab = Object.assign(opened, {
    argon2,
    config,
    passwords,
    from: (remoteAddress: string, url: string, payload: Record<string, unknown>) =>
      opened.server.http.inject({ method: 'POST', url, payload, remoteAddress }),
    login: (email: string, login_password: string, ip = '192.0.2.1') =>
      lab.from(ip, '/user/login-with-password', { email, login_password }),
    finish: ({ email }: Person, login_ticket: string, validate_code: string, headers = {}) =>
      opened.server.post(
        '/user/login/2fa',
        { email, login_ticket, method: 'EMAIL', validate_code },
        headers,
      ),
  });
  beforeAll(async () => {
    opened.database = await openTestDatabase(engine);
    opened.server = createIdentityServer(opened.database, { config, passwords });
  });
  afterAll(async () => {
    await opened.server.close();
    await opened.database.close();
  });
  return lab;
}
