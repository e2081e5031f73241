/** Step 3: openid-client, unmodified, and a user in a real browser. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import * as client from 'openid-client';
import type { Page } from 'playwright-core';
import { expectOk, readCode } from './http-client.ts';
import { verifyToken } from './verify-token.ts';
import type { WalkOptions } from './walk-main-path.ts';

export interface StandardTokens {
  readonly deviceToken: string;
  readonly claims: JWTPayload;
}

/** Listens on loopback for the redirect, as a native application does (RFC 8252 7.3). */
async function listenForRedirect(): Promise<{
  redirectUri: string;
  redirected: Promise<URL>;
  close: () => void;
}> {
  let arrived: (url: URL) => void = () => {};
  const redirected = new Promise<URL>((resolve) => {
    arrived = resolve;
  });
  const server = createServer((request, response) => {
    response.end('You can close this window.');
    const url = new URL(
      request.url ?? '/',
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    if (url.pathname === '/callback') arrived(url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    redirected,
    close: () => server.close(),
  };
}

/** The user's steps on the page: sign-in, second factor, consent. */
export async function signInAndAllow(
  page: Page,
  options: Pick<WalkOptions, 'baseUrl'>,
  person: { email: string; password: string },
  { refuse = [] }: { refuse?: readonly string[] } = {},
): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code').waitFor();
  // The sixth digit sends the code.
  await page.getByLabel('Code').fill(await readCode(options.baseUrl, person.email));
  for (const category of refuse) await page.getByRole('switch', { name: category }).uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();
}

/** Registers a public client as the operator. */
async function registerClient(
  { baseUrl, operator }: WalkOptions,
  redirectUri: string,
): Promise<{ client_id: string }> {
  const asOperator = await client.discovery(
    new URL(baseUrl),
    operator.client_id,
    operator.client_secret,
    undefined,
    { execute: [client.allowInsecureRequests] },
  );
  const { access_token: token } = await client.clientCredentialsGrant(asOperator, {
    scope: 'operator:clients',
  });
  return expectOk(`${baseUrl}/operator/clients`, {
    token,
    body: {
      client_name: 'Demo Terminal',
      type: 'public',
      redirect_uris: [redirectUri],
      scopes: ['openid', 'email', 'offline_access', 'device:connect', 'devices:read'],
      grant_types: ['authorization_code'],
    },
  });
}

/** Registers a client and runs the authorization code flow with PKCE. */
export async function getStandardTokens(
  options: WalkOptions,
  person: { email: string; password: string },
): Promise<StandardTokens> {
  const { baseUrl, browser, print } = options;
  const redirect = await listenForRedirect();
  const registered = await registerClient(options, redirect.redirectUri);
  const config = await client.discovery(
    new URL(baseUrl),
    registered.client_id,
    undefined,
    client.None(),
    { execute: [client.allowInsecureRequests] },
  );
  print(`   discovered ${config.serverMetadata().issuer}; client ${registered.client_id}`);
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirect.redirectUri,
    scope: 'openid email device:connect devices:read',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url.href);
  await signInAndAllow(page, options, person);
  const callback = await redirect.redirected;
  await context.close();
  redirect.close();
  const tokens = await client.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
  });
  const deviceToken = tokens.device_token;
  if (typeof deviceToken !== 'string' || tokens.id_token === undefined)
    throw new Error(`the token response lacks a token: ${Object.keys(tokens).join(', ')}`);
  await verifyToken(baseUrl, tokens.access_token);
  const claims = await verifyToken(baseUrl, deviceToken);
  await jwtVerify(
    tokens.id_token,
    createRemoteJWKSet(new URL(`${baseUrl}/.well-known/jwks.json`)),
    { issuer: baseUrl, audience: registered.client_id },
  );
  print(
    `   access_token, id_token and device_token (${String(claims.token_use)}) verify; ` +
      `scope ${tokens.scope}`,
  );
  return { deviceToken, claims };
}
