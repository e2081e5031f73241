/** Unmodified client libraries against the service as processes: two of them on one PostgreSQL. */
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openServer, transaction } from '../src/db/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createMasterKey } from '../src/master-key.ts';
import { createClient } from '../src/oidc/index.ts';
import { createBrowser, decide } from './support/browser-flow.ts';
import { createServerDatabase } from './support/databases.ts';
import { pairwiseSubject } from './support/pairwise.ts';
import { findFreePort } from './support/postgres-server.ts';
import { type ServiceProcess, startService } from './support/service-process.ts';
import { testConfig } from './support/test-config.ts';
import { insertUser } from './support/test-users.ts';
import { createTestTokens, type TestTokens } from './support/tokens.ts';

const REDIRECT = 'http://127.0.0.1:43123/done';
const KEY = Buffer.alloc(32, 9);
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code' as const;
const insecure = { execute: [client.allowInsecureRequests] };

let database: Database;
let here: ServiceProcess;
let there: ServiceProcess;
let tokens: TestTokens;
let userId: number;
let subject: string;

beforeAll(async () => {
  const url = await createServerDatabase();
  const port = String(await findFreePort());
  const env = {
    DATABASE_URL: url,
    MASTER_KEY: KEY.toString('hex'),
    BASE_URL: `http://localhost:${port}`,
    LOG_LEVEL: 'error',
  };
  here = await startService({ ...env, PORT: port });
  there = await startService({ ...env, PORT: String(await findFreePort()) });
  database = await openServer({ url, poolSize: 4, onError: () => {} });
  const config = testConfig({
    PORT: port,
    BASE_URL: env.BASE_URL,
    DATABASE_URL: url,
    MASTER_KEY: env.MASTER_KEY,
  });
  tokens = createTestTokens(database, { config, masterKey: createMasterKey(KEY) });
  userId = await insertUser(database);
  subject = pairwiseSubject('client native', userId, createMasterKey(KEY));
  await createClient(database, systemClock, {
    clientId: 'native',
    name: 'Native',
    isPublic: true,
    isFirstParty: false,
    redirectUris: ['http://127.0.0.1/done'],
    scopes: ['openid', 'email', 'account:read', 'devices:read', 'device:connect', 'offline_access'],
    grantTypes: ['authorization_code', 'refresh_token', DEVICE_CODE],
  });
  await createClient(database, systemClock, {
    clientId: 'server',
    name: 'Server',
    isPublic: false,
    isFirstParty: false,
    secret: 'k'.repeat(43),
    redirectUris: [],
    scopes: ['operator:ledger'],
    grantTypes: ['client_credentials'],
  });
});
afterAll(async () => {
  await here.dispose();
  await there.dispose();
  await database.close();
});

/** The browser of a user: follows the authorization request to the client's redirect. */
async function allowInBrowser(url: URL): Promise<URL> {
  const browser = createBrowser(here.baseUrl);
  const { accessToken } = await tokens.login(userId);
  const { location } = await browser.get(url.href);
  const interactionId = new URL(location).searchParams.get('interaction_id') ?? '';
  return new URL(
    (await browser.get(await decide(here.baseUrl, accessToken, interactionId))).location,
  );
}

describe('openid-client', () => {
  test('code flow, refresh, userinfo, introspection, revocation', async () => {
    const config = await client.discovery(
      new URL(here.baseUrl),
      'native',
      undefined,
      client.None(),
      insecure,
    );
    const verifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      scope: 'openid email devices:read device:connect offline_access',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    const answer = await client.authorizationCodeGrant(config, await allowInBrowser(url), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
    });
    expect(answer.claims()).toMatchObject({ sub: subject, iss: here.baseUrl });
    expect(answer.device_token).toBe(answer.access_token);
    expect(await client.fetchUserInfo(config, answer.access_token, subject)).toMatchObject({
      email_verified: true,
    });
    const refreshed = await client.refreshTokenGrant(config, answer.refresh_token ?? '');
    expect(refreshed.claims()?.sub).toBe(subject);
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toMatchObject({
      active: true,
    });
    await client.tokenRevocation(config, refreshed.access_token);
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toEqual({
      active: false,
    });
  });

  test('DPoP: the token is bound to the client’s key', async () => {
    const config = await client.discovery(
      new URL(here.baseUrl),
      'native',
      undefined,
      client.None(),
      insecure,
    );
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const verifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      scope: 'openid account:read',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const answer = await client.authorizationCodeGrant(
      config,
      await allowInBrowser(url),
      { pkceCodeVerifier: verifier },
      undefined,
      { DPoP },
    );
    expect(answer.token_type).toBe('dpop');
    const response = await client.fetchProtectedResource(
      config,
      answer.access_token,
      new URL('/account/info', here.baseUrl),
      'GET',
      undefined,
      undefined,
      {
        DPoP,
      },
    );
    expect(response.status).toBe(200);
    expect(
      (
        await fetch(`${here.baseUrl}/account/info`, {
          headers: { authorization: `Bearer ${answer.access_token}` },
        })
      ).status,
    ).toBe(401);
  });

  test('device flow', async () => {
    const config = await client.discovery(
      new URL(here.baseUrl),
      'native',
      undefined,
      client.None(),
      insecure,
    );
    const begun = await client.initiateDeviceAuthorization(config, {
      scope: 'openid device:connect',
    });
    const { accessToken } = await tokens.login(userId);
    const decided = await fetch(
      `${there.env.PORT === undefined ? '' : `http://localhost:${there.env.PORT}`}/oauth2/device`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ user_code: begun.user_code, decision: 'allow' }),
      },
    );
    expect(decided.status).toBe(204);
    const answer = await client.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0.1 });
    expect(answer.claims()?.sub).toBe(subject);
  });

  test('client credentials', async () => {
    const config = await client.discovery(
      new URL(here.baseUrl),
      'server',
      'k'.repeat(43),
      undefined,
      insecure,
    );
    expect(await client.clientCredentialsGrant(config)).toMatchObject({
      scope: 'operator:ledger',
      token_type: 'bearer',
    });
  });

  test('client credentials with DPoP: the token is bound to the key', async () => {
    const config = await client.discovery(
      new URL(here.baseUrl),
      'server',
      'k'.repeat(43),
      undefined,
      insecure,
    );
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const { access_token, token_type } = await client.clientCredentialsGrant(config, undefined, {
      DPoP,
    });
    expect(token_type).toBe('dpop');
    const url = new URL('/operator/ledger/keys', here.baseUrl);
    expect(
      (
        await client.fetchProtectedResource(
          config,
          access_token,
          url,
          'GET',
          undefined,
          undefined,
          { DPoP },
        )
      ).status,
    ).toBe(200);
    const other = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    expect(
      (
        await client
          .fetchProtectedResource(config, access_token, url, 'GET', undefined, undefined, {
            DPoP: other,
          })
          .catch((error) => error)
      ).status,
    ).toBe(401);
    expect(
      (await fetch(url, { headers: { authorization: `Bearer ${access_token}` } })).status,
    ).toBe(401);
  });
});

describe('oauth4webapi, and a second process', () => {
  test('a code of one process is redeemed at the other; a logout ends both', async () => {
    const issuer = new URL(here.baseUrl);
    const options = { [oauth.allowInsecureRequests]: true };
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, options),
    );
    const other = { ...server, token_endpoint: `http://localhost:${there.env.PORT}/oauth2/token` };
    const native: oauth.Client = { client_id: 'native' };
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(server.authorization_endpoint ?? '');
    const nonce = oauth.generateRandomNonce();
    url.search = new URLSearchParams({
      client_id: 'native',
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'openid account:read',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: 's',
      nonce,
    }).toString();
    const parameters = oauth.validateAuthResponse(server, native, await allowInBrowser(url), 's');
    const response = await oauth.authorizationCodeGrantRequest(
      other,
      native,
      oauth.None(),
      parameters,
      REDIRECT,
      verifier,
      options,
    );
    const answer = await oauth.processAuthorizationCodeResponse(other, native, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    expect(oauth.getValidatedIdTokenClaims(answer)?.sub).toBe(subject);
    await oauth.validateApplicationLevelSignature(server, response, options);
    const again = await oauth.authorizationCodeGrantRequest(
      server,
      native,
      oauth.None(),
      parameters,
      REDIRECT,
      verifier,
      options,
    );
    expect(again.status).toBe(400);

    const { accessToken, deviceToken } = await tokens.login(userId);
    const callThere = async () =>
      (
        await fetch(`http://localhost:${there.env.PORT}/account/info`, {
          headers: { authorization: `Bearer ${deviceToken}` },
        })
      ).status;
    expect(await callThere()).toBe(200);
    const logout = await fetch(`${here.baseUrl}/user/logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: userId }),
    });
    expect(logout.status).toBe(204);
    const loggedOutAt_ms = performance.now();
    await expect.poll(callThere, { interval: 10 }).toBe(401);
    expect(performance.now() - loggedOutAt_ms).toBeLessThan(1000);
  });

  test('keys rotate at both, and a token signed before verifies after', async () => {
    const { rotateKeys, keyPolicyOf } = await import('../src/oidc/index.ts');
    const { deviceToken } = await tokens.login(userId);
    await transaction(database, (tx) =>
      tx.query("update signing_key set created_at = created_at - interval '25 hours'"),
    );
    const config = testConfig({
      DATABASE_URL: here.env.DATABASE_URL ?? '',
      MASTER_KEY: KEY.toString('hex'),
    });
    const kidsAt = async (port = '') =>
      (
        (await (await fetch(`http://localhost:${port}/.well-known/jwks.json`)).json()) as {
          keys: { kid: string }[];
        }
      ).keys.map(({ kid }) => kid);
    const [, next] = await kidsAt(there.env.PORT);
    await rotateKeys(database, systemClock, createMasterKey(KEY), keyPolicyOf(config));
    await expect.poll(async () => (await kidsAt(there.env.PORT))[0]).toBe(next);
    await expect.poll(async () => (await kidsAt(here.env.PORT))[0]).toBe(next);
    expect(
      (
        await fetch(`http://localhost:${there.env.PORT}/account/info`, {
          headers: { authorization: `Bearer ${deviceToken}` },
        })
      ).status,
    ).toBe(200);
    const signed = await fetch(`http://localhost:${there.env.PORT}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'server',
        client_secret: 'k'.repeat(43),
      }),
    });
    const { access_token } = (await signed.json()) as { access_token: string };
    expect(
      JSON.parse(Buffer.from(access_token.split('.')[0] ?? '', 'base64url').toString()),
    ).toMatchObject({ kid: next });
  });
});
