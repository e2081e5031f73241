/** Roles of groups in an application, and the claim that it alone sees. */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askToken,
  createBrowser,
  newPkce,
  runToRedirect,
} from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { type OidcKit, openOidcKit } from '../../../test/support/oidc-fixture.ts';

const SCOPE = 'openid roles offline_access';

describe.each(RUN_ENGINES)('roles on %s', (engine) => {
  let kit: OidcKit;
  let operator: Record<string, string>;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
    operator = {
      authorization: `Bearer ${await kit.tokens.operator('operator:users operator:clients')}`,
      'content-type': 'application/json',
    };
    for (const [clientId, role] of [
      ['shop', 'manager'],
      ['wiki', 'editor'],
    ] as const) {
      const created = await call('POST', '/operator/clients', {
        ...{ client_id: clientId, client_name: clientId, type: 'public' },
        redirect_uris: [redirectOf(clientId)],
        scopes: SCOPE.split(' '),
        roles: [
          { group: 'admins', role },
          { group: 'admins', role: 'all' },
          { group: 'edge/eu', role },
          { group: 'others', role: 'other' },
        ],
      });
      expect(created.status).toBe(200);
    }
  });
  afterAll(() => kit.stop());

  const redirectOf = (clientId: string) => `https://${clientId}.test/cb`;
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${kit.baseUrl}${path}`, {
      ...{ method, headers: operator },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const assign = (groups: readonly string[]) =>
    call('PUT', `/operator/users/${kit.userId}/groups`, { groups });
  const post = async (path: string, form: Record<string, string>) =>
    (
      await fetch(`${kit.baseUrl}${path}`, { method: 'POST', body: new URLSearchParams(form) })
    ).json() as Promise<Record<string, unknown>>;
  const userInfo = async (token: string) =>
    (
      await fetch(`${kit.baseUrl}/oauth2/userinfo`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).json() as Promise<Record<string, unknown>>;

  async function signInAt(clientId: string, asked: Record<string, string> = { scope: SCOPE }) {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const pkce = newPkce();
    const redirect_uri = redirectOf(clientId);
    const request = { client_id: clientId, redirect_uri, prompt: 'consent', ...asked };
    const redirected = await runToRedirect(createBrowser(kit.baseUrl), accessToken, request, pkce);
    const { body } = await askToken(kit.baseUrl, {
      ...{ grant_type: 'authorization_code', client_id: clientId, redirect_uri },
      ...{ code: redirected.get('code') ?? '', code_verifier: pkce.verifier },
    });
    const { access_token = '', id_token = '', refresh_token = '' } = body;
    return { access_token, id_token, refresh_token };
  }

  const claimsOf = async (clientId: string, tokens: Awaited<ReturnType<typeof signInAt>>) => [
    decodeJwt(tokens.id_token),
    decodeJwt(tokens.access_token),
    await userInfo(tokens.access_token),
    await post('/oauth2/introspect', { token: tokens.access_token, client_id: clientId }),
  ];

  test('each application sees its own, once each, and no groups', async () => {
    await assign(['admins', 'edge/eu', 'unmapped']);
    for (const [clientId, roles] of [
      ['shop', ['all', 'manager']],
      ['wiki', ['all', 'editor']],
    ] as const)
      for (const claims of await claimsOf(clientId, await signInAt(clientId))) {
        expect(claims).toMatchObject({ roles });
        expect(claims).not.toHaveProperty('groups');
      }
  });

  test('they follow the groups of the person and the roles of the application', async () => {
    await assign(['edge/eu']);
    const tokens = await signInAt('shop');
    const refresh = async () => {
      const { access_token } = await post('/oauth2/token', {
        ...{ grant_type: 'refresh_token', client_id: 'shop' },
        refresh_token: tokens.refresh_token,
      });
      return decodeJwt(String(access_token));
    };
    expect(await userInfo(tokens.access_token)).toMatchObject({ roles: ['manager'] });
    await assign(['others']);
    expect(await userInfo(tokens.access_token)).toMatchObject({ roles: ['other'] });
    await assign([]);
    expect(await userInfo(tokens.access_token)).not.toHaveProperty('roles');
    expect(await refresh()).not.toHaveProperty('roles');
  });

  test('without the scope, or without a role, there is no claim', async () => {
    await assign(['admins']);
    for (const claims of await claimsOf('shop', await signInAt('shop', { scope: 'openid' })))
      expect(claims).not.toHaveProperty('roles');
    await assign(['unmapped']);
    for (const claims of await claimsOf('shop', await signInAt('shop')))
      expect(claims).not.toHaveProperty('roles');
  });

  test('asking for the claim asks for the scope, and discovery lists both', async () => {
    await assign(['admins']);
    const claims = JSON.stringify({ id_token: { roles: null } });
    const { id_token } = await signInAt('wiki', { scope: 'openid', claims });
    expect(decodeJwt(id_token)).toMatchObject({ roles: ['all', 'editor'] });
    const discovery = await call('GET', '/.well-known/openid-configuration');
    expect(discovery.body).toMatchObject({
      scopes_supported: expect.arrayContaining(['roles']),
      claims_supported: expect.arrayContaining(['roles']),
    });
  });

  test('they are replaced as a whole, and have names', async () => {
    const path = '/operator/clients/wiki';
    const roles = [{ group: 'admins', role: 'chief' }];
    expect(await call('PATCH', path, { roles })).toMatchObject({ status: 200, body: { roles } });
    const tokens = await signInAt('wiki');
    expect(decodeJwt(tokens.access_token)).toMatchObject({ roles: ['chief'] });
    for (const wrong of [
      [{ group: 'admins' }],
      [{ group: 'with space', role: 'a' }],
      [{ group: 'a', role: '' }],
      [...roles, ...roles],
      [{ group: 'a', role: 'a', more: 1 }],
      'admins',
    ])
      expect((await call('PATCH', path, { roles: wrong })).status).toBe(400);
    expect((await call('PATCH', path, { roles: [] })).body).not.toHaveProperty('roles');
  });

  test('an application that registers itself cannot say who has which role', async () => {
    const issued = await call('POST', '/operator/registration-tokens', {
      scopes: ['openid', 'roles'],
    });
    const registered = await fetch(`${kit.baseUrl}/oauth2/register`, {
      method: 'POST',
      headers: { ...operator, authorization: `Bearer ${issued.body.token}` },
      body: JSON.stringify({
        ...{ client_name: 'Curious', redirect_uris: ['https://curious.test/cb'] },
        ...{ token_endpoint_auth_method: 'none', roles: [{ group: 'admins', role: 'admin' }] },
      }),
    });
    const { client_id, ...client } = (await registered.json()) as { client_id: string };
    expect(registered.status).toBe(201);
    expect(client).not.toHaveProperty('roles');
    const stored = await call('GET', `/operator/clients/${client_id}`);
    expect(stored.body).not.toHaveProperty('roles');
  });
});
