/** An instance serves its roles only; two instances with different roles form one service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../src/db/index.ts';
import { openTestDatabase } from './support/databases.ts';
import { type RunningService, startService } from './support/running-service.ts';
import { runCommand } from './support/service-process.ts';
import { insertUser } from './support/test-users.ts';

// The embedded database has one process, which has all roles.
describe('roles on server', () => {
  let database: Database;
  let pages: RunningService;
  beforeAll(async () => {
    database = await openTestDatabase('server');
    pages = await startService(database, { env: { ROLES: 'http' } });
  });
  afterAll(async () => {
    await pages.stop();
    await database.close();
  });

  async function withProcess(
    roles: string,
    work: (service: RunningService) => Promise<void>,
  ): Promise<void> {
    const service = await startService(database, { env: { ROLES: roles } });
    try {
      await work(service);
    } finally {
      await service.stop();
    }
  }

  const statusOf = async (service: RunningService, path: string): Promise<number> =>
    (await fetch(service.baseUrl + path)).status;

  test('a route of another role is 421 with the own roles, and health is served', async () => {
    await withProcess('gateway,jobs', async (gateway) => {
      expect(await statusOf(gateway, '/readyz')).toBe(200);
      expect(await statusOf(gateway, '/metrics')).toBe(401);
      const refused = await fetch(`${gateway.baseUrl}/account/info`);
      expect(refused.status).toBe(421);
      expect(await refused.json()).toMatchObject({
        code: 'misdirected_request',
        detail: expect.stringContaining('gateway, jobs'),
      });
      for (const path of [
        '/',
        '/oauth2/authorize',
        '/.well-known/openid-configuration',
        '/nowhere',
      ])
        expect(await statusOf(gateway, path), path).toBe(421);
      // Not an upgrade: the route itself refuses it, so the route is served here.
      expect(await statusOf(gateway, '/me/devices/connect')).toBe(426);
      expect(await statusOf(pages, '/me/devices/connect')).toBe(421);
      expect(await statusOf(pages, '/account/info')).toBe(401);
      for (const service of [pages, gateway])
        expect(
          (await fetch(`${service.baseUrl}/me/devices/n/heartbeat`, { method: 'POST' })).status,
          'either instance accepts a heartbeat',
        ).toBe(401);
    });
  });

  test('background work waits for an instance with its role', async () => {
    const waiting = async (): Promise<number> =>
      (await database.query('select from event where position is null')).rowCount ?? 0;
    const userId = await insertUser(database);
    await database.query(
      `insert into event (user_id, type, data, created_at)
       values ($1, 'test.waiting', '{}', now())`,
      [userId],
    );
    await withProcess('chains', async () => {
      expect(await waiting()).toBeGreaterThan(0);
    });
    expect(await waiting()).toBeGreaterThan(0);
    await withProcess('jobs', async () => {
      await expect.poll(waiting).toBe(0);
    });
  });

  test('the command line accepts roles, and reports an unknown one', async () => {
    const result = await runCommand(['serve', '--roles', 'http,cook'], {});
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('ROLES must name some of http, gateway, jobs, chains');
  });
});
