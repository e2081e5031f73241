/** Logout that an application asks for, and logout tokens to applications. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Browser, createBrowser } from '../../../test/support/browser-flow.ts';
import { queryAsOwner, RUN_ENGINES } from '../../../test/support/databases.ts';
import { type OidcKit, openOidcKit, REDIRECT } from '../../../test/support/oidc-fixture.ts';
import { openOfUser } from '../../identity/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { createClient, updateClient } from '../clients/index.ts';

const BACK = 'https://told.example.test/bye';
const TOLD = 'https://told.example.test/cb';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** An application's endpoint for logout tokens. */
async function startReceiver() {
  const received: string[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    received.push(new URLSearchParams(body).get('logout_token') ?? '');
    response.writeHead(statuses.shift() ?? 200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    received,
    /** Statuses of the next answers; then 200. */
    statuses,
    url: `http://127.0.0.1:${port}/logout`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

describe.each(RUN_ENGINES)('logout on %s', (engine) => {
  let kit: OidcKit;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  beforeAll(async () => {
    receiver = await startReceiver();
    kit = await openOidcKit(engine, { OUTGOING_LOOPBACK: 'allow' });
    await createClient(kit.database, systemClock, {
      clientId: 'told',
      name: 'Told & Co',
      isPublic: true,
      isFirstParty: false,
      redirectUris: [TOLD],
      scopes: ['openid', 'offline_access'],
      grantTypes: ['authorization_code', 'refresh_token'],
      metadata: { post_logout_redirect_uris: [BACK], backchannel_logout_uri: receiver.url },
    });
  });
  afterAll(async () => {
    await kit.stop();
    await receiver.stop();
  });
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.statuses.length = 0;
  });

  const verify = async (token: string): Promise<JWTPayload> => {
    const keys = createRemoteJWKSet(new URL(`${kit.baseUrl}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(token, keys, {
      issuer: kit.baseUrl,
      audience: 'told',
      typ: 'logout+jwt',
      algorithms: ['RS256'],
    });
    return payload;
  };
  const logoutUrl = (parameters: Record<string, string>) =>
    `/oauth2/logout?${new URLSearchParams(parameters)}`;
  const xsrfOf = (page: string): string => /name="xsrf" value="([0-9a-f]+)"/.exec(page)?.[1] ?? '';
  const choose = (browser: Browser, form: Record<string, string>) =>
    fetch(`${kit.baseUrl}/oauth2/logout/confirm`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: browser.jar.map(({ name, value }) => `${name}=${value}`).join('; ') },
      body: new URLSearchParams(form),
    });
  const isSignedIn = async (accessToken: string): Promise<boolean> =>
    (await kit.callApi(accessToken)) === 200;
  const waiting = async (): Promise<number> =>
    (await kit.database.query('select 1 from logout_notice')).rowCount ?? 0;
  const signIn = () => kit.newTokens('openid', 'told', TOLD);

  test('discovery lists what is supported', async () => {
    const response = await fetch(`${kit.baseUrl}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({
      end_session_endpoint: `${kit.baseUrl}/oauth2/logout`,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    });
  });

  test('the user is asked, signs out everywhere, and returns to the application', async () => {
    const { body, login, browser } = await signIn();
    const parameters = {
      id_token_hint: body.id_token ?? '',
      post_logout_redirect_uri: BACK,
      state: 'a b',
    };
    const page = await browser.get(logoutUrl(parameters));
    expect(page.status).toBe(200);
    expect(page.text).toContain('Told &amp; Co asks to sign you out.');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("form-action 'self' https://told.example.test;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.text).not.toContain('<script');
    expect(await isSignedIn(login.accessToken)).toBe(true);
    const done = await choose(browser, { xsrf: xsrfOf(page.text), logout: 'yes' });
    expect(done.status).toBe(303);
    expect(done.headers.get('location')).toBe(`${BACK}?state=a+b`);
    expect(done.headers.getSetCookie().join()).toContain('expires=Thu, 01 Jan 1970');
    await expect.poll(() => isSignedIn(login.accessToken)).toBe(false);
    await expect.poll(() => receiver.received.length).toBe(1);
    const { sub, sid } = decodeJwt(body.id_token ?? '');
    const claims = await verify(receiver.received[0] ?? '');
    expect(claims).toMatchObject({ sub, sid, events: { [EVENT]: {} } });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(120);
    expect(claims.jti).toMatch(/./);
    expect(claims).not.toHaveProperty('nonce');
    await expect.poll(waiting).toBe(0);
    const { rows } = await kit.database.query<{ sealed: Buffer }>(
      "select sealed from security_event where type = 'signed_out' order by id desc limit 1",
    );
    const sealed = rows.map((row) => row.sealed);
    const [event] = await openOfUser(kit.database, kit.userId, sealed);
    expect(event).toMatchObject({ details: { client_id: 'told' } });
  });

  test('the user may leave the application and stay signed in', async () => {
    const { body, login, browser } = await signIn();
    const page = await browser.get(
      logoutUrl({ id_token_hint: body.id_token ?? '', post_logout_redirect_uri: BACK }),
    );
    const done = await choose(browser, { xsrf: xsrfOf(page.text) });
    expect(done.headers.get('location')).toBe(BACK);
    await expect.poll(() => receiver.received.length).toBe(1);
    expect((await verify(receiver.received[0] ?? '')).sid).toBe(decodeJwt(body.id_token ?? '').sid);
    expect(await isSignedIn(login.accessToken)).toBe(true);
  });

  test('without an application the page names none, and staying leads to the console', async () => {
    const { login, browser } = await signIn();
    const page = await browser.get(logoutUrl({ post_logout_redirect_uri: BACK, state: 's' }));
    expect(page.text).toContain('An application asks to sign you out.');
    const stayed = await choose(browser, { xsrf: xsrfOf(page.text) });
    expect(stayed.headers.get('location')).toBe(`${kit.baseUrl}/`);
    const again = await browser.get(logoutUrl({}));
    const done = await choose(browser, { xsrf: xsrfOf(again.text), logout: 'yes' });
    expect(done.headers.get('location')).toBe(`${kit.baseUrl}/oauth2/logout/success`);
    const success = await browser.get('/oauth2/logout/success', { 'accept-language': 'zh-CN' });
    expect(success.text).toContain('您已退出登录');
    await expect.poll(() => isSignedIn(login.accessToken)).toBe(false);
  });

  test('a form of another site signs no user out', async () => {
    const { login, browser } = await signIn();
    const page = await browser.get(logoutUrl({ client_id: 'told' }));
    for (const form of [
      { xsrf: '', logout: 'yes' },
      { xsrf: '0'.repeat(48), logout: 'yes' },
    ])
      expect((await choose(browser, form)).status).toBe(400);
    const stranger = createBrowser(kit.baseUrl);
    expect((await choose(stranger, { xsrf: xsrfOf(page.text), logout: 'yes' })).status).toBe(400);
    expect(await isSignedIn(login.accessToken)).toBe(true);
  });

  test('a malformed request is refused on a page, never redirected', async () => {
    const { body, browser } = await signIn();
    const hint = body.id_token ?? '';
    const [head, , signature] = hint.split('.');
    const other = Buffer.from(JSON.stringify({ ...decodeJwt(hint), sub: 'x' })).toString(
      'base64url',
    );
    const registered = { post_logout_redirect_uri: BACK };
    const wrong: Record<string, string>[] = [
      { id_token_hint: hint, post_logout_redirect_uri: `${BACK}?x=1` },
      { id_token_hint: hint, post_logout_redirect_uri: 'https://evil.example/' },
      { id_token_hint: hint, client_id: 'app', ...registered },
      { id_token_hint: 'no', ...registered },
      { id_token_hint: `${head}.${other}.${signature}`, ...registered },
      { client_id: 'unknown', ...registered },
      { client_id: 'app', ...registered },
    ];
    for (const parameters of wrong) {
      const { status, location } = await browser.get(logoutUrl(parameters));
      expect({ parameters, status, location }).toEqual({ parameters, status: 400, location: '' });
    }
  });

  test('without a signed-in user there is no question', async () => {
    const parameters = { client_id: 'told', post_logout_redirect_uri: BACK, state: 'x' };
    const there = await createBrowser(kit.baseUrl).get(logoutUrl(parameters));
    expect([there.status, there.location]).toEqual([302, `${BACK}?state=x`]);
    const plain = await createBrowser(kit.baseUrl).get(logoutUrl({}));
    expect(plain.location).toBe(`${kit.baseUrl}/oauth2/logout/success`);
    const post = await fetch(`${kit.baseUrl}/oauth2/logout`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(parameters),
    });
    expect([post.status, post.headers.get('location')]).toEqual([
      303,
      `${kit.baseUrl}${logoutUrl(parameters)}`,
    ]);
  });

  test('every end of a session is announced, and a failed delivery is repeated', async () => {
    const { body, login } = await signIn();
    receiver.statuses.push(500);
    const out = await fetch(`${kit.baseUrl}/user/logout`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${login.accessToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ id: kit.userId }),
    });
    expect(out.status).toBe(204);
    await expect.poll(() => receiver.received.length).toBe(1);
    const postponed = () =>
      kit.database.query(
        `update logout_notice set next_attempt_at = now()
         where attempts = 1 and next_attempt_at < now() + interval '30 seconds'`,
      );
    await expect.poll(async () => (await postponed()).rowCount).toBe(1);
    await kit.database.query("select pg_notify('logout_notice', '')");
    await expect.poll(() => receiver.received.length).toBe(2);
    const [first, second] = await Promise.all(receiver.received.map(verify));
    expect(second?.sid).toBe(decodeJwt(body.id_token ?? '').sid);
    expect(second?.jti).not.toBe(first?.jti);
    await expect.poll(waiting).toBe(0);
  });

  test('after the last attempt the token waits for the operator', async () => {
    const { login } = await signIn();
    receiver.statuses.push(503);
    await queryAsOwner(
      kit.database,
      `create function last_attempt() returns trigger language plpgsql as
        $$ begin new.attempts = 6; return new; end $$`,
    );
    await queryAsOwner(
      kit.database,
      `create trigger last_attempt before insert on logout_notice
        for each row execute function last_attempt()`,
    );
    await kit.database.query(
      'update user_session set ended_at = now(), end_reason = $2 where sid = $1',
      [login.sid, 'logout'],
    );
    const failed = async () =>
      (await kit.database.query('select 1 from logout_notice where next_attempt_at is null'))
        .rowCount;
    await expect.poll(failed).toBe(1);
    const scrape = await fetch(`${kit.baseUrl}/metrics`, {
      headers: { authorization: `Bearer ${await kit.tokens.operator('operator:metrics')}` },
    });
    expect(await scrape.text()).toContain('edge_account_logout_notices{state="failed"} 1');
    await queryAsOwner(kit.database, 'drop trigger last_attempt on logout_notice');
    await kit.database.query('delete from logout_notice');
  });

  test('an application without a logout address receives nothing', async () => {
    const { login } = await kit.newTokens('openid', 'app', REDIRECT);
    const { rowCount } = await kit.database.query(
      'select 1 from application_session where sid = $1',
      [login.sid],
    );
    expect(rowCount).toBe(0);
  });

  test('a code is worthless after its session has ended', async () => {
    const { form, login } = await kit.newCode('openid', 'told', TOLD);
    await kit.database.query(
      "update user_session set ended_at = now(), end_reason = 'logout' where sid = $1",
      [login.sid],
    );
    const response = await fetch(`${kit.baseUrl}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: 'invalid_grant' },
    ]);
  });

  test('an application that removes its address receives nothing more', async () => {
    const { login } = await signIn();
    const change = (backchannel_logout_uri: string) =>
      updateClient(kit.database, systemClock, 'told', { metadata: { backchannel_logout_uri } });
    expect((await change('')).metadata).toEqual({ post_logout_redirect_uris: [BACK] });
    await kit.database.query(
      "update user_session set ended_at = now(), end_reason = 'logout' where sid = $1",
      [login.sid],
    );
    await expect.poll(waiting).toBe(0);
    expect(receiver.received).toEqual([]);
    await change(receiver.url);
  });
});
