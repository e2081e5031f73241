/** APIs of the operator (RFC 8707): their tokens, their consent, and what no one else gets. */
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  askToken,
  authorizeUrl,
  createBrowser,
  decide,
  newPkce,
} from '../../../test/support/browser-flow.ts';
import {
  errorAt,
  interactionOf,
  type OidcKit,
  openOidcKit,
  REDIRECT,
  SECRET,
} from '../../../test/support/oidc-fixture.ts';
import { systemClock } from '../../lib/clock.ts';
import { createClient } from '../index.ts';

const ORDERS = 'https://orders.example.test/v1';
const STOCK = 'urn:example:stock';
const INTERNAL = 'urn:example:internal';
const OFFLINE = 'openid email offline_access account:read orders:read orders:write';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code' as const;

let kit: OidcKit;
const call = async (path: string, token: string, init: RequestInit = {}) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${kit.baseUrl}${path}`, { ...init, headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const put = async (id: string, settings: object) =>
  call(`/operator/resource-servers/${id}`, await kit.tokens.operator('operator:clients'), {
    method: 'PUT',
    body: JSON.stringify(settings),
  });
const orders = {
  name: 'Orders',
  audience: ORDERS,
  scopes: [
    { name: 'orders:read', description: 'See your orders' },
    { name: 'orders:write', description: 'Order in your name' },
  ],
};
const basic = (id: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${SECRET}`).toString('base64')}`,
});

beforeAll(async () => {
  kit = await openOidcKit('server');
  expect(await put('orders', orders)).toMatchObject({ status: 200 });
  const stock = { name: 'stock:read', description: 'See the stock' };
  await put('stock', { name: 'Stock', audience: STOCK, scopes: [stock] });
  const closed = { name: 'internal:read', description: 'See what is internal' };
  await put('internal', { name: 'Internal', audience: INTERNAL, scopes: [closed] });
  const base = { isFirstParty: false, scopes: OFFLINE.split(' ') };
  await createClient(kit.database, systemClock, {
    ...base,
    ...{ clientId: 'shop', name: 'Shop', isPublic: true, redirectUris: [REDIRECT] },
    scopes: [...base.scopes, 'stock:read'],
    grantTypes: ['authorization_code', 'refresh_token'],
  });
  await createClient(kit.database, systemClock, {
    ...base,
    ...{ clientId: 'worker', name: 'Worker', isPublic: false, secret: SECRET, redirectUris: [] },
    scopes: ['orders:write', 'operator:traffic'],
    grantTypes: ['client_credentials'],
  });
  await createClient(kit.database, systemClock, {
    ...base,
    ...{ clientId: 'till', name: 'Till', isPublic: true, redirectUris: [] },
    grantTypes: [DEVICE_CODE, 'refresh_token'],
  });
});
afterAll(() => kit.stop());

/** An authorization request of `shop`, up to the authorization page or the redirect. */
async function authorize(scope: string, resources: readonly string[]) {
  const pkce = newPkce();
  const browser = createBrowser(kit.baseUrl);
  const url = authorizeUrl({ client_id: 'shop', redirect_uri: REDIRECT, scope }, pkce);
  const named = resources.map((resource) => `&resource=${encodeURIComponent(resource)}`).join('');
  const { location } = await browser.get(url + named);
  return { pkce, browser, location };
}

async function newTokens(
  scope: string,
  resources: readonly string[],
  { allowed, more = {} }: { allowed?: string[]; more?: Record<string, string> } = {},
) {
  const { pkce, browser, location } = await authorize(scope, resources);
  const { accessToken } = await kit.tokens.login(kit.userId);
  const id = new URL(location).searchParams.get('interaction_id');
  const next =
    id === null
      ? location
      : (
          await browser.get(
            await decide(kit.baseUrl, accessToken, id, allowed ? { scopes: allowed } : {}),
          )
        ).location;
  return askToken(kit.baseUrl, {
    grant_type: 'authorization_code',
    client_id: 'shop',
    code: new URL(next).searchParams.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: pkce.verifier,
    ...more,
  });
}

const refresh = (token: string | undefined, resource?: string) =>
  kit.refresh(token ?? '', 'shop', resource === undefined ? {} : { resource });

const introspect = async (token: string | undefined, as = 'resource') => {
  const response = await fetch(`${kit.baseUrl}/oauth2/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ token: token ?? '' }),
    headers: basic(as),
  });
  return (await response.json()) as Record<string, unknown>;
};

test('a token is for one API, with its scopes alone', async () => {
  const { status, body } = await newTokens(OFFLINE, [ORDERS]);
  expect(status).toBe(200);
  expect(body).not.toHaveProperty('device_token');
  expect(body).toMatchObject({ scope: 'orders:read orders:write', id_token: expect.any(String) });
  const keys = await (await fetch(`${kit.baseUrl}/.well-known/jwks.json`)).json();
  const { payload } = await jwtVerify(
    body.access_token ?? '',
    createLocalJWKSet(keys as JSONWebKeySet),
    { issuer: kit.baseUrl, audience: ORDERS, typ: 'at+jwt', algorithms: ['RS256'] },
  );
  expect(payload).toMatchObject({
    ...{ aud: ORDERS, client_id: 'shop', scope: 'orders:read orders:write', token_use: 'api' },
    sub: decodeJwt(body.id_token ?? '').sub,
  });
  // No userinfo takes the token, so the ID token says it.
  expect(decodeJwt(body.id_token ?? '')).toMatchObject({ email: 'person@example.test' });
  expect(payload.sub).not.toBe(String(kit.userId));
  expect(payload).not.toHaveProperty('email');
  for (const path of ['/oauth2/userinfo', '/account/info', '/me/connections'])
    expect(await kit.callApi(body.access_token ?? '', path)).toBe(401);
});

test('a grant for several APIs gives a token for each, and by default one for this', async () => {
  const first = await newTokens(`${OFFLINE} stock:read`, [kit.baseUrl, ORDERS, STOCK]);
  expect(decodeJwt(first.body.access_token ?? '')).toMatchObject({
    ...{ aud: kit.baseUrl, scope: 'openid email offline_access account:read' },
    token_use: 'device',
  });
  const forOrders = await refresh(first.body.refresh_token, ORDERS);
  expect(forOrders.body).toMatchObject({ scope: 'orders:read orders:write' });
  expect(forOrders.body).not.toHaveProperty('device_token');
  const forStock = await refresh(forOrders.body.refresh_token, STOCK);
  expect(decodeJwt(forStock.body.access_token ?? '')).toMatchObject({
    ...{ aud: STOCK, scope: 'stock:read' },
  });
  const own = await refresh(forStock.body.refresh_token);
  expect(await kit.callApi(own.body.access_token ?? '', '/account/info')).toBe(200);
});

test('the code alone names the API of its token', async () => {
  const both = await newTokens('openid orders:read', [kit.baseUrl, ORDERS], {
    more: { resource: ORDERS },
  });
  expect(decodeJwt(both.body.access_token ?? '').aud).toBe(ORDERS);
  const foreign = await newTokens('openid orders:read', [ORDERS], { more: { resource: STOCK } });
  expect(foreign).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
  const own = await newTokens('openid orders:read', [ORDERS], { more: { resource: kit.baseUrl } });
  expect(own).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
});

test('without `resource` no token has the scope of an API', async () => {
  const { body } = await newTokens('openid account:read orders:read', []);
  expect(body.scope).toBe('openid account:read');
  expect(decodeJwt(body.access_token ?? '').aud).toBe(kit.baseUrl);
});

test('the user sees what an API permits, and may allow less', async () => {
  const { location } = await authorize('openid orders:read orders:write stock:read', [ORDERS]);
  const { accessToken } = await kit.tokens.login(kit.userId);
  const id = interactionOf(location);
  const shown = await call(`/oauth2/authorize/consent?interaction_id=${id}`, accessToken);
  expect(shown.body.scopes).toEqual([
    { name: 'openid', description: 'Know who you are' },
    { name: 'orders:read', description: 'See your orders' },
    { name: 'orders:write', description: 'Order in your name' },
  ]);
  const less = await newTokens('openid orders:read orders:write', [ORDERS], {
    allowed: ['openid', 'orders:read'],
  });
  expect(decodeJwt(less.body.access_token ?? '').scope).toBe('orders:read');
  const { body } = await call('/me/connections', accessToken);
  const [connection] = body.connections as { scopes: object[] }[];
  expect(connection?.scopes).toContainEqual({
    ...{ name: 'orders:read', description: 'See your orders' },
  });
});

test.each(['https://unknown.example.test', `${ORDERS}/`, 'not a uri', `${ORDERS}#part`])(
  'the resource %j is refused',
  async (resource) => {
    expect(errorAt((await authorize('openid orders:read', [resource])).location)).toBe(
      'invalid_target',
    );
  },
);

test('a server gets a token for an API in its own name', async () => {
  const ask = (form: Record<string, string>) =>
    askToken(kit.baseUrl, { grant_type: 'client_credentials', ...form }, basic('worker'));
  const { body } = await ask({ resource: ORDERS });
  expect(decodeJwt(body.access_token ?? '')).toMatchObject({
    ...{ aud: ORDERS, sub: 'worker', scope: 'orders:write', token_use: 'api_client' },
  });
  expect(await kit.callApi(body.access_token ?? '', '/operator/clients')).toBe(401);
  expect(await introspect(body.access_token)).toMatchObject({ aud: ORDERS, sub: 'worker' });
  expect((await ask({})).body.scope).toBe('operator:traffic');
  const attempts: Record<string, string>[] = [
    { resource: ORDERS, scope: 'operator:traffic' },
    { resource: ORDERS, scope: 'orders:read' },
    { scope: 'orders:write' },
    { resource: 'https://unknown.example.test' },
  ];
  for (const attempt of attempts) expect((await ask(attempt)).status).toBe(400);
});

test('a device gets a token for an API', async () => {
  const start = { client_id: 'till', scope: 'openid orders:read', resource: ORDERS };
  const response = await fetch(`${kit.baseUrl}/oauth2/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams(start),
  });
  const { device_code, user_code } = (await response.json()) as Record<string, string>;
  const { accessToken } = await kit.tokens.login(kit.userId);
  const shown = await call(`/oauth2/device?user_code=${user_code}`, accessToken);
  expect(shown.body.scopes).toContainEqual({
    ...{ name: 'orders:read', description: 'See your orders' },
  });
  const decided = await fetch(`${kit.baseUrl}/oauth2/device`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_code, decision: 'allow' }),
  });
  expect(decided.status).toBe(204);
  const { body } = await askToken(kit.baseUrl, {
    ...{ grant_type: DEVICE_CODE, client_id: 'till', device_code: device_code ?? '' },
  });
  expect(decodeJwt(body.access_token ?? '')).toMatchObject({ aud: ORDERS, scope: 'orders:read' });
});

test('an API learns by introspection that a token was revoked or its API disabled', async () => {
  const { body } = await newTokens(OFFLINE, [ORDERS]);
  const user = { active: true, aud: ORDERS, sub: String(kit.userId), client_id: 'shop' };
  expect(await introspect(body.access_token)).toMatchObject(user);
  expect(await introspect(body.access_token, 'server')).toEqual({ active: false });
  await put('orders', { ...orders, enabled: false });
  expect(await introspect(body.access_token)).toEqual({ active: false });
  expect(await refresh(body.refresh_token)).toMatchObject({ status: 400 });
  expect(errorAt((await authorize('openid', [ORDERS])).location)).toBe('invalid_target');
  await put('orders', orders);
  expect(await introspect(body.access_token)).toMatchObject(user);
  const revoked = await fetch(`${kit.baseUrl}/oauth2/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'shop', token: body.access_token ?? '' }),
  });
  expect(revoked.status).toBe(200);
  expect(await introspect(body.access_token)).toEqual({ active: false });
});

test('attack: the token of an API is exchanged for one of this service', async () => {
  const { body } = await newTokens('openid orders:read', [ORDERS]);
  const exchanged = await askToken(
    kit.baseUrl,
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: body.access_token ?? '',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    },
    basic('server'),
  );
  expect(exchanged).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('attack: a client without a scope of an API gets tokens for it', async () => {
  expect(errorAt((await authorize('openid', [INTERNAL])).location)).toBe('invalid_target');
  const client = { client_id: 'till', scope: 'openid', resource: STOCK };
  const begun = await fetch(`${kit.baseUrl}/oauth2/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams(client),
  });
  expect(await begun.json()).toMatchObject({ error: 'invalid_target' });
  const asked = await askToken(
    kit.baseUrl,
    { grant_type: 'client_credentials', resource: STOCK },
    basic('worker'),
  );
  expect(asked).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
});

test('a client that has lost the scopes of an API gets no more tokens for it', async () => {
  const { body } = await newTokens('openid offline_access stock:read', [STOCK]);
  const token = await kit.tokens.operator('operator:clients');
  const give = (scopes: string[]) =>
    call('/operator/clients/shop', token, { method: 'PATCH', body: JSON.stringify({ scopes }) });
  await give(OFFLINE.split(' '));
  expect(await refresh(body.refresh_token, STOCK)).toMatchObject({
    body: { error: 'invalid_target' },
  });
  await give([...OFFLINE.split(' '), 'stock:read']);
});

test('attack: a consent to one API counts for a later one with the same scope', async () => {
  const token = await kit.tokens.operator('operator:clients');
  const give = (scopes: string[]) =>
    call('/operator/clients/shop', token, { method: 'PATCH', body: JSON.stringify({ scopes }) });
  const scopesOf = async () => {
    const { rows } = await kit.database.query<{ scopes: string[] }>(
      "select scopes from consent where user_id = $1 and client_id = 'shop'",
      [kit.userId],
    );
    return rows[0]?.scopes;
  };
  const all = [...OFFLINE.split(' '), 'stock:read'];
  const later = { name: 'later:read', description: 'See what is later' };
  for (const keeps of [true, false]) {
    await put('later', { name: 'Later', audience: 'urn:example:later', scopes: [later] });
    await give([...all, 'later:read']);
    await newTokens('openid later:read', ['urn:example:later']);
    expect(await scopesOf()).toContain('later:read');
    await give(all);
    if (keeps) await put('later', { name: 'Later', audience: 'urn:example:later', scopes: [] });
    else await call('/operator/resource-servers/later', token, { method: 'DELETE' });
    expect(await scopesOf()).not.toContain('later:read');
    expect(await scopesOf()).toContain('openid');
  }
});

test('requests by a form name several APIs too', async () => {
  const ask = async (path: string, client_id: string, more: Record<string, string> = {}) => {
    const form = new URLSearchParams({ client_id, scope: 'openid orders:read', ...more });
    for (const resource of [kit.baseUrl, ORDERS]) form.append('resource', resource);
    return fetch(kit.baseUrl + path, { method: 'POST', body: form, redirect: 'manual' });
  };
  expect((await ask('/oauth2/device_authorization', 'till')).status).toBe(200);
  const { challenge } = newPkce();
  const request = {
    ...{ response_type: 'code', redirect_uri: REDIRECT },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  };
  expect((await ask('/oauth2/par', 'shop', request)).status).toBe(201);
  const sent = new URL(
    (await ask('/oauth2/authorize', 'shop', request)).headers.get('location') ?? '',
  );
  expect(sent.searchParams.getAll('resource')).toEqual([kit.baseUrl, ORDERS]);
  const token = await ask('/oauth2/token', 'shop', { grant_type: 'refresh_token' });
  expect(await token.json()).toMatchObject({ error: 'invalid_target' });
});

const withScope = (name: string) => ({ ...orders, scopes: [{ name, description: 'x' }] });
test.each([
  ['a scope of another API', 'third', { ...withScope('stock:read'), audience: 'urn:x:1' }, 'taken'],
  [
    'a scope of the service',
    'third',
    { ...withScope('wallet:all'), audience: 'urn:x:2' },
    'reserved',
  ],
  ['an operator scope', 'third', { ...withScope('operator:x'), audience: 'urn:x:3' }, 'reserved'],
  ['another audience', 'orders', { ...orders, audience: 'urn:x:4' }, 'fixed'],
  ['the audience of another API', 'third', { ...orders, audience: STOCK, scopes: [] }, 'taken'],
  ['a scope that a client has', 'orders', withScope('orders:read'), 'in_use'],
  ['a relative audience', 'third', { ...orders, audience: '/v1' }, 'audience'],
  [
    'no description',
    'third',
    { ...withScope('a:b'), scopes: [{ name: 'a:b', description: ' ' }] },
    'length',
  ],
])('refused: %s', async (_case, id, settings, code) => {
  const refused = await put(id, settings);
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } });
  expect(refused.body.errors).toMatchObject([{ code }]);
});

test('the address of the service is no audience', async () => {
  for (const audience of [kit.baseUrl, `${kit.baseUrl}/`, `${kit.baseUrl}/account`])
    expect((await put('third', { ...orders, audience, scopes: [] })).status).toBe(400);
});

test('it is listed, and removed once no client has its scopes', async () => {
  const token = await kit.tokens.operator('operator:clients');
  const remove = (id: string) =>
    call(`/operator/resource-servers/${id}`, token, { method: 'DELETE' });
  expect((await remove('orders')).body).toMatchObject({ errors: [{ code: 'in_use' }] });
  await put('spare', { name: 'Spare', audience: 'urn:example:spare', scopes: [] });
  const listed = await call('/operator/resource-servers', token);
  expect(listed.body).toMatchObject([
    ...[{ id: 'internal' }, { id: 'orders' }, { id: 'spare' }, { id: 'stock' }],
  ]);
  expect((await remove('spare')).body).toMatchObject([
    ...[{ id: 'internal' }, { id: 'orders' }, { id: 'stock' }],
  ]);
  expect((await remove('spare')).status).toBe(404);
  expect((await put('Not an id', orders)).status).toBe(404);
});
