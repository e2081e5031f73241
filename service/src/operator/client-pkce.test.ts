import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { asOperator, createTestServer } from '../../test/support/test-server.ts';
import type { Database } from '../db/index.ts';
import { createOutgoing, type HttpServer } from '../http/index.ts';
import { systemClock } from '../lib/clock.ts';
import { registerOperatorClients } from './clients.ts';

describe.each(RUN_ENGINES)('require_pkce of /operator/clients on %s', (engine) => {
  let database: Database;
  let app: HttpServer;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    app = createTestServer();
    registerOperatorClients(app, {
      db: database,
      clock: systemClock,
      outgoing: createOutgoing({ allowsLoopback: false }),
    });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });
  const client = { client_name: 'Old', redirect_uris: ['https://old.test/cb'], scopes: ['openid'] };
  const send = (method: 'POST' | 'PATCH', url: string, payload: object) =>
    app.inject({ method, url, headers: asOperator('operator:clients'), payload });

  test('is true by default, and other changes keep what is set', async () => {
    const made = await send('POST', '/operator/clients', { ...client, type: 'confidential' });
    const { client_id, require_pkce } = made.json<{ client_id: string; require_pkce: boolean }>();
    expect(require_pkce).toBe(true);
    const url = `/operator/clients/${client_id}`;
    expect((await send('PATCH', url, { require_pkce: false })).statusCode).toBe(200);
    const renamed = await send('PATCH', url, { client_name: 'Older' });
    expect(renamed.json()).toMatchObject({ client_name: 'Older', require_pkce: false });
  });

  test('cannot be false for a public client', async () => {
    const body = { ...client, type: 'public', require_pkce: false };
    const refused = await send('POST', '/operator/clients', body);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({ errors: [{ field: 'require_pkce' }] });
  });
});
