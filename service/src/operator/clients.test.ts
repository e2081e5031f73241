import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { testConfig } from '../../test/support/test-config.ts';
import { asOperator, asPerson, createTestServer } from '../../test/support/test-server.ts';
import type { Database } from '../db/index.ts';
import { createOutgoing, type HttpServer } from '../http/index.ts';
import { systemClock } from '../lib/clock.ts';
import { createConsoleClient, createDeviceClients } from '../oidc/index.ts';
import { registerOperatorClients } from './clients.ts';

describe.each(RUN_ENGINES)('/operator/clients on %s', (engine) => {
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
  const headers = asOperator('operator:clients');
  const send = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    as = headers,
  ) => {
    const response = await app.inject({ method, url, headers: as, ...(payload && { payload }) });
    return {
      status: response.statusCode,
      body: response.body === '' ? {} : response.json<Record<string, unknown>>(),
    };
  };

  test('the life of a client: registered, read, changed, given a new secret, removed', async () => {
    const made = await send('POST', '/operator/clients', {
      client_name: 'Shop',
      type: 'confidential',
      redirect_uris: ['https://shop.test/cb'],
      scopes: ['openid', 'offline_access'],
    });
    expect(made).toMatchObject({
      status: 200,
      body: {
        client_name: 'Shop',
        type: 'confidential',
        first_party: false,
        enabled: true,
        grant_types: ['authorization_code', 'refresh_token'],
      },
    });
    const { client_id: id, client_secret: secret } = made.body as {
      client_id: string;
      client_secret: string;
    };
    expect(secret).toMatch(/^[\w-]{43}$/);
    const { rows } = await database.query<{ text: string }>(
      'select oauth_client::text as text from oauth_client',
    );
    expect(rows.map(({ text }) => text).join()).not.toContain(secret);
    const read = await send('GET', `/operator/clients/${id}`);
    expect(read.body).not.toHaveProperty('client_secret');
    expect(
      await send('PATCH', `/operator/clients/${id}`, {
        scopes: ['openid'],
        grant_types: ['authorization_code'],
        enabled: false,
      }),
    ).toMatchObject({
      status: 200,
      body: { scopes: ['openid'], enabled: false },
    });
    const revoked = await database.query(
      `select 1 from token_revocation where kind = 'client' and value = $1
        and reason = 'client_changed'`,
      [id],
    );
    expect(revoked.rowCount).toBeGreaterThan(0);
    expect((await send('POST', `/operator/clients/${id}/secret`)).body.client_secret).not.toBe(
      secret,
    );
    expect(await send('GET', '/operator/clients?current=1&size=20')).toMatchObject({
      body: { total: 1, records: [{ client_id: id }] },
    });
    expect((await send('DELETE', `/operator/clients/${id}`)).status).toBe(204);
    expect((await send('DELETE', `/operator/clients/${id}`)).status).toBe(404);
    expect((await send('GET', `/operator/clients/${id}`)).status).toBe(404);
  });

  test('what is wrong is named', async () => {
    const good = {
      client_name: 'X',
      type: 'public',
      redirect_uris: ['https://x.test/cb'],
      scopes: ['openid'],
    };
    for (const [change, field] of [
      [{ redirect_uris: ['http://x.test/cb'] }, 'redirect_uris'],
      [{ scopes: ['everything'] }, 'scopes'],
      [{ scopes: ['identity:manage'] }, 'scopes'],
      [{ grant_types: ['client_credentials'], redirect_uris: [] }, 'grant_types'],
      [{ grant_types: ['implicit'] }, 'grant_types.0'],
      [{ client_name: '\u202eknaB' }, 'client_name'],
      [{ client_name: `B${'\u0300'.repeat(50)}ank` }, 'client_name'],
      [{ more: 1 }, 'more'],
    ] as [object, string][]) {
      const { status, body } = await send('POST', '/operator/clients', { ...good, ...change });
      expect({ change, status, field: (body.errors as { field: string }[])[0]?.field }).toEqual({
        change,
        status: 400,
        field,
      });
    }
    expect((await send('POST', '/operator/clients', { ...good, client_id: 'twice' })).status).toBe(
      200,
    );
    expect(await send('POST', '/operator/clients', { ...good, client_id: 'twice' })).toMatchObject({
      status: 409,
      body: { code: 'client_exists' },
    });
    expect(await send('POST', '/operator/clients/twice/secret')).toMatchObject({
      status: 409,
      body: { code: 'public_client' },
    });
  });

  test('attack: redirect URIs that could lead elsewhere are not registered', async () => {
    const good = { client_name: 'X', type: 'public', scopes: ['openid'] };
    const bad = [
      'http://x.test/cb',
      'https://*.x.test/cb',
      'https://x.test/cb#f',
      'https://u:p@x.test/cb',
      'https://x.test\\@evil.test/',
      'https://x.test/a/../b',
      'https://x.test/%2e%2E/b',
      'https://x.test/a b',
      'https:x.test/cb',
      'https:///x.test/cb',
      'https://x.test/\u202e/cb',
      'https://x.test/\u00e9',
      'javascript:alert(1)',
      'data:text/html,x',
      'myapp:/cb',
      '/cb',
      '',
    ];
    for (const uri of bad) {
      const { status, body } = await send('POST', '/operator/clients', {
        ...good,
        redirect_uris: [uri],
      });
      expect({ uri, status, field: (body.errors as { field: string }[])[0]?.field }).toEqual({
        uri,
        status: 400,
        field: 'redirect_uris',
      });
    }
    for (const uri of [
      'https://x.test/cb',
      'http://127.0.0.1/cb',
      'http://[::1]:8080/cb',
      'test.x.app:/cb',
    ])
      expect(
        (await send('POST', '/operator/clients', { ...good, redirect_uris: [uri] })).status,
      ).toBe(200);
  });

  test('attack: clients with more rights than their registrant', async () => {
    const more = { client_name: 'X', type: 'confidential', scopes: ['operator:transfers'] };
    expect(await send('POST', '/operator/clients', more)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    const both = asOperator('operator:clients', 'operator:transfers');
    const { body } = await send('POST', '/operator/clients', more, both);
    const url = `/operator/clients/${body.client_id}`;
    expect((await send('POST', `${url}/secret`)).status).toBe(403);
    expect((await send('PATCH', url, { client_name: 'Y' })).status).toBe(403);
    expect((await send('POST', `${url}/secret`, undefined, both)).status).toBe(200);
    const { body: less } = await send('POST', '/operator/clients', {
      ...more,
      scopes: ['operator:clients'],
    });
    expect(
      (
        await send('PATCH', `/operator/clients/${less.client_id}`, {
          scopes: ['operator:transfers'],
        })
      ).status,
    ).toBe(403);
  });

  test('attack: changing the clients of the service itself', async () => {
    await createConsoleClient(database, systemClock, testConfig());
    await createDeviceClients(database, systemClock);
    for (const id of ['edge-console', 'edge-terminal', 'edge-extension'])
      expect(await send('DELETE', `/operator/clients/${id}`)).toMatchObject({
        status: 409,
        body: { code: 'own_client' },
      });
    for (const change of [
      { enabled: false },
      { redirect_uris: ['https://evil.test/cb'] },
      { scopes: ['openid'] },
    ])
      expect(await send('PATCH', '/operator/clients/edge-console', change)).toMatchObject({
        status: 409,
        body: { code: 'own_client' },
      });
    expect(
      (await send('PATCH', '/operator/clients/edge-extension', { enabled: false })).body,
    ).toMatchObject({ enabled: false });
  });

  test('is for operators only', async () => {
    expect(
      (
        await send(
          'GET',
          '/operator/clients?current=1&size=20',
          undefined,
          asPerson(1, 'account:read'),
        )
      ).status,
    ).toBe(403);
    expect(
      (
        await send(
          'GET',
          '/operator/clients?current=1&size=20',
          undefined,
          asOperator('operator:ledger'),
        )
      ).status,
    ).toBe(403);
  });
});
