import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import { testConfig, testMasterKey } from '../../test/support/test-config.ts';
import { asOperator, createTestServer } from '../../test/support/test-server.ts';
import { startUpstreamOp, type UpstreamOp } from '../../test/support/upstream-op.ts';
import type { Database } from '../db/index.ts';
import { createOutgoing, type HttpServer } from '../http/index.ts';
import { listProviders } from '../identity/index.ts';
import { systemClock } from '../lib/clock.ts';
import { registerUpstreamProviders } from './upstream-providers.ts';

describe('/operator/upstream-providers', () => {
  let database: Database;
  let app: HttpServer;
  let op: UpstreamOp;
  const headers = asOperator('operator:clients');
  const put = (id: string, payload: object, as = headers, server = app) =>
    server.inject({
      method: 'PUT',
      url: `/operator/upstream-providers/${id}`,
      headers: as,
      payload,
    });
  const open = (allowsLoopback: boolean): HttpServer => {
    const server = createTestServer();
    registerUpstreamProviders(server, {
      database,
      clock: systemClock,
      masterKey: testMasterKey,
      config: testConfig(),
      outgoing: createOutgoing({ allowsLoopback }),
    });
    return server;
  };

  beforeAll(async () => {
    database = await openTestDatabase('server');
    op = await startUpstreamOp('https://account.test/sign-in/upstream');
    app = open(true);
  });
  afterAll(async () => {
    await app.close();
    await op.close();
    await database.close();
  });

  test('is stored with an encrypted secret, changed, listed and removed', async () => {
    const settings = { label: 'Other', issuer: op.issuer, client_id: 'edge' };
    const made = await put('other', { ...settings, client_secret: 'hush hush' });
    expect(made.json()).toEqual([
      {
        ...{ id: 'other', label: 'Other', issuer: op.issuer, client_id: 'edge' },
        ...{ has_secret: true, scopes: ['openid', 'email', 'profile'], second_factor_amr: [] },
        ...{ enabled: true, updated_at: expect.any(String) },
      },
    ]);
    const [stored] = await listProviders(database);
    expect(stored?.secretSealed?.toString('latin1')).not.toContain('hush');
    // The issuer is stored as its ID tokens spell it.
    const slash = { ...settings, issuer: `${op.issuer}/` };
    expect((await put('other', slash)).json()[0].issuer).toBe(op.issuer);
    await put('other', { ...settings, client_secret: 'hush hush' });
    // A change keeps the secret, unless the issuer or the client is another one.
    const changed = { ...settings, label: 'Another', second_factor_amr: ['mfa'], enabled: false };
    expect((await put('other', changed)).json()[0]).toMatchObject({
      ...{ label: 'Another', has_secret: true, second_factor_amr: ['mfa'], enabled: false },
    });
    expect((await put('other', { ...settings, client_id: 'edge-2' })).json()[0].has_secret).toBe(
      false,
    );
    await put('other', { ...settings, client_secret: 'hush' });
    expect((await put('other', { ...settings, client_secret: null })).json()[0].has_secret).toBe(
      false,
    );
    const url = '/operator/upstream-providers';
    expect((await app.inject({ url, headers })).json()).toHaveLength(1);
    const remove = () => app.inject({ method: 'DELETE', url: `${url}/other`, headers });
    expect((await remove()).json()).toEqual([]);
    expect((await remove()).json()).toMatchObject({ code: 'not_found' });
  });

  test('what cannot be a provider is refused, and says why', async () => {
    const settings = { label: 'Other', issuer: op.issuer, client_id: 'edge' };
    const empty = createServer((_request, response) => response.end('{}'));
    await new Promise<void>((done) => empty.listen(0, '127.0.0.1', done));
    const address = empty.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const cases: [object, string][] = [
      [{ issuer: undefined }, 'issuer required'],
      [{ label: undefined }, 'label required'],
      [{ scopes: ['email'] }, 'scopes required'],
      [{ issuer: 'no url' }, 'issuer malformed_url'],
      [{ issuer: 'http://example.test' }, 'issuer not_https'],
      [{ issuer: `http://127.0.0.1:${port}` }, 'issuer no_metadata'],
      // The metadata must be those of the issuer.
      [{ issuer: `${op.issuer}/tenant` }, 'issuer no_metadata'],
    ];
    for (const [changes, expected] of cases) {
      const [error] = (await put('other', { ...settings, ...changes })).json().errors;
      expect(`${error.field} ${error.code}`).toBe(expected);
    }
    await new Promise((done) => empty.close(done));
    expect(
      (await put('other', { ...settings, issuer: 'http://127.0.0.1:1' })).json(),
    ).toMatchObject({
      status: 503,
      code: 'upstream_unreachable',
    });
    expect((await put('UPPER', settings)).json()).toMatchObject({ code: 'not_found' });
    expect((await put('other', settings, asOperator('operator:chains'))).statusCode).toBe(403);
    const guarded = open(false);
    const [error] = (await put('other', settings, headers, guarded)).json().errors;
    expect(`${error.field} ${error.code}`).toBe('issuer not_https');
    await guarded.close();
    expect(await listProviders(database)).toEqual([]);
  });
});
