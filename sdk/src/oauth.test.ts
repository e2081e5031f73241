import { expect, test, vi } from 'vitest';
import { createEdgeClient, unwrap } from './client.ts';
import { startDeviceLogin } from './device-login.ts';
import type { TokenSet } from './oauth.ts';
import { createServerClock } from './server-clock.ts';
import { createTokenSource, fixedToken } from './token-source.ts';

/** A service whose token endpoint refuses the grant. */
function setUp() {
  const requests: URLSearchParams[] = [];
  const send = (async (url: string, init?: RequestInit) => {
    requests.push(new URLSearchParams(String(init?.body)));
    const begun = {
      device_code: 'd',
      user_code: 'ABCD-EFGH',
      verification_uri: 'http://edge.test/device',
      expires_in: 600,
      interval: 0.001,
    };
    return url.endsWith('/device_authorization')
      ? Response.json(begun)
      : Response.json(
          { error: 'invalid_grant', error_description: 'grant request is invalid' },
          { status: 400 },
        );
  }) as typeof fetch;
  return {
    requests,
    options: {
      baseUrl: 'http://edge.test',
      clientId: 'c',
      clock: createServerClock(),
      fetch: send,
    },
  };
}

test('a program sends its client id, with a token and without', async () => {
  const names: (string | null)[] = [];
  const send = (async (input: string | Request, init?: RequestInit) => {
    names.push(new Request(input, init).headers.get('user-agent'));
    return Response.json({});
  }) as typeof fetch;
  const named = { ...setUp().options, fetch: send, userAgent: 'edge-terminal/1 (Linux)' };
  await startDeviceLogin(named, { scope: 'openid' });
  await createEdgeClient(named).api.GET('/me');
  await createEdgeClient({ ...named, tokens: fixedToken('a') }).api.GET('/me');
  expect(names).toEqual(Array(3).fill('edge-terminal/1 (Linux)'));
});

test('an unknown device code has expired; its categories were sent', async () => {
  const { requests, options } = setUp();
  const login = await startDeviceLogin(options, { scope: 'openid', categories: ['web', 'video'] });
  await expect(login.wait()).rejects.toMatchObject({
    code: 'expired_token',
    message: 'The code has expired: it was not confirmed in time.',
  });
  expect(requests[0]?.get('device_categories')).toBe('web,video');
  await startDeviceLogin(options, { scope: 'openid' });
  expect(requests.at(-1)?.has('device_categories')).toBe(false);
});

test('a sign-in that has ended is reported as such', async () => {
  const { options } = setUp();
  const stored = {
    accessToken: 'a',
    tokenType: 'Bearer' as const,
    refreshToken: 'r',
    scope: '',
    expiresAt_ms: 0,
  };
  const source = createTokenSource(options, { load: async () => stored, save: async () => {} });
  await expect(source.get()).rejects.toMatchObject({
    status: 401,
    code: 'signed_out',
    message: 'The sign-in has ended: sign in again.',
  });
});

test('a refused token gets the reason from its renewal, else keeps its own refusal', async () => {
  const { options } = setUp();
  const stored = {
    accessToken: 'a',
    tokenType: 'Bearer' as const,
    refreshToken: 'r',
    scope: '',
    expiresAt_ms: Number.POSITIVE_INFINITY,
  };
  const source = createTokenSource(options, { load: async () => stored, save: async () => {} });
  const ask = (tokens: typeof source, code: string) => {
    const send = (async () =>
      Response.json({ status: 401, code, detail: 'Refused.' }, { status: 401 })) as typeof fetch;
    return unwrap(
      createEdgeClient({ baseUrl: 'http://edge.test', tokens, fetch: send }).api.GET('/me'),
    );
  };
  await expect(ask(source, 'invalid_token')).rejects.toMatchObject({
    code: 'signed_out',
    message: 'The sign-in has ended: sign in again.',
  });
  await expect(ask(source, 'token_revoked')).rejects.toMatchObject({
    code: 'token_revoked',
    message: 'Refused.',
  });
  await expect(ask(fixedToken('a'), 'invalid_token')).rejects.toMatchObject({
    code: 'invalid_token',
    message: 'Refused.',
  });
});

test('a refused token is not final while its renewal is unreachable', async () => {
  for (const [answer, code] of [
    [() => Promise.reject(new TypeError('no network')), 'unreachable'],
    [
      async () => Response.json({ status: 503, code: 'unavailable' }, { status: 503 }),
      'unavailable',
    ],
  ] as const) {
    const stored = {
      accessToken: 'a',
      tokenType: 'Bearer' as const,
      refreshToken: 'r',
      scope: '',
      expiresAt_ms: Number.POSITIVE_INFINITY,
    };
    const tokens = createTokenSource(
      { ...setUp().options, fetch: answer },
      { load: async () => stored, save: async () => {} },
    );
    const send = (async () =>
      Response.json({ status: 401, code: 'invalid_token' }, { status: 401 })) as typeof fetch;
    await expect(
      unwrap(createEdgeClient({ baseUrl: 'http://edge.test', tokens, fetch: send }).api.GET('/me')),
    ).rejects.toMatchObject({ code });
  }
});

test('a token that expired during use is renewed once', async () => {
  let refreshed = 0;
  const clock = createServerClock();
  const token = () =>
    Response.json({
      access_token: `a${++refreshed}`,
      token_type: 'Bearer',
      refresh_token: 'r',
      expires_in: 3600,
    });
  let stored: TokenSet = {
    accessToken: 'a0',
    tokenType: 'Bearer',
    refreshToken: 'r',
    scope: '',
    expiresAt_ms: clock.now_ms() + 120_000,
  };
  const store = {
    load: async () => stored,
    async save(next: TokenSet) {
      stored = next;
    },
  };
  const shifted = { ...clock, now_ms: () => clock.now_ms() + passed_ms };
  let passed_ms = 0;
  const tokens = createTokenSource(
    { ...setUp().options, clock: shifted, fetch: async () => token() },
    store,
  );
  const client = createEdgeClient({ baseUrl: 'http://edge.test', tokens });
  expect(await client.authorize('GET', 'http://edge.test/me')).toEqual({
    authorization: 'Bearer a0',
  });
  passed_ms = 120_000;
  // The service closes the connection that was opened with it.
  await client.renewToken();
  expect(await client.authorize('GET', 'http://edge.test/me')).toEqual({
    authorization: 'Bearer a1',
  });
  expect(refreshed).toBe(1);
});

test('answers of a captive portal, and empty ones, are not those of the service', async () => {
  const ask = (answer: Response) => {
    const send = (async () => answer.clone()) as typeof fetch;
    return {
      api: unwrap(
        createEdgeClient({
          baseUrl: 'http://edge.test',
          tokens: fixedToken('a'),
          fetch: send,
        }).api.GET('/me'),
      ),
      login: startDeviceLogin({ ...setUp().options, fetch: send }, { scope: 'openid' }),
    };
  };
  const portal = ask(
    new Response('<html>', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  );
  for (const call of Object.values(portal))
    await expect(call).rejects.toMatchObject({
      status: 0,
      code: 'unreachable',
      message: expect.stringMatching(/^A web page answered instead/),
    });
  const silent = ask(
    new Response('<html>', { status: 501, headers: { 'content-type': 'text/html' } }),
  );
  for (const call of Object.values(silent))
    await expect(call).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The service answered 501 without a reason.',
    });
});

test('polling waits for the Retry-After of the service', async () => {
  vi.useFakeTimers();
  const asked: number[] = [];
  const { options } = setUp();
  const send = (async (url: string) => {
    if (url.endsWith('/device_authorization')) return options.fetch(url);
    asked.push(Date.now());
    if (asked.length > 1)
      return Response.json({ access_token: 'a', token_type: 'Bearer', expires_in: 60 });
    return Response.json(
      { code: 'rate_limited', status: 429 },
      { status: 429, headers: { 'retry-after': '30' } },
    );
  }) as typeof fetch;
  const tokens = (await startDeviceLogin({ ...options, fetch: send }, { scope: 'openid' })).wait();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await tokens).toMatchObject({ accessToken: 'a' });
  expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(30_000);
  vi.useRealTimers();
});
