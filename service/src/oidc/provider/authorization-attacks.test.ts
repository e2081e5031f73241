import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askToken, authorizeUrl, createBrowser, decide, newPkce, runToRedirect } from '../../../test/support/browser-flow.ts';
import { LOOPBACK_REDIRECT, type OidcKit, openOidcKit, REDIRECT, SECRET } from '../../../test/support/oidc-kit.ts';
import { insertUser } from '../../../test/support/test-users.ts';

let kit: OidcKit;
beforeAll(async () => {
  kit = await openOidcKit('server');
});
afterAll(() => kit.stop());

const good = { client_id: 'app', redirect_uri: REDIRECT, scope: 'openid account:read', state: 's1' };

async function authorize(parameters: Record<string, string>, drop: string[] = []) {
  const url = new URL(authorizeUrl({ ...good, ...parameters }, newPkce()), kit.baseUrl);
  for (const name of drop) url.searchParams.delete(name);
  return createBrowser(kit.baseUrl).get(url.href);
}

/** The error that a client is redirected to; undefined when the answer does not go to the client. */
function errorAt(location: string): string | null | undefined {
  return location.startsWith(REDIRECT) ? new URL(location).searchParams.get('error') : undefined;
}

async function interactionOf(location: string): Promise<string> {
  const id = new URL(location).searchParams.get('interaction_id');
  if (id === null) throw new Error(`no interaction at ${location}`);
  return id;
}

describe('authorization requests', () => {
  test('a good request goes to the authorization page with 302 and binds the browser by cookies that scripts cannot read', async () => {
    const { status, location, headers } = await authorize({});
    expect(status).toBe(302);
    expect(location).toMatch(new RegExp(`^${kit.baseUrl}/authorize\\?interaction_id=[\\w-]+$`));
    const cookies = headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie.toLowerCase()).toMatch(/httponly.*|samesite=lax/);
    for (const cookie of cookies) expect(cookie.toLowerCase()).toContain('samesite=lax');
    for (const cookie of cookies) expect(cookie.toLowerCase()).toContain('httponly');
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('attack: PKCE left out, plain, or downgraded', async () => {
    for (const [parameters, drop] of [
      [{}, ['code_challenge', 'code_challenge_method']],
      [{}, ['code_challenge']],
      [{}, ['code_challenge_method']],
      [{ code_challenge_method: 'plain' }, []],
      [{ code_challenge_method: 's256' }, []],
      [{ code_challenge: 'short' }, []],
    ] as [Record<string, string>, string[]][]) {
      const { location } = await authorize(parameters, drop);
      expect(errorAt(location)).toBe('invalid_request');
      expect(new URL(location).searchParams.get('iss')).toBe(kit.baseUrl);
    }
    const { location } = await authorize({ client_id: 'server' }, ['code_challenge', 'code_challenge_method']);
    expect(errorAt(location)).toBe('invalid_request');
  });

  test('attack: response types and modes that carry tokens in URLs', async () => {
    for (const response_type of ['token', 'id_token', 'code id_token', 'code token', 'none'])
      expect(errorAt((await authorize({ response_type })).location.replace('#', '?'))).toMatch(/unsupported_response_type|invalid_request/);
    for (const response_mode of ['fragment', 'form_post', 'web_message']) {
      const { status, location } = await authorize({ response_mode });
      expect(status).not.toBe(200);
      expect(location).not.toContain('code=');
    }
  });

  test('attack: redirect URIs that resemble the registered one never redirect', async () => {
    const variations = [
      'https://APP.example.test/callback',
      'https://app.example.test/Callback',
      `${REDIRECT}/`,
      `${REDIRECT}/more`,
      `${REDIRECT}?x=1`,
      `${REDIRECT}#fragment`,
      'https://app.example.test/callback%2F..',
      'https://app.example.test/%63allback',
      'https://app.example.test:444/callback',
      'https://app.example.test:443/callback',
      'http://app.example.test/callback',
      'https://app.example.test@attacker.test/callback',
      'https://user:pw@app.example.test/callback',
      'https://app.example.test.attacker.test/callback',
      'https://attacker.test/https://app.example.test/callback',
      '//app.example.test/callback',
      'javascript:alert(1)',
      'data:text/html,x',
      '',
    ];
    for (const redirect_uri of variations) {
      const { status, location } = await authorize({ redirect_uri });
      expect({ redirect_uri, status, location }).toEqual({ redirect_uri, status: 400, location: '' });
    }
    const { status, location } = await authorize({ client_id: 'nobody' });
    expect({ status, location }).toEqual({ status: 400, location: '' });
  });

  test('on loopback only the port may vary', async () => {
    const ask = async (redirect_uri: string) => (await authorize({ client_id: 'native', redirect_uri })).status;
    expect(await ask('http://127.0.0.1:51234/done')).toBe(302);
    for (const other of ['http://127.0.0.1:51234/done/', 'http://localhost:51234/done', 'https://127.0.0.1/done', 'http://127.0.0.1:1@attacker.test/done'])
      expect(await ask(other)).toBe(400);
  });

  test('attack: open redirect through any parameter', async () => {
    const evil = 'https://attacker.test/';
    for (const name of [
      'state',
      'nonce',
      'login_hint',
      'ui_locales',
      'post_logout_redirect_uri',
      'return_to',
      'next',
      'request_uri',
      'request',
      'resource',
      'audience',
      'interaction_id',
      'iss',
      'target_link_uri',
    ]) {
      const { location } = await authorize({ [name]: evil });
      const host = location === '' ? '' : new URL(location).host;
      expect(['', new URL(kit.baseUrl).host, 'app.example.test']).toContain(host);
    }
  });

  test('attack: Host and forwarded headers change no address', async () => {
    const headers = { host: 'attacker.test', 'x-forwarded-host': 'attacker.test', 'x-forwarded-proto': 'https', forwarded: 'host=attacker.test' };
    const discovery = await kit.service.app.http.inject({ url: '/.well-known/openid-configuration', headers });
    expect(discovery.statusCode).toBe(200);
    expect(discovery.body).not.toContain('attacker.test');
    const begun = await kit.service.app.http.inject({ url: authorizeUrl(good, newPkce()), headers });
    expect(begun.headers.location).toMatch(new RegExp(`^${kit.baseUrl}/`));
  });

  test('attack: clickjacking: nothing here is shown inside another page', async () => {
    for (const path of ['/oauth2/authorize?client_id=nobody', '/oauth2/authorize/x?ticket=y', '/authorize?interaction_id=x', '/device', '/']) {
      const { headers } = await createBrowser(kit.baseUrl).get(path, { accept: 'text/html' });
      expect({ path, policy: headers.get('content-security-policy') }).toEqual({ path, policy: expect.stringContaining("frame-ancestors 'none'") });
    }
  });

  test('cookies are Secure where the service is public', async () => {
    const { startService } = await import('../../../test/support/running-service.ts');
    const service = await startService(kit.database, { env: { BASE_URL: 'https://account.example.test', SMTP_URL: 'smtp://localhost:1' } });
    const { headers } = await service.app.http.inject({ url: authorizeUrl(good, newPkce()) });
    const cookies = [headers['set-cookie'] ?? []].flat();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie.toLowerCase()).toContain('; secure');
    await service.stop();
  });

  test('attack: header injection through parameters', async () => {
    const { location, headers } = await authorize({ state: 'a\r\nSet-Cookie: evil=1\r\n\r\n<html>', prompt: 'none' });
    expect(headers.getSetCookie().join()).not.toContain('evil');
    expect(location).not.toMatch(/[\r\n]/);
    expect(new URL(location).searchParams.get('state')).toContain('Set-Cookie');
  });

  test('attack: NUL, lone surrogates, doubled parameters, deep and large bodies at the token endpoint', async () => {
    const ask = (body: string | Buffer, type: string) => fetch(`${kit.baseUrl}/oauth2/token`, { method: 'POST', headers: { 'content-type': type }, body });
    const form = 'application/x-www-form-urlencoded';
    for (const name of [
      'grant_type',
      'client_id',
      'client_secret',
      'code',
      'code_verifier',
      'redirect_uri',
      'refresh_token',
      'scope',
      'device_code',
      'subject_token',
    ]) {
      const base: Record<string, string> = { grant_type: 'authorization_code', client_id: 'app', code: 'x', code_verifier: 'y', redirect_uri: REDIRECT };
      const bad = await ask(new URLSearchParams({ ...base, [name]: `x\0` }).toString(), form);
      expect({ name, status: bad.status, body: await bad.json() }).toMatchObject({ name, status: 400, body: { error: 'invalid_request' } });
      const surrogate = await ask(`{"grant_type":"authorization_code","client_id":"app","${name}":"\\ud800"}`, 'application/json');
      expect(surrogate.status).toBe(400);
    }
    expect((await ask('grant_type=authorization_code&grant_type=refresh_token&client_id=app', form)).status).toBe(400);
    expect((await ask(`${'['.repeat(30_000)}${']'.repeat(30_000)}`, 'application/json')).status).toBe(400);
    expect((await ask(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`, 'application/json')).status).toBe(413);
    expect((await ask('{"__proto__":{"grant_type":"client_credentials"}}', 'application/json')).status).toBe(400);
    expect((await ask('<xml/>', 'application/xml')).status).toBe(415);
  });

  test('NUL in an authorization request is refused, not a failure', async () => {
    for (const name of ['client_id', 'redirect_uri', 'scope', 'state', 'nonce', 'login_hint']) {
      const { status } = await authorize({ [name]: 'x\0y' });
      expect({ name, isServerError: status >= 500 }).toEqual({ name, isServerError: false });
    }
  });
});

describe('consent', () => {
  async function begin(parameters: Record<string, string> = {}) {
    const browser = createBrowser(kit.baseUrl);
    const pkce = newPkce();
    const { location } = await browser.get(authorizeUrl({ ...good, ...parameters }, pkce));
    return { browser, pkce, id: await interactionOf(location) };
  }
  const consent = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${kit.baseUrl}/oauth2/authorize/consent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  test('shows what is asked, in words', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const { id } = await begin();
    const response = await fetch(`${kit.baseUrl}/oauth2/authorize/consent?interaction_id=${id}`, { headers: { authorization: `Bearer ${accessToken}` } });
    expect(await response.json()).toMatchObject({
      client_id: 'app',
      client_name: 'App',
      redirect_uri: REDIRECT,
      first_party: false,
      scopes: [
        { name: 'openid', description: 'Know who you are' },
        { name: 'account:read', description: expect.stringContaining('balances') },
      ],
    });
  });

  test('attack: a link sent to a victim (consent without its browser) gives nobody a code', async () => {
    const victim = await kit.tokens.login(await insertUser(kit.database));
    const { browser: attacker, id } = await begin();
    const redirectTo = await decide(kit.baseUrl, victim.accessToken, id);
    const victimsBrowser = createBrowser(kit.baseUrl);
    expect((await victimsBrowser.get(redirectTo)).status).toBe(400);
    const guess = await attacker.get(`/oauth2/authorize/${id}`);
    expect({ status: guess.status, location: guess.location }).toEqual({ status: 400, location: '' });
    expect((await attacker.get(`/oauth2/authorize/${id}?ticket=${'A'.repeat(43)}`)).status).toBe(400);
  });

  test('attack: the way on is taken twice, or with another request’s cookie', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const first = await begin();
    const second = await begin();
    const redirectTo = await decide(kit.baseUrl, accessToken, first.id);
    expect((await second.browser.get(redirectTo)).status).toBe(400);
    expect((await first.browser.get(redirectTo)).location).toContain('code=');
    const again = await first.browser.get(redirectTo);
    expect({ status: again.status, location: again.location }).toEqual({ status: 400, location: '' });
  });

  test('attack: CSRF: cookies decide nothing, only the person’s own access token does', async () => {
    const { id, browser } = await begin();
    const cookie = browser.jar.map(({ name, value }) => `${name}=${value}`).join('; ');
    expect((await consent({ interaction_id: id, decision: 'allow' }, { cookie, origin: 'https://attacker.test' })).status).toBe(401);
    const { deviceToken } = await kit.tokens.login(kit.userId);
    expect((await consent({ interaction_id: id, decision: 'allow' }, { authorization: `Bearer ${deviceToken}` })).status).toBe(403);
    const preflight = await fetch(`${kit.baseUrl}/oauth2/authorize/consent`, {
      method: 'OPTIONS',
      headers: { origin: 'https://attacker.test', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('attack: scopes that were not asked for', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const { id } = await begin();
    const response = await consent({ interaction_id: id, decision: 'allow', scopes: ['openid', 'devices:write'] }, { authorization: `Bearer ${accessToken}` });
    expect(response.status).toBe(400);
    const wide = await authorize({ scope: 'openid wallet:write identity:manage operator:ledger' });
    expect(errorAt(wide.location)).toBe('invalid_scope');
  });

  test('a person may allow less than is asked', async () => {
    const { accessToken } = await kit.tokens.login(await insertUser(kit.database));
    const { browser, pkce, id } = await begin({ scope: 'openid account:read devices:read' });
    const { location } = await browser.get(await decide(kit.baseUrl, accessToken, id, 'allow', ['openid', 'devices:read']));
    const code = new URL(location).searchParams.get('code') ?? '';
    const { body } = await askToken(kit.baseUrl, {
      grant_type: 'authorization_code',
      client_id: 'app',
      code,
      redirect_uri: REDIRECT,
      code_verifier: pkce.verifier,
    });
    expect(body.scope).toBe('openid devices:read');
  });

  test('a refusal reaches the client as access_denied with iss and state', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const { browser, id } = await begin();
    const { location } = await browser.get(await decide(kit.baseUrl, accessToken, id, 'deny'));
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({ error: 'access_denied', iss: kit.baseUrl, state: 's1' });
  });

  test('prompt=login needs a sign-in made after the request', async () => {
    const userId = await insertUser(kit.database);
    const old = await kit.tokens.login(userId);
    await kit.database.query('select 1');
    const { browser, id } = await begin({ prompt: 'login' });
    await kit.database.query("update oidc_object set payload = jsonb_set(payload::jsonb, '{iat}', to_jsonb((payload->>'iat')::int + 60))::json where id = $1", [
      id,
    ]);
    const refused = await consent({ interaction_id: id, decision: 'allow' }, { authorization: `Bearer ${old.accessToken}` });
    expect(await refused.json()).toMatchObject({ code: 'reauthentication_required' });
    await kit.database.query("update oidc_object set payload = jsonb_set(payload::jsonb, '{iat}', to_jsonb((payload->>'iat')::int - 60))::json where id = $1", [
      id,
    ]);
    const fresh = await kit.tokens.login(userId);
    expect((await browser.get(await decide(kit.baseUrl, fresh.accessToken, id))).location).toContain('code=');
  });

  test('is remembered for the same scopes, asked anew for more, and never remembered on loopback', async () => {
    const { accessToken } = await kit.tokens.login(await insertUser(kit.database));
    const browser = createBrowser(kit.baseUrl);
    const run = (parameters: Record<string, string>) => runToRedirect(browser, kit.baseUrl, accessToken, { ...good, ...parameters }, newPkce());
    await run({});
    const silent = await browser.get(authorizeUrl({ ...good, prompt: 'none' }, newPkce()));
    expect(silent.location).toContain('code=');
    const more = await browser.get(authorizeUrl({ ...good, scope: 'openid account:read devices:read', prompt: 'none' }, newPkce()));
    expect(errorAt(more.location)).toBe('consent_required');
    const native = { client_id: 'native', redirect_uri: LOOPBACK_REDIRECT };
    await run(native);
    expect(new URL((await browser.get(authorizeUrl({ ...good, ...native, prompt: 'none' }, newPkce()))).location).searchParams.get('error')).toBe(
      'interaction_required',
    );
  });

  test('the provider’s cookie session ends with the sign-in that it came from', async () => {
    const login = await kit.tokens.login(await insertUser(kit.database));
    const browser = createBrowser(kit.baseUrl);
    await runToRedirect(browser, kit.baseUrl, login.accessToken, good, newPkce());
    expect((await browser.get(authorizeUrl({ ...good, prompt: 'none' }, newPkce()))).location).toContain('code=');
    await kit.database.query("update user_session set ended_at = now(), end_reason = 'logout' where sid = $1", [login.sid]);
    const silent = await browser.get(authorizeUrl({ ...good, prompt: 'none' }, newPkce()));
    expect(errorAt(silent.location)).toBe('login_required');
    expect((await browser.get(authorizeUrl(good, newPkce()))).location).toContain('interaction_id=');
  });

  test('another person in the same browser inherits nothing', async () => {
    const [first, second] = [await insertUser(kit.database), await insertUser(kit.database)];
    const browser = createBrowser(kit.baseUrl);
    await runToRedirect(browser, kit.baseUrl, (await kit.tokens.login(first)).accessToken, good, newPkce());
    const pkce = newPkce();
    const redirected = await runToRedirect(browser, kit.baseUrl, (await kit.tokens.login(second)).accessToken, { ...good, prompt: 'consent' }, pkce);
    const { body } = await askToken(kit.baseUrl, {
      grant_type: 'authorization_code',
      client_id: 'app',
      code: redirected.get('code') ?? '',
      redirect_uri: REDIRECT,
      code_verifier: pkce.verifier,
    });
    const claims = JSON.parse(Buffer.from(body.access_token?.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
    expect(claims.sub).toBe(String(second));
  });

  test('connections are listed and can be shut out, with every token of theirs', async () => {
    const userId = await insertUser(kit.database);
    const { accessToken } = await kit.tokens.login(userId);
    const pkce = newPkce();
    const redirected = await runToRedirect(
      createBrowser(kit.baseUrl),
      kit.baseUrl,
      accessToken,
      { ...good, scope: 'openid account:read offline_access' },
      pkce,
    );
    const form = {
      grant_type: 'authorization_code',
      client_id: 'app',
      code: redirected.get('code') ?? '',
      redirect_uri: REDIRECT,
      code_verifier: pkce.verifier,
    };
    const { body } = await askToken(kit.baseUrl, form);
    const headers = { authorization: `Bearer ${accessToken}` };
    const list = async () => (await (await fetch(`${kit.baseUrl}/me/connections`, { headers })).json()) as { connections: { client_id: string }[] };
    expect(await list()).toMatchObject({ connections: [{ client_id: 'app', client_name: 'App', remembered: true }] });
    const remove = () => fetch(`${kit.baseUrl}/me/connections/app`, { method: 'DELETE', headers });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect(await list()).toEqual({ connections: [] });
    await expect.poll(() => kit.callApi(body.access_token ?? ''), { timeout: 5000 }).toBe(401);
    expect((await kit.refresh(body.refresh_token ?? '')).status).toBe(400);
    expect(await kit.callApi(accessToken)).toBe(200);
  });
});

describe('POST /oauth2/authorize', () => {
  const post = (body: string, type: string, headers: Record<string, string> = {}) =>
    fetch(`${kit.baseUrl}/oauth2/authorize`, { method: 'POST', redirect: 'manual', headers: { 'content-type': type, ...headers }, body });
  const json = (body: unknown, headers: Record<string, string> = {}) => post(JSON.stringify(body), 'application/json', headers);
  const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

  test('a form with response_type is an authorization request, answered 302 to the same GET', async () => {
    const query = new URL(authorizeUrl(good, newPkce()), kit.baseUrl).search.slice(1);
    const response = await post(query, 'application/x-www-form-urlencoded');
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toMatch(new RegExp(`^${kit.baseUrl}/oauth2/authorize\\?response_type=code`));
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('exchanges a business token for a device token of the same sign-in, for registered clients only', async () => {
    const login = await kit.tokens.login(kit.userId);
    const response = await json({ access_token: login.accessToken, client_id: 'terminal', node_id: 'node-7' });
    expect(response.status).toBe(200);
    const body = (await response.json()) as Record<string, string>;
    expect(body.device_token).toBe(body.access_token);
    const business = claimsOf(login.accessToken);
    expect(claimsOf(body.device_token ?? '')).toMatchObject({
      token_use: 'device',
      sid: login.sid,
      amr: business.amr,
      auth_time: business.auth_time,
      client_id: 'terminal',
      node_id: 'node-7',
    });
    expect(Number(claimsOf(body.device_token ?? '').exp)).toBeLessThanOrEqual(Number(business.exp));
    const withSecret = await json({ access_token: login.accessToken, client_id: 'server', client_secret: SECRET, scope: 'account:read' });
    expect(await withSecret.json()).toMatchObject({ scope: 'account:read' });
    for (const [body, status] of [
      [{ access_token: login.accessToken, client_id: 'server' }, 401],
      [{ access_token: login.accessToken, client_id: 'server', client_secret: 'wrong' }, 401],
      [{ access_token: login.accessToken, client_id: 'app' }, 400],
      [{ access_token: login.accessToken, client_id: 'nobody' }, 401],
      [{ access_token: login.deviceToken, client_id: 'terminal' }, 400],
      [{ access_token: 'nonsense', client_id: 'terminal' }, 400],
      [{ access_token: login.accessToken, client_id: 'terminal', scope: 'wallet:write' }, 400],
      [{ access_token: login.accessToken, client_id: 'terminal', more: 'x' }, 400],
      [{ access_token: login.accessToken }, 400],
      [{}, 400],
      [[], 400],
    ] as [unknown, number][])
      expect({ body, status: (await json(body)).status }).toEqual({ body, status });
    expect((await post('access_token=x&client_id=terminal', 'application/x-www-form-urlencoded')).status).toBe(400);
    expect((await post('x', 'text/plain')).status).toBe(415);
  });

  test('attack: no CORS on it, and cookies decide nothing', async () => {
    const login = await kit.tokens.login(kit.userId);
    const response = await json({ access_token: login.accessToken, client_id: 'terminal' }, { origin: 'https://app.example.test', cookie: '_session=x' });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('RFC 8693 gives the same; each exchange is in the security log', async () => {
    const login = await kit.tokens.login(kit.userId);
    const form = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      client_id: 'terminal',
      subject_token: login.accessToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    };
    expect(await askToken(kit.baseUrl, form)).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
    });
    for (const change of [
      { subject_token_type: 'urn:x' },
      { audience: 'https://attacker.test' },
      { actor_token: login.accessToken },
      { node_id: 'no spaces' },
      { scope: 'identity:manage' },
    ] as Record<string, string>[])
      expect((await askToken(kit.baseUrl, { ...form, ...change })).status).toBe(400);
    const { rows } = await kit.database.query("select 1 from security_event where user_id = $1 and type = 'token_exchanged'", [kit.userId]);
    expect(rows.length).toBeGreaterThan(0);
  });
});
