/** A permission that an operator removes from a client is removed from all its grants. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  askToken,
  authorizeUrl,
  createBrowser,
  decide,
  newPkce,
} from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  APP_SCOPES,
  GOOD_REQUEST,
  interactionOf,
  type OidcKit,
  openOidcKit,
} from '../../../test/support/oidc-fixture.ts';

const SCOPE = 'openid account:read devices:read offline_access';
const LEFT = APP_SCOPES.filter((scope) => scope !== 'devices:read');
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

describe.each(RUN_ENGINES)('a client whose permissions are reduced on %s', (engine) => {
  let kit: OidcKit;
  let operator: string;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
    operator = await kit.tokens.operator('operator:clients');
  });
  afterAll(() => kit.stop());

  const change = async (clientId: string, body: object) => {
    const headers = { authorization: `Bearer ${operator}`, 'content-type': 'application/json' };
    const response = await fetch(`${kit.baseUrl}/operator/clients/${clientId}`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
  };
  const scopesOf = ({ body }: { body: Record<string, string> }) => {
    const claims = JSON.parse(
      Buffer.from(body.access_token?.split('.')[1] ?? '', 'base64url').toString(),
    ) as { scope: string };
    return { answered: body.scope?.split(' '), signed: claims.scope.split(' ') };
  };
  const without = {
    answered: ['openid', 'account:read', 'offline_access'],
    signed: ['openid', 'account:read', 'offline_access'],
  };

  const beginDevice = async (headers: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: 'terminal', scope: SCOPE });
    const begun = await (
      await fetch(`${kit.baseUrl}/oauth2/device_authorization`, { method: 'POST', body })
    ).json();
    const { device_code, user_code } = begun as { device_code: string; user_code: string };
    const allow = () =>
      fetch(`${kit.baseUrl}/oauth2/device`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ user_code, decision: 'allow' }),
      });
    return {
      allow,
      poll: () =>
        askToken(kit.baseUrl, { grant_type: DEVICE_CODE, client_id: 'terminal', device_code }),
    };
  };

  beforeEach(async () => {
    for (const clientId of ['app', 'terminal'])
      await change(clientId, { enabled: true, scopes: APP_SCOPES });
  });

  test('attack: a removed scope: tokens end, and refreshing gives it no more', async () => {
    const { body } = await kit.newTokens(SCOPE);
    await change('app', { scopes: LEFT });
    await expect.poll(() => kit.callApi(body.access_token ?? '')).toBe(401);
    expect(
      await kit.refresh(body.refresh_token ?? '', 'app', { scope: 'devices:read' }),
    ).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    const next = await kit.refresh(body.refresh_token ?? '');
    expect(scopesOf(next)).toEqual(without);
    expect(await kit.callApi(next.body.access_token ?? '')).toBe(200);
    await change('app', { scopes: LEFT.filter((scope) => scope !== 'offline_access') });
    expect((await kit.refresh(next.body.refresh_token ?? '')).status).toBe(400);
  });

  test('an answer to a device needs no second connection when clients are read anew', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const [kept, shutOut] = [await beginDevice(headers), await beginDevice(headers)];
    // Every instance drops its cached clients when one changes.
    await change('app', { scopes: LEFT });
    expect((await kept.allow()).status).toBe(204);
    await change('terminal', { enabled: false });
    expect((await shutOut.allow()).status).toBe(404);
  });

  test('attack: removed scope: codes, requests and devices from before lose it', async () => {
    const { form } = await kit.newCode(SCOPE);
    const { accessToken } = await kit.tokens.login(kit.userId);
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const begin = async () => {
      const [browser, pkce] = [createBrowser(kit.baseUrl), newPkce()];
      const { location } = await browser.get(authorizeUrl({ ...GOOD_REQUEST, scope: SCOPE }, pkce));
      return {
        browser,
        id: interactionOf(location),
        form: { ...form, code_verifier: pkce.verifier },
      };
    };
    const [decided, waiting, allowed, typed] = [
      await begin(),
      await begin(),
      await beginDevice(headers),
      await beginDevice(headers),
    ];
    const redirectTo = await decide(kit.baseUrl, accessToken, decided.id);
    await allowed.allow();
    for (const clientId of ['app', 'terminal']) await change(clientId, { scopes: LEFT });
    const codeAt = (location: string) => new URL(location).searchParams.get('code') ?? '';
    expect(scopesOf(await askToken(kit.baseUrl, form))).toEqual(without);
    // An instance that received the change accepts no earlier decision; another one reduces it.
    const { status, location } = await decided.browser.get(redirectTo);
    const late =
      status === 400
        ? without
        : scopesOf(await askToken(kit.baseUrl, { ...decided.form, code: codeAt(location) }));
    expect(late).toEqual(without);
    const shown = await fetch(
      `${kit.baseUrl}/oauth2/authorize/consent?interaction_id=${waiting.id}`,
      { headers },
    );
    expect(await shown.text()).not.toContain('devices:read');
    const later = codeAt(
      (await waiting.browser.get(await decide(kit.baseUrl, accessToken, waiting.id))).location,
    );
    expect(scopesOf(await askToken(kit.baseUrl, { ...waiting.form, code: later }))).toEqual(
      without,
    );
    await typed.allow();
    for (const device of [allowed, typed]) expect(scopesOf(await device.poll())).toEqual(without);
  });

  test('attack: a client disabled and enabled again: its former grants stay revoked', async () => {
    const { body } = await kit.newTokens(SCOPE);
    const { form } = await kit.newCode(SCOPE);
    await change('app', { enabled: false });
    await expect.poll(() => kit.callApi(body.access_token ?? '')).toBe(401);
    await change('app', { enabled: true });
    expect(await kit.callApi(body.access_token ?? '')).toBe(401);
    expect(await kit.refresh(body.refresh_token ?? '')).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(await askToken(kit.baseUrl, form)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect((await kit.newTokens(SCOPE)).body.scope).toBe(SCOPE);
  });
});
