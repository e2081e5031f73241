import { createServer } from 'node:http';
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import { testConfig, testMasterKey } from '../../test/support/test-config.ts';
import { asOperator, createTestServer } from '../../test/support/test-server.ts';
import { startUpstreamOp, type UpstreamOp } from '../../test/support/upstream-op.ts';
import type { Database } from '../db/index.ts';
import { createOutgoing, type HttpServer } from '../http/index.ts';
import { listProviders, signAppleSecret } from '../identity/index.ts';
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
    op = await startUpstreamOp('https://account.test/sign-in/upstream/other');
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
        ...{ response_mode: 'query', sends_nonce: true },
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

  test('Apple: its key signs the client secret, and is checked when it is stored', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const apple_key = {
      ...{ team_id: 'TEAM', key_id: 'KEY' },
      private_key: await exportPKCS8(privateKey),
    };
    const settings = { preset: 'apple', issuer: op.issuer, client_id: 'com.example', apple_key };
    expect((await put('apple', settings)).json()[0]).toMatchObject({
      ...{ label: 'Apple', scopes: ['openid', 'name', 'email'], response_mode: 'form_post' },
      has_secret: true,
    });
    const client = { issuer: op.issuer, clientId: 'com.example' };
    const secret = await signAppleSecret(systemClock, client, apple_key);
    const { payload, protectedHeader } = await jwtVerify(secret, publicKey, {
      ...{ issuer: 'TEAM', audience: op.issuer, subject: 'com.example' },
    });
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY' });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(7200);
    const refused = async (changes: object) =>
      (await put('apple', { ...settings, ...changes })).json().errors[0];
    const wrong = { ...apple_key, private_key: 'no key' };
    expect(await refused({ apple_key: wrong })).toMatchObject({ code: 'no_key' });
    expect(await refused({ client_secret: 'both' })).toMatchObject({ code: 'repeated' });
    await app.inject({ method: 'DELETE', url: '/operator/upstream-providers/apple', headers });
  });

  test('Telegram: the preset asks for no address, and no nonce', async () => {
    const settings = { preset: 'telegram', issuer: op.issuer, client_id: '42' };
    const made = await put('telegram', { ...settings, client_secret: 'secret of the bot' });
    expect(made.json()[0]).toMatchObject({
      ...{ label: 'Telegram', scopes: ['openid'], response_mode: 'query', sends_nonce: false },
      has_secret: true,
    });
    expect(made.body).not.toContain('secret of the bot');
    await app.inject({ method: 'DELETE', url: '/operator/upstream-providers/telegram', headers });
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
