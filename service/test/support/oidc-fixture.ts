/** A running service with clients and a user, for tests of the provider. */
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { createClient } from '../../src/oidc/index.ts';
import { askToken, authorizeUrl, createBrowser, newPkce, runToRedirect } from './browser-flow.ts';
import { type Engine, openTestDatabase } from './databases.ts';
import { startService } from './running-service.ts';
import { insertUser } from './test-users.ts';

export const REDIRECT = 'https://app.example.test/callback';
export const LOOPBACK_REDIRECT = 'http://127.0.0.1/done';
export const SECRET = 's'.repeat(43);
export const APP_SCOPES = [
  'openid',
  'email',
  'profile',
  'account:read',
  'devices:read',
  'devices:write',
  'device:connect',
  'offline_access',
];

/** A valid authorization request of `app`. */
export const GOOD_REQUEST = {
  client_id: 'app',
  redirect_uri: REDIRECT,
  scope: 'openid account:read',
  state: 's1',
};

/**
 * The error that a client is redirected to; undefined when the answer does not go to the client.
 */
export function errorAt(location: string): string | null | undefined {
  return location.startsWith(REDIRECT) ? new URL(location).searchParams.get('error') : undefined;
}

export function interactionOf(location: string): string {
  const id = new URL(location).searchParams.get('interaction_id');
  if (id === null) throw new Error(`no interaction at ${location}`);
  return id;
}

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code' as const;
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange' as const;

export async function openOidcKit(
  engine: Engine,
  env: Record<string, string> = {},
  clock: Clock = systemClock,
) {
  const database = await openTestDatabase(engine);
  const service = await startService(database, { env, clock });
  const userId = await insertUser(database, { email: 'person@example.test' });
  const base = { isFirstParty: false, scopes: APP_SCOPES };
  const shared = { ...base, grantTypes: ['authorization_code', 'refresh_token'] as const };
  await createClient(database, systemClock, {
    ...shared,
    clientId: 'app',
    name: 'App',
    isPublic: true,
    redirectUris: [REDIRECT],
  });
  await createClient(database, systemClock, {
    ...shared,
    clientId: 'other',
    name: 'Other',
    isPublic: true,
    redirectUris: ['https://other.test/cb'],
  });
  await createClient(database, systemClock, {
    ...shared,
    clientId: 'native',
    name: 'Native',
    isPublic: true,
    redirectUris: [LOOPBACK_REDIRECT],
  });
  await createClient(database, systemClock, {
    ...base,
    clientId: 'server',
    name: 'Server',
    isPublic: false,
    secret: SECRET,
    redirectUris: [REDIRECT],
    grantTypes: ['authorization_code', 'refresh_token', TOKEN_EXCHANGE],
  });
  await createClient(database, systemClock, {
    ...base,
    clientId: 'resource',
    name: 'Resource server',
    isPublic: false,
    isFirstParty: true,
    secret: SECRET,
    redirectUris: [],
    scopes: ['operator:traffic'],
    grantTypes: ['client_credentials'],
  });
  await createClient(database, systemClock, {
    ...base,
    clientId: 'terminal',
    name: 'Terminal',
    isPublic: true,
    redirectUris: [],
    grantTypes: [DEVICE_CODE, 'refresh_token', TOKEN_EXCHANGE],
  });
  const { baseUrl, tokens } = service;
  return {
    database,
    service,
    baseUrl,
    userId,
    tokens,
    /** A valid request with changes, in a new browser. */
    async authorize(
      parameters: Record<string, string>,
      drop: readonly string[] = [],
      headers: Record<string, string> = {},
    ) {
      const url = new URL(authorizeUrl({ ...GOOD_REQUEST, ...parameters }, newPkce()), baseUrl);
      for (const name of drop) url.searchParams.delete(name);
      return createBrowser(baseUrl).get(url.href, headers);
    },
    /** A code for `app`, with the parameters of its redemption. */
    async newCode(
      scope = 'openid account:read device:connect',
      clientId = 'app',
      redirectUri = REDIRECT,
    ) {
      const login = await tokens.login(userId);
      const pkce = newPkce();
      const browser = createBrowser(baseUrl);
      const redirected = await runToRedirect(
        browser,
        login.accessToken,
        { client_id: clientId, redirect_uri: redirectUri, scope },
        pkce,
      );
      const form = {
        grant_type: 'authorization_code',
        client_id: clientId,
        code: redirected.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: pkce.verifier,
      };
      return { form, login, browser };
    },
    async newTokens(scope?: string, clientId?: string, redirectUri?: string) {
      const { form, login, browser } = await this.newCode(scope, clientId, redirectUri);
      const { status, body } = await askToken(baseUrl, form);
      if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`);
      return { body, login, browser };
    },
    refresh: (token: string, clientId = 'app', more: Record<string, string> = {}) =>
      askToken(baseUrl, {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: token,
        ...more,
      }),
    /** The status of an API request with a token. */
    async callApi(token: string, path = '/oauth2/userinfo', scheme = 'Bearer'): Promise<number> {
      return (
        await fetch(`${baseUrl}${path}`, { headers: { authorization: `${scheme} ${token}` } })
      ).status;
    },
    async stop() {
      await service.stop();
      await database.close();
    },
  };
}

export type OidcKit = Awaited<ReturnType<typeof openOidcKit>>;
