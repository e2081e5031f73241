import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  askToken,
  createBrowser,
  newPkce,
  runToRedirect,
} from '../../../test/support/browser-flow.ts';
import { type OidcKit, openOidcKit } from '../../../test/support/oidc-fixture.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { transaction } from '../../db/index.ts';
import { endAllSessions, setOperatorGrants } from '../../identity/index.ts';
import { systemClock } from '../../lib/clock.ts';

let kit: OidcKit;
beforeAll(async () => {
  kit = await openOidcKit('server');
});
afterAll(() => kit.stop());

const claimsOf = (token = '') =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;

async function consoleTokens(userId: number, amr: string[]) {
  const login = await kit.tokens.login(userId, { amr });
  const redirect_uri = `${kit.baseUrl}/callback`;
  const pkce = newPkce();
  const request = {
    client_id: 'edge-console',
    redirect_uri,
    scope: 'openid account:read device:connect identity:manage',
  };
  const redirected = await runToRedirect(
    createBrowser(kit.baseUrl),
    login.accessToken,
    request,
    pkce,
  );
  const form = {
    grant_type: 'authorization_code',
    client_id: 'edge-console',
    redirect_uri,
    code: redirected.get('code') ?? '',
    code_verifier: pkce.verifier,
  };
  return { login, body: (await askToken(kit.baseUrl, form)).body };
}

test('the console gets the token of the user, and a device token beside it', async () => {
  const userId = await insertUser(kit.database);
  const { login, body } = await consoleTokens(userId, ['pwd', 'email', 'mfa']);
  expect(claimsOf(body.access_token)).not.toHaveProperty('may_operate');
  expect(claimsOf(body.access_token)).toMatchObject({
    token_use: 'business',
    sid: login.sid,
    client_id: 'edge-console',
  });
  expect(claimsOf(body.device_token)).toMatchObject({
    token_use: 'device',
    sid: login.sid,
    scope: 'openid account:read device:connect',
  });
  expect(claimsOf(body.device_token).exp).toBe(claimsOf(body.access_token).exp);
  expect(await kit.callApi(body.access_token ?? '', '/me/connections')).toBe(200);
  expect(await kit.callApi(body.device_token ?? '', '/me/connections')).toBe(403);
});

test('an operator gets those scopes in the console only, after a strong sign-in only', async () => {
  const userId = await insertUser(kit.database, { email: 'runs@example.test' });
  expect(
    await setOperatorGrants(kit.database, systemClock, 'Runs@Example.Test', ['operator:clients']),
  ).toBe(true);
  expect(
    await setOperatorGrants(kit.database, systemClock, 'unknown@example.test', [
      'operator:clients',
    ]),
  ).toBe(false);
  const strong = await consoleTokens(userId, ['pwd', 'otp', 'mfa']);
  expect(strong.body.scope).toBe(
    'openid account:read device:connect identity:manage operator:clients',
  );
  expect(claimsOf(strong.login.accessToken).scope).not.toContain('operator:');
  const clients = '/operator/clients?current=1&size=20';
  expect(await kit.callApi(strong.body.access_token ?? '', clients)).toBe(200);
  expect(await kit.callApi(strong.body.device_token ?? '', clients)).toBe(403);
  const weak = await consoleTokens(userId, ['pwd', 'email', 'mfa']);
  expect(weak.body.scope).not.toContain('operator:');
  // The console may still state where the operator pages are; other clients do not learn it.
  expect(claimsOf(weak.body.access_token).may_operate).toBe(true);
  expect(claimsOf(weak.body.device_token).may_operate).toBeUndefined();
  expect(claimsOf(weak.login.accessToken).may_operate).toBeUndefined();
  await setOperatorGrants(kit.database, systemClock, 'runs@example.test', ['role:support']);
  const inRole = await consoleTokens(userId, ['pwd', 'otp', 'mfa']);
  expect(inRole.body.scope).toBe(
    'openid account:read device:connect identity:manage operator:read operator:users',
  );
  expect(await kit.callApi(inRole.body.access_token ?? '', clients)).toBe(200);
  await setOperatorGrants(kit.database, systemClock, 'runs@example.test', []);
  await expect.poll(() => kit.callApi(inRole.body.access_token ?? '', clients)).toBe(401);
});

test('a session that ends all others keeps its tokens of the console', async () => {
  const userId = await insertUser(kit.database, { email: 'keeps@example.test' });
  const [own, other] = [
    await consoleTokens(userId, ['pwd', 'otp', 'mfa']),
    await consoleTokens(userId, ['pwd', 'otp', 'mfa']),
  ];
  const exceptSid = String(claimsOf(own.body.access_token).sid);
  await transaction(kit.database, (tx) =>
    endAllSessions(tx, systemClock, { userId, reason: 'password_changed', exceptSid }),
  );
  const statusOf = ({ body }: typeof own) =>
    kit.callApi(body.access_token ?? '', '/me/connections');
  await expect.poll(() => statusOf(other)).toBe(401);
  expect(await statusOf(own)).toBe(200);
});
