/** Which answers pages of registered applications can read. */
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type OidcKit, openOidcKit, REDIRECT } from '../../test/support/oidc-fixture.ts';
import { installCors } from './cors.ts';

const origin = new URL(REDIRECT).origin;
const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(RUN_ENGINES)('CORS on %s', (engine) => {
  let kit: OidcKit;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
  });
  afterAll(() => kit.stop());

  async function ask(path: string, from: string, init: RequestInit = {}) {
    const { status, headers } = await fetch(`${kit.baseUrl}${path}`, {
      ...init,
      headers: { ...init.headers, origin: from },
    });
    return {
      status,
      allowed: headers.get('access-control-allow-origin'),
      exposed: headers.get('access-control-expose-headers') ?? '',
      vary: headers.get('vary'),
    };
  }

  test('every answer to a registered origin can be read, errors included', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const narrow = await kit.tokens.person(kit.userId, { scopes: ['openid'] });
    const operator = await kit.tokens.operator('operator:ledger');
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const form = (body: string) => ({ method: 'POST', body: new URLSearchParams(body) });
    const cases: readonly (readonly [number, string, RequestInit])[] = [
      [200, '/account/info', bearer(accessToken)],
      [401, '/account/info', {}],
      [401, '/account/info', bearer('wrong')],
      [403, '/account/info', bearer(narrow)],
      [403, '/account/info', bearer(operator)],
      [404, '/nowhere', {}],
      [400, '/bonus-account/bills?current=x&size=1', bearer(accessToken)],
      [400, '/oauth2/token', form('grant_type=authorization_code&client_id=app')],
      [401, '/oauth2/token', form('grant_type=client_credentials&client_id=server')],
      [401, '/oauth2/userinfo', {}],
      [413, '/oauth2/token', { method: 'POST', headers: JSON_TYPE, body: 'x'.repeat(2_000_000) }],
    ];
    for (const [status, path, init] of cases) {
      const answer = await ask(path, origin, init);
      expect({ path, ...answer }).toMatchObject({
        path,
        status,
        allowed: origin,
        exposed: expect.stringContaining('www-authenticate'),
        vary: expect.stringMatching(/origin/i),
      });
    }
  });

  test('an origin that is not registered can read neither answers nor errors', async () => {
    for (const path of ['/account/info', '/oauth2/userinfo', '/nowhere'])
      expect(await ask(path, 'https://stranger.test')).toMatchObject({ allowed: null });
  });
});

test('own pages and their files are answered while clients cannot be read', async () => {
  const own = 'https://account.test';
  const app = fastify();
  installCors(app, {
    pageOrigin: own,
    ownOrigin: own,
    isClientOrigin: () => Promise.reject(new Error('the database is away')),
  });
  app.get('/assets/font.woff2', async () => 'font');
  app.get('/account/info', async () => 'info');
  const statusOf = async (url: string, from: string): Promise<number> =>
    (await app.inject({ url, headers: { origin: from } })).statusCode;
  expect(await statusOf('/assets/font.woff2', own)).toBe(200);
  // Reached by another name than BASE_URL, such as an address.
  expect(await statusOf('/assets/font.woff2', 'https://192.0.2.1')).toBe(200);
  expect(await statusOf('/account/info', own)).toBe(200);
  expect(await statusOf('/account/info', 'https://app.test')).toBe(500);
  await app.close();
});

test('an application sends If-Match, and reads the ETag that it is about', async () => {
  const origin = 'https://app.test';
  const app = fastify();
  installCors(app, {
    ...{ pageOrigin: 'https://account.test', ownOrigin: 'https://account.test' },
    isClientOrigin: (from) => from === origin,
  });
  const { headers } = await app.inject({
    method: 'OPTIONS',
    url: '/operator/brand',
    headers: { origin, 'access-control-request-method': 'PUT' },
  });
  const listOf = (name: string) => String(headers[name]).split(', ');
  expect(listOf('access-control-allow-headers')).toContain('if-match');
  expect(listOf('access-control-expose-headers')).toContain('etag');
  await app.close();
});

test('a sign-in page of another origin reads the brand, and nothing of accounts', async () => {
  const page = 'https://sign-in.test';
  const app = fastify();
  installCors(app, {
    ...{ pageOrigin: page, ownOrigin: 'https://account.test' },
    isClientOrigin: () => false,
  });
  for (const path of ['/brand', '/account/info', '/operator/brand'])
    app.get(path, async () => 'answer');
  const readableBy = async (url: string, origin: string) =>
    (await app.inject({ url, headers: { origin } })).headers['access-control-allow-origin'];
  expect(await readableBy('/brand?x', page)).toBe(page);
  expect(await readableBy('/brand', 'https://stranger.test')).toBeUndefined();
  expect(await readableBy('/account/info', page)).toBeUndefined();
  expect(await readableBy('/operator/brand', page)).toBeUndefined();
  await app.close();
});
