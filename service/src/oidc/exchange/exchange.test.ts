/** The internal exchange, and the authorization request by POST beside it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askToken, authorizeUrl, newPkce } from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  GOOD_REQUEST,
  type OidcKit,
  openOidcKit,
  SECRET,
} from '../../../test/support/oidc-fixture.ts';

describe.each(RUN_ENGINES)('POST /oauth2/authorize on %s', (engine) => {
  let kit: OidcKit;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
  });
  afterAll(() => kit.stop());

  const post = (body: string, type: string, headers: Record<string, string> = {}) =>
    fetch(`${kit.baseUrl}/oauth2/authorize`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': type, ...headers },
      body,
    });
  const json = (body: unknown, headers: Record<string, string> = {}) =>
    post(JSON.stringify(body), 'application/json', headers);
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >;

  test('a form with response_type is an authorization request: 302 to the same GET', async () => {
    const query = new URL(authorizeUrl(GOOD_REQUEST, newPkce()), kit.baseUrl).search.slice(1);
    const response = await post(query, 'application/x-www-form-urlencoded');
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toMatch(
      new RegExp(`^${kit.baseUrl}/oauth2/authorize\\?response_type=code`),
    );
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('exchanges a business token for a device token, for registered clients only', async () => {
    const login = await kit.tokens.login(kit.userId);
    const response = await json({
      access_token: login.accessToken,
      client_id: 'terminal',
      node_id: 'node-7',
    });
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
    const withSecret = await json({
      access_token: login.accessToken,
      client_id: 'server',
      client_secret: SECRET,
      scope: 'account:read',
    });
    expect(await withSecret.json()).toMatchObject({ scope: 'account:read' });
    for (const [body, status] of [
      [{ access_token: login.accessToken, client_id: 'server' }, 401],
      [{ access_token: login.accessToken, client_id: 'server', client_secret: 'wrong' }, 401],
      [{ access_token: login.accessToken, client_id: 'app' }, 400],
      [{ access_token: login.accessToken, client_id: 'unknown' }, 401],
      [{ access_token: login.deviceToken, client_id: 'terminal' }, 400],
      [{ access_token: 'nonsense', client_id: 'terminal' }, 400],
      [{ access_token: login.accessToken, client_id: 'terminal', scope: 'wallet:write' }, 400],
      [{ access_token: login.accessToken, client_id: 'terminal', more: 'x' }, 400],
      [{ access_token: login.accessToken }, 400],
      [{}, 400],
      [[], 400],
    ] as [unknown, number][])
      expect({ body, status: (await json(body)).status }).toEqual({ body, status });
    expect(
      (await post('access_token=x&client_id=terminal', 'application/x-www-form-urlencoded')).status,
    ).toBe(400);
    expect((await post('x', 'text/plain')).status).toBe(400);
  });

  test('attack: no CORS on it, and cookies decide nothing', async () => {
    const login = await kit.tokens.login(kit.userId);
    const response = await json(
      { access_token: login.accessToken, client_id: 'terminal' },
      { origin: 'https://app.example.test', cookie: '_session=x' },
    );
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
      body: {
        token_type: 'Bearer',
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      },
    });
    for (const change of [
      { subject_token_type: 'urn:x' },
      { audience: 'https://attacker.test' },
      { actor_token: login.accessToken },
      { node_id: 'no spaces' },
      { scope: 'identity:manage' },
    ] as Record<string, string>[])
      expect((await askToken(kit.baseUrl, { ...form, ...change })).status).toBe(400);
    const { rows } = await kit.database.query(
      "select 1 from security_event where user_id = $1 and type = 'token_exchanged'",
      [kit.userId],
    );
    expect(rows.length).toBeGreaterThan(0);
  });
});
