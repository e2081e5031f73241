/** Consent, and attempts to bypass it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askToken,
  authorizeUrl,
  createBrowser,
  decide,
  newPkce,
  runToRedirect,
} from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  errorAt,
  GOOD_REQUEST,
  interactionOf,
  LOOPBACK_REDIRECT,
  type OidcKit,
  openOidcKit,
  REDIRECT,
} from '../../../test/support/oidc-fixture.ts';
import { pairwiseSubject } from '../../../test/support/pairwise.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { systemClock } from '../../lib/clock.ts';
import { createClient } from '../clients/index.ts';
import {
  createInteractionEncryption,
  type WaitingRequest,
} from '../provider/interaction-encryption.ts';

const encryption = createInteractionEncryption(testMasterKey);
const reseal = (id: string, change: Partial<WaitingRequest>): string =>
  encryption.request.encrypt({ ...(encryption.request.decrypt(id) as WaitingRequest), ...change });

describe.each(RUN_ENGINES)('consent on %s', (engine) => {
  let kit: OidcKit;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
  });
  afterAll(() => kit.stop());

  const authorize = (parameters: Record<string, string>, drop?: string[]) =>
    kit.authorize(parameters, drop);

  async function begin(parameters: Record<string, string> = {}) {
    const browser = createBrowser(kit.baseUrl);
    const pkce = newPkce();
    const { location } = await browser.get(authorizeUrl({ ...GOOD_REQUEST, ...parameters }, pkce));
    return { browser, pkce, id: interactionOf(location) };
  }
  const consent = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${kit.baseUrl}/oauth2/authorize/consent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  test('checklist 15: describes what is requested', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const { id } = await begin();
    const response = await fetch(`${kit.baseUrl}/oauth2/authorize/consent?interaction_id=${id}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
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

  test('checklist 8: attack: CSRF: cookies decide nothing, only an access token does', async () => {
    const { id, browser } = await begin();
    const cookie = browser.jar.map(({ name, value }) => `${name}=${value}`).join('; ');
    expect(
      (
        await consent(
          { interaction_id: id, decision: 'allow' },
          { cookie, origin: 'https://attacker.test' },
        )
      ).status,
    ).toBe(401);
    const { deviceToken } = await kit.tokens.login(kit.userId);
    expect(
      (
        await consent(
          { interaction_id: id, decision: 'allow' },
          { authorization: `Bearer ${deviceToken}` },
        )
      ).status,
    ).toBe(403);
    const preflight = await fetch(`${kit.baseUrl}/oauth2/authorize/consent`, {
      method: 'OPTIONS',
      headers: { origin: 'https://attacker.test', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('attack: scopes that were not asked for', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const { id } = await begin();
    const response = await consent(
      { interaction_id: id, decision: 'allow', scopes: ['openid', 'devices:write'] },
      { authorization: `Bearer ${accessToken}` },
    );
    expect(response.status).toBe(400);
    const wide = await authorize({ scope: 'openid wallet:write identity:manage operator:ledger' });
    expect(errorAt(wide.location)).toBe('invalid_scope');
  });

  test('a user may grant less than is requested', async () => {
    const { accessToken } = await kit.tokens.login(await insertUser(kit.database));
    const { browser, pkce, id } = await begin({ scope: 'openid account:read devices:read' });
    const { location } = await browser.get(
      await decide(kit.baseUrl, accessToken, id, { scopes: ['openid', 'devices:read'] }),
    );
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

  test('checklist 5: a refusal arrives as access_denied with iss and state', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const { browser, id } = await begin();
    const next = await decide(kit.baseUrl, accessToken, id, { decision: 'deny' });
    const { location } = await browser.get(next);
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
      error: 'access_denied',
      iss: kit.baseUrl,
      state: 's1',
    });
  });

  test('prompt=login needs a sign-in made after the request', async () => {
    const userId = await insertUser(kit.database);
    const old = await kit.tokens.login(userId);
    const { browser, id } = await begin({ prompt: 'login' });
    const { iat } = encryption.request.decrypt(id) as WaitingRequest;
    const refused = await consent(
      { interaction_id: reseal(id, { iat: iat + 60 }), decision: 'allow' },
      { authorization: `Bearer ${old.accessToken}` },
    );
    expect(await refused.json()).toMatchObject({ code: 'reauthentication_required' });
    const fresh = await kit.tokens.login(userId);
    expect(
      (await browser.get(await decide(kit.baseUrl, fresh.accessToken, id))).location,
    ).toContain('code=');
  });

  test('is remembered for the same scopes, not for more, never on loopback', async () => {
    const { accessToken } = await kit.tokens.login(await insertUser(kit.database));
    const browser = createBrowser(kit.baseUrl);
    const run = (parameters: Record<string, string>) =>
      runToRedirect(browser, accessToken, { ...GOOD_REQUEST, ...parameters }, newPkce());
    await run({});
    const silent = await browser.get(authorizeUrl({ ...GOOD_REQUEST, prompt: 'none' }, newPkce()));
    expect(silent.location).toContain('code=');
    const more = await browser.get(
      authorizeUrl(
        { ...GOOD_REQUEST, scope: 'openid account:read devices:read', prompt: 'none' },
        newPkce(),
      ),
    );
    expect(errorAt(more.location)).toBe('consent_required');
    const native = { client_id: 'native', redirect_uri: LOOPBACK_REDIRECT };
    await run(native);
    expect(
      new URL(
        (await browser.get(authorizeUrl({ ...GOOD_REQUEST, ...native, prompt: 'none' }, newPkce())))
          .location,
      ).searchParams.get('error'),
    ).toBe('interaction_required');
  });

  test('attack: a loopback program that poses as a first-party client needs consent', async () => {
    const fields = {
      isPublic: true,
      isFirstParty: true,
      scopes: ['openid', 'account:read', 'offline_access'],
      grantTypes: ['authorization_code'] as const,
    };
    const add = (clientId: string, uri: string) =>
      createClient(kit.database, systemClock, {
        ...fields,
        clientId,
        name: clientId,
        redirectUris: [uri],
      });
    await add('first-native', LOOPBACK_REDIRECT);
    await add('first-web', REDIRECT);
    const { accessToken } = await kit.tokens.login(await insertUser(kit.database));
    const headers = { authorization: `Bearer ${accessToken}` };
    const isAllowedAlready = async (parameters: Record<string, string>) => {
      const { id } = await begin(parameters);
      const asked = await fetch(`${kit.baseUrl}/oauth2/authorize/consent?interaction_id=${id}`, {
        headers,
      });
      return ((await asked.json()) as { allowed_already: boolean }).allowed_already;
    };
    const loopback = { redirect_uri: 'http://127.0.0.1:45678/done' };
    expect(await isAllowedAlready({ client_id: 'first-web' })).toBe(true);
    expect(
      await isAllowedAlready({
        client_id: 'edge-console',
        redirect_uri: `${kit.baseUrl}/callback`,
      }),
    ).toBe(true);
    expect(await isAllowedAlready({ client_id: 'first-native', ...loopback })).toBe(false);
    await runToRedirect(
      createBrowser(kit.baseUrl),
      accessToken,
      { ...GOOD_REQUEST, scope: 'openid account:read offline_access' },
      newPkce(),
    );
    expect(await isAllowedAlready({})).toBe(true);
    // Regardless of who registered the client, and of earlier consents.
    for (const client_id of ['first-web', 'app']) {
      expect(await isAllowedAlready({ client_id, prompt: 'consent' })).toBe(false);
      expect(await isAllowedAlready({ client_id, scope: 'openid offline_access' })).toBe(false);
    }
  });

  test('attack: consent to a device does not count for an application of its name', async () => {
    const fields = {
      name: 'Both',
      isPublic: true,
      isFirstParty: false,
      redirectUris: [REDIRECT],
      scopes: ['openid', 'account:read', 'devices:write'],
    };
    const grantTypes = [
      'authorization_code',
      'urn:ietf:params:oauth:grant-type:device_code',
    ] as const;
    const { accessToken } = await kit.tokens.login(await insertUser(kit.database));
    const allowDevice = async (client_id: string) => {
      const form = new URLSearchParams({ client_id, scope: 'openid devices:write' });
      const begun = await fetch(`${kit.baseUrl}/oauth2/device_authorization`, {
        method: 'POST',
        body: form,
      });
      const { user_code } = (await begun.json()) as { user_code: string };
      const headers = {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
      };
      const body = JSON.stringify({ user_code, decision: 'allow' });
      expect(
        (await fetch(`${kit.baseUrl}/oauth2/device`, { method: 'POST', headers, body })).status,
      ).toBe(204);
    };
    const wide = { scope: 'openid account:read devices:write', prompt: 'none' };
    for (const clientId of ['both-1', 'both-2'])
      await createClient(kit.database, systemClock, { ...fields, grantTypes, clientId });
    for (const [client_id, isDeviceFirst] of [
      ['both-1', true],
      ['both-2', false],
    ] as const) {
      const browser = createBrowser(kit.baseUrl);
      if (isDeviceFirst) await allowDevice(client_id);
      await runToRedirect(browser, accessToken, { ...GOOD_REQUEST, client_id }, newPkce());
      if (!isDeviceFirst) await allowDevice(client_id);
      const silent = await browser.get(
        authorizeUrl({ ...GOOD_REQUEST, client_id, ...wide }, newPkce()),
      );
      expect({ client_id, error: errorAt(silent.location) }).toEqual({
        client_id,
        error: 'consent_required',
      });
    }
  });

  test('the provider’s cookie session ends with the sign-in that it came from', async () => {
    const login = await kit.tokens.login(await insertUser(kit.database));
    const browser = createBrowser(kit.baseUrl);
    await runToRedirect(browser, login.accessToken, GOOD_REQUEST, newPkce());
    expect(
      (await browser.get(authorizeUrl({ ...GOOD_REQUEST, prompt: 'none' }, newPkce()))).location,
    ).toContain('code=');
    await kit.database.query(
      "update user_session set ended_at = now(), end_reason = 'logout' where sid = $1",
      [login.sid],
    );
    const silent = await browser.get(authorizeUrl({ ...GOOD_REQUEST, prompt: 'none' }, newPkce()));
    expect(errorAt(silent.location)).toBe('login_required');
    expect((await browser.get(authorizeUrl(GOOD_REQUEST, newPkce()))).location).toContain(
      'interaction_id=',
    );
  });

  test('another user of the same browser inherits nothing', async () => {
    const [first, second] = [await insertUser(kit.database), await insertUser(kit.database)];
    const browser = createBrowser(kit.baseUrl);
    await runToRedirect(
      browser,
      (await kit.tokens.login(first)).accessToken,
      GOOD_REQUEST,
      newPkce(),
    );
    const pkce = newPkce();
    const redirected = await runToRedirect(
      browser,
      (await kit.tokens.login(second)).accessToken,
      { ...GOOD_REQUEST, prompt: 'consent' },
      pkce,
    );
    const { body } = await askToken(kit.baseUrl, {
      grant_type: 'authorization_code',
      client_id: 'app',
      code: redirected.get('code') ?? '',
      redirect_uri: REDIRECT,
      code_verifier: pkce.verifier,
    });
    const claims = JSON.parse(
      Buffer.from(body.access_token?.split('.')[1] ?? '', 'base64url').toString(),
    ) as { sub: string };
    expect(claims.sub).toBe(pairwiseSubject('app.example.test', second));
  });

  test('checklist 15: connections are listed and can be revoked, with their tokens', async () => {
    const userId = await insertUser(kit.database);
    const { accessToken } = await kit.tokens.login(userId);
    const pkce = newPkce();
    const redirected = await runToRedirect(
      createBrowser(kit.baseUrl),
      accessToken,
      { ...GOOD_REQUEST, scope: 'openid account:read offline_access' },
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
    const list = async () =>
      (await (await fetch(`${kit.baseUrl}/me/connections`, { headers })).json()) as {
        connections: { client_id: string }[];
      };
    expect(await list()).toMatchObject({
      connections: [{ client_id: 'app', client_name: 'App', remembered: true }],
    });
    const remove = () => fetch(`${kit.baseUrl}/me/connections/app`, { method: 'DELETE', headers });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect(await list()).toEqual({ connections: [] });
    await expect.poll(() => kit.callApi(body.access_token ?? '')).toBe(401);
    expect((await kit.refresh(body.refresh_token ?? '')).status).toBe(400);
    expect(await kit.callApi(accessToken)).toBe(200);
  });
});
