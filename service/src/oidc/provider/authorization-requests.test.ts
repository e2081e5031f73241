/** Attacks on the authorization and token endpoints. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  authorizeUrl,
  createBrowser,
  newPkce,
  runToRedirect,
} from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  errorAt,
  GOOD_REQUEST,
  interactionOf,
  type OidcKit,
  openOidcKit,
  REDIRECT,
} from '../../../test/support/oidc-fixture.ts';
import { insertUser } from '../../../test/support/test-users.ts';

describe.each(RUN_ENGINES)('authorization requests on %s', (engine) => {
  let kit: OidcKit;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
  });
  afterAll(() => kit.stop());

  const authorize = (parameters: Record<string, string>, drop?: string[]) =>
    kit.authorize(parameters, drop);

  test('checklist 8: a request gets 302 and binds the browser by cookies (HttpOnly)', async () => {
    const { status, location, headers } = await authorize({});
    expect(status).toBe(302);
    expect(location).toMatch(new RegExp(`^${kit.baseUrl}/authorize\\?interaction_id=[\\w-]+$`));
    const cookies = headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    const { form, browser } = await kit.newCode();
    expect(form.code).not.toBe('');
    const renewed = (
      await browser.get(
        authorizeUrl({ ...GOOD_REQUEST, scope: 'openid', prompt: 'none' }, newPkce()),
      )
    ).headers.getSetCookie();
    expect(renewed).toEqual([expect.stringMatching(/^_session=[\w-]{43}; path=\//)]);
    cookies.push(...renewed);
    for (const cookie of cookies) expect(cookie.toLowerCase()).toContain('samesite=lax');
    for (const cookie of cookies) expect(cookie.toLowerCase()).toContain('httponly');
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('checklist 3 and 5: attack: PKCE left out, plain, or downgraded', async () => {
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
    const { location } = await authorize({ client_id: 'server' }, [
      'code_challenge',
      'code_challenge_method',
    ]);
    expect(errorAt(location)).toBe('invalid_request');
  });

  test('checklist 2: attack: response types and modes that carry tokens in URLs', async () => {
    for (const response_type of ['token', 'id_token', 'code id_token', 'code token', 'none'])
      expect({
        response_type,
        error: errorAt((await authorize({ response_type })).location),
      }).toEqual({ response_type, error: 'unsupported_response_type' });
    expect(errorAt((await authorize({}, ['response_type'])).location)).toBe('invalid_request');
    for (const response_mode of ['fragment', 'web_message']) {
      const { status, location } = await authorize({ response_mode });
      expect({ status, location }).toEqual({ status: 400, location: '' });
    }
  });

  test('checklist 1: attack: URIs that resemble the registered one never redirect', async () => {
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
      expect({ redirect_uri, status, location }).toEqual({
        redirect_uri,
        status: 400,
        location: '',
      });
    }
    const { status, location } = await authorize({ client_id: 'unknown' });
    expect({ status, location }).toEqual({ status: 400, location: '' });
  });

  test('checklist 1: on loopback only the port may vary', async () => {
    const ask = async (redirect_uri: string) =>
      (await authorize({ client_id: 'native', redirect_uri })).status;
    expect(await ask('http://127.0.0.1:51234/done')).toBe(302);
    for (const other of [
      'http://127.0.0.1:51234/done/',
      'http://localhost:51234/done',
      'https://127.0.0.1/done',
      'http://127.0.0.1:1@attacker.test/done',
    ])
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
    const headers = {
      host: 'attacker.test',
      'x-forwarded-host': 'attacker.test',
      'x-forwarded-proto': 'https',
      forwarded: 'host=attacker.test',
    };
    const discovery = await kit.service.app.http.inject({
      url: '/.well-known/openid-configuration',
      headers,
    });
    expect(discovery.statusCode).toBe(200);
    expect(discovery.body).not.toContain('attacker.test');
    const begun = await kit.service.app.http.inject({
      url: authorizeUrl(GOOD_REQUEST, newPkce()),
      headers,
    });
    expect(begun.headers.location).toMatch(new RegExp(`^${kit.baseUrl}/`));
  });

  test('attack: a host in the request target, or a second Host, changes no address', async () => {
    const { host, port, hostname } = new URL(kit.baseUrl);
    const ask = (head: string, body = '') =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write(`${head}\r\nConnection: close\r\n\r\n${body}`),
        );
        let answer = '';
        socket.on('data', (bytes) => {
          answer += bytes.toString();
        });
        socket.on('error', reject).on('close', () => resolve(answer));
      });
    const path = '/.well-known/openid-configuration';
    for (const target of [`http://evil.test${path}`, `HTTPS://evil.test:1${path}?x`]) {
      const answer = await ask(`GET ${target} HTTP/1.1\r\nHost: ${host}`);
      expect(answer).toContain(`"token_endpoint":"${kit.baseUrl}/oauth2/token"`);
      expect(answer).not.toContain('evil.test');
    }
    const started = await ask(
      [
        'POST http://evil.test/oauth2/device_authorization HTTP/1.1',
        `Host: ${host}`,
        'Content-Type: application/x-www-form-urlencoded',
        'Content-Length: 31',
      ].join('\r\n'),
      'client_id=terminal&scope=openid',
    );
    expect(started).toContain(`"verification_uri":"${kit.baseUrl}/device"`);
    const doubled = await ask(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nHost: evil.test`);
    expect(doubled).toMatch(/^HTTP\/1\.1 400/);
  });

  test('checklist 8: no token in a URL is taken, no other origin reads the endpoint', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    expect((await fetch(`${kit.baseUrl}/oauth2/userinfo?access_token=${accessToken}`)).status).toBe(
      401,
    );
    for (const origin of ['https://app.example.test', kit.baseUrl, 'https://attacker.test']) {
      const { headers } = await kit.authorize({}, [], { origin });
      expect({ origin, allowed: headers.get('access-control-allow-origin') }).toEqual({
        origin,
        allowed: null,
      });
    }
  });

  test('checklist 8: attack: clickjacking: nothing here is shown inside another page', async () => {
    for (const path of [
      '/oauth2/authorize?client_id=unknown',
      '/oauth2/authorize/x?ticket=y',
      '/authorize?interaction_id=x',
      '/device',
      '/',
    ]) {
      const { headers } = await createBrowser(kit.baseUrl).get(path, { accept: 'text/html' });
      expect({ path, policy: headers.get('content-security-policy') }).toEqual({
        path,
        policy: expect.stringContaining("frame-ancestors 'none'"),
      });
    }
  });

  test('a browser gets a page about the error, a program JSON', async () => {
    const navigation = {
      accept:
        'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    };
    const asked = [
      (headers: Record<string, string>) =>
        kit.authorize({ redirect_uri: 'https://attacker.test/' }, [], headers),
      (headers: Record<string, string>) => kit.authorize({ client_id: 'unknown' }, [], headers),
      (headers: Record<string, string>) => kit.authorize({}, ['redirect_uri'], headers),
      (headers: Record<string, string>) =>
        kit.authorize({ response_mode: 'fragment' }, [], headers),
      (headers: Record<string, string>) =>
        createBrowser(kit.baseUrl).get(`/oauth2/authorize/x?ticket=${'A'.repeat(43)}`, headers),
      (headers: Record<string, string>) =>
        createBrowser(kit.baseUrl).get('/oauth2/authorize/x', headers),
    ];
    for (const ask of asked) {
      const page = await ask(navigation);
      expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
        status: 400,
        type: 'text/html; charset=utf-8',
      });
      expect(page.text).toContain('Go back to the application');
      expect(JSON.parse((await ask({})).text)).toMatchObject({
        error: expect.any(String),
        error_description: expect.any(String),
      });
    }
  });

  test('cookies are Secure where the service is public', async () => {
    const { startService } = await import('../../../test/support/running-service.ts');
    const service = await startService(kit.database, {
      env: { BASE_URL: 'https://account.example.test', SMTP_URL: 'smtp://localhost:1' },
    });
    const begun = await service.app.http.inject({ url: authorizeUrl(GOOD_REQUEST, newPkce()) });
    const cookiesOf = (answer: typeof begun): string[] =>
      [answer.headers['set-cookie'] ?? []].flat();
    const { accessToken } = await service.tokens.login(kit.userId);
    const decided = await service.app.http.inject({
      method: 'POST',
      url: '/oauth2/authorize/consent',
      headers: { authorization: `Bearer ${accessToken}` },
      payload: { interaction_id: interactionOf(String(begun.headers.location)), decision: 'allow' },
    });
    const wayOn = decided
      .json<{ redirect_to: string }>()
      .redirect_to.replace('https://account.example.test', '');
    const cookie = cookiesOf(begun).map((text) => text.split(';', 1)[0]);
    expect(
      (
        await service.app.http.inject({
          url: wayOn,
          headers: { cookie: [...cookie, '__Secure-interaction_resume=planted'].join('; ') },
        })
      ).statusCode,
    ).toBe(400);
    const ended = await service.app.http.inject({
      url: wayOn,
      headers: { cookie: cookie.join('; ') },
    });
    expect(ended.headers.location).toContain('code=');
    const [session = ''] = cookiesOf(ended).filter((text) => text.startsWith('__Host-session='));
    expect(session).toMatch(/; path=\/;/);
    expect(session.toLowerCase()).not.toContain('domain=');
    for (const text of [...cookiesOf(begun), session]) {
      expect(text).toMatch(/^__(Host|Secure)-/);
      expect(text.toLowerCase()).toMatch(/; secure; httponly|; secure;.*; httponly/);
      expect(text.toLowerCase()).toContain('samesite=lax');
    }
    await service.stop();
  });

  test('attack: a session that another subdomain planted forces no user into it', async () => {
    const sessionOf = async (userId: number) => {
      const browser = createBrowser(kit.baseUrl);
      await runToRedirect(
        browser,
        (await kit.tokens.login(userId)).accessToken,
        GOOD_REQUEST,
        newPkce(),
      );
      return browser.jar.find(({ name }) => name === '_session')?.value ?? '';
    };
    const [own, planted] = [
      await sessionOf(kit.userId),
      await sessionOf(await insertUser(kit.database)),
    ];
    const ask = async (cookie: string) =>
      (await kit.authorize({ prompt: 'none' }, [], { cookie })).location;
    expect(await ask(`_session=${own}`)).toContain('code=');
    for (const cookie of [
      `_session=${planted}; _session=${own}`,
      `_session=${own};_session=${planted}`,
    ])
      expect(errorAt(await ask(cookie))).toBe('login_required');
  });

  test('attack: tokens for another API, before the person is asked', async () => {
    for (const resource of ['https://evil.test/', `${kit.baseUrl}/`, `${kit.baseUrl}.evil.test`])
      expect({ resource, error: errorAt((await authorize({ resource })).location) }).toEqual({
        resource,
        error: 'invalid_target',
      });
    expect((await authorize({ resource: kit.baseUrl })).location).toContain('interaction_id=');
  });

  test('checklist 2: attack: a question mark in the query hides no parameter', async () => {
    const raw = (more: string) => {
      const url = authorizeUrl(
        { ...GOOD_REQUEST, prompt: 'none', scope: 'openid offline_access' },
        newPkce(),
      ).replace('state=s1', `state=a?b${more}`);
      return createBrowser(kit.baseUrl).get(url);
    };
    expect(new URL((await raw('')).location).searchParams.get('state')).toBe('a?b');
    const { status, location } = await raw('&response_mode=fragment');
    expect({ status, location }).toEqual({ status: 400, location: '' });
    const typeless = authorizeUrl({ ...GOOD_REQUEST, response_type: 'token' }, newPkce()).replace(
      'state=s1',
      'state=a?b',
    );
    expect(
      new URL((await createBrowser(kit.baseUrl).get(typeless)).location).searchParams.get('state'),
    ).toBe('a?b');
  });

  test('attack: header injection through parameters', async () => {
    const { location, headers } = await authorize({
      state: 'a\r\nSet-Cookie: evil=1\r\n\r\n<html>',
      prompt: 'none',
    });
    expect(headers.getSetCookie().join()).not.toContain('evil');
    expect(location).not.toMatch(/[\r\n]/);
    expect(new URL(location).searchParams.get('state')).toContain('Set-Cookie');
  });

  test('attack: NUL, lone surrogates, doubled parameters, deep and large bodies', async () => {
    const ask = (body: string | Buffer, type: string) =>
      fetch(`${kit.baseUrl}/oauth2/token`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
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
      const base: Record<string, string> = {
        grant_type: 'authorization_code',
        client_id: 'app',
        code: 'x',
        code_verifier: 'y',
        redirect_uri: REDIRECT,
      };
      const bad = await ask(new URLSearchParams({ ...base, [name]: `x\0` }).toString(), form);
      expect({ name, status: bad.status, body: await bad.json() }).toMatchObject({
        name,
        status: 400,
        body: { error: 'invalid_request' },
      });
      const surrogate = await ask(
        `{"grant_type":"authorization_code","client_id":"app","${name}":"\\ud800"}`,
        'application/json',
      );
      expect(surrogate.status).toBe(400);
    }
    expect(
      await (await ask('grant_type=authorization_code&client_id=app&code=%ED%A0%80', form)).json(),
    ).toMatchObject({ error: 'invalid_request' });
    const repeated: readonly (readonly [body: string, type: string])[] = [
      ['grant_type=authorization_code&grant_type=refresh_token&client_id=app', form],
      ['grant_type=authorization_code&client_id=app&code=x&unknown=1&unknown=1', form],
      ['{"grant_type":"authorization_code","client_id":"app","client_id":"b"}', 'application/json'],
    ];
    for (const [body, type] of repeated) {
      const answer = await ask(body, type);
      expect({ body, status: answer.status, problem: await answer.json() }).toMatchObject({
        status: 400,
        problem: {
          error: 'invalid_request',
          error_description: expect.stringMatching(/is repeated|appears more than once/),
        },
      });
    }
    expect(
      (await ask(`${'['.repeat(30_000)}${']'.repeat(30_000)}`, 'application/json')).status,
    ).toBe(400);
    expect(
      (await ask(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`, 'application/json')).status,
    ).toBe(413);
    expect(
      (await ask('{"__proto__":{"grant_type":"client_credentials"}}', 'application/json')).status,
    ).toBe(400);
    expect((await ask('<xml/>', 'application/xml')).status).toBe(415);
  });

  test('NUL in an authorization request is refused, not a failure', async () => {
    for (const name of ['client_id', 'redirect_uri', 'scope', 'state', 'nonce', 'login_hint']) {
      const { status } = await authorize({ [name]: 'x\0y' });
      expect({ name, isServerError: status >= 500 }).toEqual({ name, isServerError: false });
    }
  });
});
