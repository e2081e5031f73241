/** Groups that an operator assigns, and the claim that applications see. */
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
import { systemClock } from '../../lib/clock.ts';
import { createClient } from '../clients/index.ts';

const REDIRECT = 'https://staff.test/cb';
const SCOPE = 'openid groups offline_access';

describe.each(RUN_ENGINES)('groups on %s', (engine) => {
  let kit: OidcKit;
  let operator: Record<string, string>;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
    operator = {
      authorization: `Bearer ${await kit.tokens.operator('operator:users')}`,
      'content-type': 'application/json',
    };
    await createClient(kit.database, systemClock, {
      ...{ clientId: 'staff', name: 'Staff', isPublic: true, isFirstParty: false },
      redirectUris: [REDIRECT],
      scopes: ['openid', 'groups', 'offline_access'],
      grantTypes: ['authorization_code', 'refresh_token'],
    });
  });
  afterAll(() => kit.stop());

  const assign = async (groups: unknown, userId = kit.userId) => {
    const url = `${kit.baseUrl}/operator/users/${userId}/groups`;
    const body = JSON.stringify({ groups });
    const answer = await fetch(url, { method: 'PUT', headers: operator, body });
    return { status: answer.status, body: (await answer.json()) as { groups?: string[] } };
  };
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

  async function signInAt(clientId: string, redirectUri: string, scope: string) {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const pkce = newPkce();
    const request = { client_id: clientId, redirect_uri: redirectUri, scope, prompt: 'consent' };
    const redirected = await runToRedirect(createBrowser(kit.baseUrl), accessToken, request, pkce);
    const { body } = await askToken(kit.baseUrl, {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: redirected.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: pkce.verifier,
    });
    return body;
  }

  test('are in tokens, userinfo and introspection with the scope, and change at once', async () => {
    expect(await assign(['support', 'admins', 'edge/eu'])).toMatchObject({
      status: 200,
      body: { groups: ['admins', 'edge/eu', 'support'] },
    });
    const groups = ['admins', 'edge/eu', 'support'];
    const body = await signInAt('staff', REDIRECT, SCOPE);
    const token = body.access_token ?? '';
    expect(decodeJwt(body.id_token ?? '')).toMatchObject({ groups });
    expect(decodeJwt(token)).toMatchObject({ groups });
    expect(await userInfo(token)).toMatchObject({ groups });
    const introspected = await post('/oauth2/introspect', { token, client_id: 'staff' });
    expect(introspected).toMatchObject({ active: true, groups });

    await assign([]);
    expect(await userInfo(token)).toMatchObject({ groups: [] });
    const refreshed = await post('/oauth2/token', {
      ...{ grant_type: 'refresh_token', client_id: 'staff' },
      refresh_token: body.refresh_token ?? '',
    });
    expect(decodeJwt(String(refreshed.access_token))).toMatchObject({ groups: [] });
  });

  test('are not seen without the scope', async () => {
    await assign(['admins']);
    const { access_token = '', id_token = '' } = await signInAt('staff', REDIRECT, 'openid');
    for (const claims of [decodeJwt(access_token), decodeJwt(id_token)])
      expect(claims).not.toHaveProperty('groups');
    expect(await userInfo(access_token)).not.toHaveProperty('groups');
  });

  test('have names, and belong to users that exist', async () => {
    for (const groups of [['with space'], [''], ['a', 'a'], ['x'.repeat(65)], 'admins'])
      expect((await assign(groups)).status).toBe(400);
    expect((await assign(['admins'], 999_999)).status).toBe(404);
  });
});
