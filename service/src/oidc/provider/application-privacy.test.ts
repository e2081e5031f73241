/**
 * What an application learns about a user: what was granted, and nothing that two applications can
 * compare.
 */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askToken,
  createBrowser,
  newPkce,
  runToRedirect,
} from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { type OidcKit, openOidcKit, REDIRECT, SECRET } from '../../../test/support/oidc-fixture.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { systemClock } from '../../lib/clock.ts';
import { createClient, updateClient } from '../clients/index.ts';

const EMAIL = 'person@example.test';
const OTHER_REDIRECT = 'https://other.test/cb';
const SIBLING_REDIRECT = 'https://app.example.test/sibling';
const OWN_REDIRECT = 'https://own.test/cb';
const basic = (id: string) => `Basic ${Buffer.from(`${id}:${SECRET}`).toString('base64')}`;

describe.each(RUN_ENGINES)('privacy towards applications on %s', (engine) => {
  let kit: OidcKit;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
    const web = {
      isPublic: true,
      scopes: ['openid', 'email', 'offline_access'],
      grantTypes: ['authorization_code', 'refresh_token'] as const,
    };
    await createClient(kit.database, systemClock, {
      ...web,
      clientId: 'sibling',
      name: 'Sibling',
      redirectUris: [SIBLING_REDIRECT],
      isFirstParty: false,
    });
    await createClient(kit.database, systemClock, {
      ...web,
      clientId: 'own',
      name: 'Own',
      redirectUris: [OWN_REDIRECT],
      isFirstParty: true,
    });
  });
  afterAll(() => kit.stop());

  const introspect = async (token: string, form: object, headers: Record<string, string> = {}) =>
    (
      await fetch(`${kit.baseUrl}/oauth2/introspect`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ token, ...form }),
      })
    ).json() as Promise<Record<string, unknown>>;
  const userInfo = async (token: string) =>
    (
      await fetch(`${kit.baseUrl}/oauth2/userinfo`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).json() as Promise<Record<string, unknown>>;

  /** The claims of a user's tokens at a client, all from one sign-in. */
  async function claimsAt(accessToken: string, clientId: string, redirectUri: string) {
    const pkce = newPkce();
    const redirected = await runToRedirect(
      createBrowser(kit.baseUrl),
      accessToken,
      { client_id: clientId, redirect_uri: redirectUri, scope: 'openid' },
      pkce,
    );
    const { body } = await askToken(kit.baseUrl, {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: redirected.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: pkce.verifier,
    });
    const token = body.access_token ?? '';
    return { token, id: decodeJwt(body.id_token ?? ''), access: decodeJwt(token) };
  }

  test('attack: the email reaches an application that was refused it', async () => {
    const without = await kit.newTokens('openid devices:read');
    const token = without.body.access_token ?? '';
    expect(decodeJwt(token)).not.toHaveProperty('email');
    const seen = [
      await introspect(token, { client_id: 'app' }),
      await introspect(token, {}, { authorization: basic('resource') }),
      await userInfo(token),
      decodeJwt(without.body.id_token ?? ''),
    ];
    expect(seen[0]).toMatchObject({ active: true });
    expect(JSON.stringify(seen)).not.toContain(EMAIL);

    const granted = await kit.newTokens('openid email');
    expect(decodeJwt(granted.body.access_token ?? '')).toMatchObject({ email: EMAIL });
    expect(await introspect(granted.body.access_token ?? '', { client_id: 'app' })).toMatchObject({
      email: EMAIL,
      username: EMAIL,
    });
  });

  // OpenID Connect Core 5.4 and 5.5: ID tokens travel in addresses, as hints.
  test('the email is in userinfo, and in the ID token only where a request asks so', async () => {
    const granted = await kit.newTokens('openid email profile');
    const { id_token: plain = '' } = granted.body;
    expect(decodeJwt(plain)).not.toHaveProperty('email');
    expect(decodeJwt(plain)).not.toHaveProperty('nickname');
    expect(await userInfo(granted.body.access_token ?? '')).toMatchObject({ email: EMAIL });
    const { accessToken } = await kit.tokens.login(kit.userId);
    const pkce = newPkce();
    const claims = JSON.stringify({ id_token: { email: null } });
    const request = { client_id: 'app', redirect_uri: REDIRECT, scope: 'openid', claims };
    const redirected = await runToRedirect(createBrowser(kit.baseUrl), accessToken, request, pkce);
    const { body } = await askToken(kit.baseUrl, {
      ...{ grant_type: 'authorization_code', client_id: 'app', redirect_uri: REDIRECT },
      ...{ code: redirected.get('code') ?? '', code_verifier: pkce.verifier },
    });
    expect(decodeJwt(body.id_token ?? '')).toMatchObject({ email: EMAIL });
  });

  test('a device token names no email, its own login included', async () => {
    const { accessToken, deviceToken } = await kit.tokens.login(kit.userId, { email: EMAIL });
    expect(decodeJwt(accessToken)).toMatchObject({ email: EMAIL, sub: String(kit.userId) });
    expect(decodeJwt(deviceToken)).not.toHaveProperty('email');
    const exchange = await fetch(`${kit.baseUrl}/oauth2/authorize`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ access_token: accessToken, client_id: 'terminal' }),
    });
    const { device_token } = (await exchange.json()) as { device_token: string };
    const claims = decodeJwt(device_token);
    expect(claims).toMatchObject({ sub: String(kit.userId) });
    expect(claims).not.toHaveProperty('email');
  });

  test('attack: two applications compare the subject or the session of a user', async () => {
    const { accessToken, sid } = await kit.tokens.login(kit.userId);
    const at = {
      app: await claimsAt(accessToken, 'app', REDIRECT),
      other: await claimsAt(accessToken, 'other', OTHER_REDIRECT),
    };
    const known = new Set(
      Object.values(at).flatMap(({ id, access }) => {
        expect([access.sub, access.sid]).toEqual([id.sub, id.sid]);
        return [id.sub, id.sid];
      }),
    );
    expect(known.size).toBe(4);
    expect(known).not.toContain(String(kit.userId));
    expect(known).not.toContain(sid);
    for (const { token, id } of Object.values(at)) {
      expect(await userInfo(token)).toEqual({ sub: id.sub });
      expect(await introspect(token, { client_id: id.aud })).toMatchObject({
        sub: id.sub,
        sid: id.sid,
      });
    }
    expect(await introspect(at.app.token, {}, { authorization: basic('resource') })).toMatchObject({
      sub: String(kit.userId),
      sid,
    });
  });

  test('applications of one host share a subject, but no session', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const app = await claimsAt(accessToken, 'app', REDIRECT);
    const sibling = await claimsAt(accessToken, 'sibling', SIBLING_REDIRECT);
    expect(sibling.id.sub).toBe(app.id.sub);
    expect(sibling.id.sid).not.toBe(app.id.sid);
    const stranger = await kit.tokens.login(await insertUser(kit.database));
    expect((await claimsAt(stranger.accessToken, 'app', REDIRECT)).id.sub).not.toBe(app.id.sub);
    const redirectUris = [SIBLING_REDIRECT, 'https://second.test/cb'];
    await updateClient(kit.database, systemClock, 'sibling', { redirectUris });
    const { id } = await claimsAt(accessToken, 'sibling', 'https://second.test/cb');
    expect(id.sub).toBe(app.id.sub);
  });

  test('a first-party application gets the user id and the session of the service', async () => {
    const { accessToken, sid } = await kit.tokens.login(kit.userId);
    const { id, access, token } = await claimsAt(accessToken, 'own', OWN_REDIRECT);
    expect(id).toMatchObject({ sub: String(kit.userId), sid });
    expect(access).toMatchObject({ sub: String(kit.userId), sid });
    expect(await userInfo(token)).toMatchObject({ sub: String(kit.userId) });
  });

  test('a refreshed token keeps subject and session, and ends with the sign-in', async () => {
    const { body, login } = await kit.newTokens('openid offline_access account:read');
    const refreshed = await kit.refresh(body.refresh_token ?? '');
    const before = decodeJwt(body.id_token ?? '');
    const after = decodeJwt(refreshed.body.id_token ?? '');
    expect([after.sub, after.sid]).toEqual([before.sub, before.sid]);
    const token = refreshed.body.access_token ?? '';
    expect(await kit.callApi(token)).toBe(200);
    const out = await fetch(`${kit.baseUrl}/user/logout`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${login.accessToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ id: kit.userId }),
    });
    expect(out.status).toBe(204);
    await expect.poll(() => kit.callApi(token)).toBe(401);
  });

  test('discovery says that subjects are pairwise', async () => {
    const discovery = await (await fetch(`${kit.baseUrl}/.well-known/openid-configuration`)).json();
    expect(discovery).toMatchObject({ subject_types_supported: ['public', 'pairwise'] });
  });
});
