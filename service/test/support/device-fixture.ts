/** Devices and their owners without the rest of the service, with a fixed clock. */
import type { Config } from '../../src/config.ts';
import { transaction } from '../../src/db/index.ts';
import { registerDevices } from '../../src/devices/index.ts';
import { createSession } from '../../src/identity/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Engine, openTestDatabase } from './databases.ts';
import { testConfig } from './test-config.ts';
import { deviceDeps } from './test-devices.ts';
import { bearer, createTestServer } from './test-server.ts';

export const START = '2026-11-20T05:00:00.000Z';
/** The description that a device sends. */
export const FORM = {
  device_type: 'TERMINAL',
  browser: 'edge-terminal',
  extension_version: '1.2.0',
  os: 'Linux',
  timezone: 'Europe/Berlin',
  capabilities: ['relay', 'cache'],
  requested_categories: ['web', 'video'],
};

export type DeviceLab = Awaited<ReturnType<typeof openDeviceLab>>;

type Headers = Record<string, string>;

export async function openDeviceLab(engine: Engine, overrides: Record<string, string> = {}) {
  const database = await openTestDatabase(engine);
  const clock = createManualClock(START);

  function startServer(config: Config) {
    const app = createTestServer(config);
    registerDevices(app, { config, database, clock, ...deviceDeps(database, clock) });
    return app;
  }
  const app = startServer(testConfig(overrides));
  let tokens = 0;
  const person = (userId: number) =>
    bearer({ userId, tokenUse: 'business', scopes: ['devices:read', 'devices:write'] });

  return {
    database,
    app,
    clock,
    person,
    /** A device token of a new sign-in. */
    async deviceToken(userId: number, claims: Record<string, unknown> = {}) {
      const authTime = clock.now();
      const sid = newId();
      await transaction(database, (tx) =>
        createSession(tx, {
          sid,
          userId,
          amr: ['pwd', 'otp'],
          authTime,
          expiresAt: new Date(authTime.getTime() + 43_200_000),
          ip: '127.0.0.1',
          userAgent: 'test',
        }),
      );
      return bearer({
        userId,
        tokenUse: 'device',
        scopes: ['device:connect', 'devices:read'],
        jti: `${engine}-${++tokens}`,
        sid,
        ...claims,
      });
    },
    put: (nodeId: string, headers: Headers, payload: object = FORM) =>
      app.inject({ method: 'PUT', url: `/me/devices/${nodeId}`, headers, payload }),
    post: (path: string, headers: Headers) =>
      app.inject({ method: 'POST', url: `/me/devices/${path}`, headers }),
    list: async (userId: number, query = '') =>
      (
        await app.inject({ method: 'GET', url: `/me/devices${query}`, headers: person(userId) })
      ).json().devices as Record<string, unknown>[],
    /** Another server on the same database, with its own limits. */
    startSmallServer(limits: Record<string, string>) {
      const small = startServer(testConfig(limits));
      return {
        app: small,
        /** The response to a registration from an address. */
        async register(nodeId: string, headers: Headers, remoteAddress: string): Promise<string> {
          const answer = await small.inject({
            method: 'PUT',
            url: `/me/devices/${nodeId}`,
            headers,
            payload: FORM,
            remoteAddress,
          });
          return (answer.json() as { code?: string }).code ?? 'registered';
        },
        close: () => small.close(),
      };
    },
    async close() {
      await app.close();
      await database.close();
    },
  };
}
