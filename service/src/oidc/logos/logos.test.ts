/** Logos: fetched once, looked at, and served from here. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBrowser } from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { pngOf } from '../../../test/support/images.ts';
import { interactionOf, type OidcKit, openOidcKit } from '../../../test/support/oidc-fixture.ts';
import { systemClock } from '../../lib/clock.ts';

const REDIRECT = 'https://weather.test/cb';
const PNG = pngOf(64, 64);
const JPEG = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffc0000b080010001001011100ffd9',
  'hex',
);
const WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');

describe.each(RUN_ENGINES)('logos of applications on %s', (engine) => {
  let kit: OidcKit;
  let operator: Record<string, string>;
  let images: Server;
  let origin: string;
  let answer: { status?: number; type?: string; body: Buffer; location?: string };
  let asked: string[];
  beforeAll(async () => {
    kit = await openOidcKit(engine, { OUTGOING_LOOPBACK: 'allow' });
    operator = {
      authorization: `Bearer ${await kit.tokens.operator('operator:clients')}`,
      'content-type': 'application/json',
    };
    images = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response
        .writeHead(answer.status ?? 200, {
          'content-type': answer.type ?? 'image/png',
          ...(answer.location && { location: answer.location }),
        })
        .end(answer.body);
    });
    await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(images.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked = [];
    answer = { body: PNG };
  });
  afterAll(async () => {
    images.close();
    await kit.stop();
  });

  const call = async (method: string, path: string, body: unknown, headers = operator) => {
    const response = await fetch(`${kit.baseUrl}${path}`, {
      ...{ method, headers, body: JSON.stringify(body) },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const register = (fields: object) =>
    call('POST', '/operator/clients', {
      ...{ client_name: 'Weather', type: 'public', redirect_uris: [REDIRECT] },
      ...{ scopes: ['openid'], ...fields },
    });
  const readConsent = async (clientId: string) => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const started = await kit.authorize({
      ...{ client_id: clientId, redirect_uri: REDIRECT, scope: 'openid' },
    });
    const id = interactionOf(started.location);
    const url = `${kit.baseUrl}/oauth2/authorize/consent?interaction_id=${id}`;
    const shown = await createBrowser(kit.baseUrl).get(url, {
      authorization: `Bearer ${accessToken}`,
    });
    return JSON.parse(shown.text) as { logo?: string };
  };
  const countLogos = async () => (await kit.database.query('select 1 from client_logo')).rowCount;

  test('is fetched at registration, shown with the request, and served from here', async () => {
    const logo_uri = `${origin}/logo.png?size=64`;
    const created = await register({ client_id: 'weather', logo_uri });
    expect(created).toMatchObject({ status: 200, body: { logo_uri } });
    expect(asked).toEqual(['GET /logo.png?size=64']);
    const { logo = '' } = await readConsent('weather');
    expect(logo).toMatch(/^\/oauth2\/logos\/[0-9a-f]{64}$/);
    const image = await fetch(kit.baseUrl + logo);
    expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    // What users look at asks no other host.
    expect(asked).toHaveLength(1);
  });

  test('is in the list of connected applications', async () => {
    await register({ client_id: 'linked', logo_uri: `${origin}/a` });
    await kit.database.query(
      `insert into consent (user_id, client_id, scopes, is_remembered, created_at, updated_at)
       values ($1, 'linked', '{openid}', true, $2, $2)`,
      [kit.userId, systemClock.now()],
    );
    const { accessToken } = await kit.tokens.login(kit.userId);
    const list = await fetch(`${kit.baseUrl}/me/connections`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(await list.json()).toMatchObject({
      connections: [{ client_id: 'linked', logo: expect.stringMatching(/^\/oauth2\/logos\//) }],
    });
  });

  test('is fetched again with the field, kept without, and removed with it', async () => {
    await register({ client_id: 'changing', logo_uri: `${origin}/a` });
    const { logo: first } = await readConsent('changing');
    answer = { body: JPEG, type: 'text/html' };
    const path = '/operator/clients/changing';
    await call('PATCH', path, { client_name: 'Weather 2' });
    expect((await readConsent('changing')).logo).toBe(first);
    await call('PATCH', path, { logo_uri: `${origin}/a` });
    const { logo = '' } = await readConsent('changing');
    expect(logo).not.toBe(first);
    const image = await fetch(kit.baseUrl + logo);
    // The bytes decide, not what their server says of them.
    expect(image.headers.get('content-type')).toBe('image/jpeg');
    const removed = await call('PATCH', path, { logo_uri: '' });
    expect(removed.body).not.toHaveProperty('logo_uri');
    expect(await readConsent('changing')).not.toHaveProperty('logo');
    expect((await fetch(kit.baseUrl + logo)).status).toBe(404);
  });

  test('WebP is an image, too', async () => {
    answer = { body: WEBP };
    expect((await register({ logo_uri: `${origin}/w` })).status).toBe(200);
  });

  test.each([
    ['a page', { body: Buffer.from('<html><script>alert(1)</script>') }],
    [
      'SVG',
      { body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), type: 'image/svg+xml' },
    ],
    ['GIF', { body: Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1') }],
    ['nothing', { body: Buffer.of() }],
    ['the beginning of a PNG', { body: PNG.subarray(0, 18) }],
    ['the beginning of a JPEG', { body: JPEG.subarray(0, 8) }],
    ['the beginning of a WebP', { body: WEBP.subarray(0, 21) }],
    ['a PNG with a page behind it', { body: Buffer.concat([PNG, Buffer.from('<html>')]) }],
    ['a PNG without width', { body: pngOf(0, 10) }],
    ['a PNG that fills the memory', { body: pngOf(60_000, 60_000) }],
    ['too many bytes', { body: Buffer.concat([PNG, Buffer.alloc(65_536)]) }],
    ['a redirect', { status: 302, location: 'http://127.0.0.1:1/', body: PNG }],
    ['an error with an image', { status: 404, body: PNG }],
  ])('attack: %s as a logo', async (_what, answered) => {
    answer = answered;
    const before = await countLogos();
    expect(await register({ client_id: 'attacker', logo_uri: `${origin}/x` })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'logo_uri' }] },
    });
    expect(await countLogos()).toBe(before);
    expect(
      (await fetch(`${kit.baseUrl}/operator/clients/attacker`, { headers: operator })).status,
    ).toBe(404);
  });

  test.each([
    'http://weather.test/a.png',
    'https://10.0.0.1/a.png',
    'javascript:alert(1)',
    'data:,x',
  ])('attack: %s as the address', async (logo_uri) => {
    expect(await register({ logo_uri })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'logo_uri' }] },
    });
  });

  test('an application that registers itself has one, and needs a token for it', async () => {
    const body = {
      ...{ client_name: 'New', redirect_uris: [REDIRECT], logo_uri: `${origin}/new.png` },
      token_endpoint_auth_method: 'none',
    };
    const present = (token: unknown) => ({ ...operator, authorization: `Bearer ${token}` });
    const refused = await call('POST', '/oauth2/register', body, present('wrong'));
    expect(refused.status).toBe(401);
    expect(asked).toEqual([]);
    const { body: issued } = await call('POST', '/operator/registration-tokens', {
      scopes: ['openid'],
    });
    answer = { body: Buffer.from('no image') };
    const unfit = await call('POST', '/oauth2/register', body, present(issued.token));
    expect(unfit).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
    answer = { body: PNG };
    const registered = await call('POST', '/oauth2/register', body, present(issued.token));
    expect(registered).toMatchObject({ status: 201, body: { logo_uri: body.logo_uri } });
    expect(await readConsent(String(registered.body.client_id))).toHaveProperty('logo');
  });

  test('a removed application takes its logo along', async () => {
    answer = { body: pngOf(3, 3) };
    await register({ client_id: 'gone', logo_uri: `${origin}/a` });
    const { logo = '' } = await readConsent('gone');
    await fetch(`${kit.baseUrl}/operator/clients/gone`, {
      method: 'DELETE',
      headers: { authorization: operator.authorization ?? '' },
    });
    expect((await fetch(kit.baseUrl + logo)).status).toBe(404);
  });
});
