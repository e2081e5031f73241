import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askToken,
  authorizeUrl,
  createBrowser,
  decide,
  newPkce,
  runToRedirect,
} from '../../../test/support/browser-flow.ts';
import { openTestDatabase, queryAsOwner, RUN_ENGINES } from '../../../test/support/databases.ts';
import { interactionOf } from '../../../test/support/oidc-fixture.ts';
import { type RunningService, startService } from '../../../test/support/running-service.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import type { Database } from '../../db/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { createClient, GRANT_TYPES } from '../clients/index.ts';

const REDIRECT = 'https://app.example.test/callback';

describe.each(RUN_ENGINES)('code flow on %s', (engine) => {
  let database: Database;
  let service: RunningService;
  let userId: number;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    service = await startService(database);
    userId = await insertUser(database);
    const client = { name: 'App', redirectUris: [REDIRECT], isFirstParty: false, isPublic: true };
    await createClient(database, systemClock, {
      ...client,
      clientId: 'app',
      scopes: [
        'openid',
        'email',
        'account:read',
        'devices:read',
        'device:connect',
        'offline_access',
      ],
      grantTypes: ['authorization_code', 'refresh_token'],
    });
    await createClient(database, systemClock, {
      clientId: 'server',
      name: 'Server',
      redirectUris: [],
      isFirstParty: false,
      isPublic: false,
      secret: 's'.repeat(43),
      scopes: ['operator:rewards', 'operator:ledger'],
      grantTypes: ['client_credentials'],
    });
  });
  afterAll(async () => {
    await service.stop();
    await database.close();
  });

  test('checklist 2 and 5: discovery lists what works, and nothing else', async () => {
    const discovery = (await (
      await fetch(`${service.baseUrl}/.well-known/openid-configuration`)
    ).json()) as Record<string, unknown>;
    expect(discovery).toMatchObject({
      issuer: service.baseUrl,
      authorization_endpoint: `${service.baseUrl}/oauth2/authorize`,
      token_endpoint: `${service.baseUrl}/oauth2/token`,
      jwks_uri: `${service.baseUrl}/.well-known/jwks.json`,
      userinfo_endpoint: `${service.baseUrl}/oauth2/userinfo`,
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['RS256'],
    });
    expect([...(discovery.grant_types_supported as string[])].sort()).toEqual(
      [...GRANT_TYPES].sort(),
    );
    for (const absent of ['check_session_iframe']) expect(discovery).not.toHaveProperty(absent);
  });

  test('checklist 4, 5 and 7: a code is redeemed once, by its verifier, for a token', async () => {
    const { accessToken } = await service.tokens.login(userId);
    const browser = createBrowser(service.baseUrl);
    const pkce = newPkce();
    const redirected = await runToRedirect(
      browser,
      accessToken,
      {
        client_id: 'app',
        redirect_uri: REDIRECT,
        scope: 'openid email account:read device:connect',
        state: 'xyz',
        nonce: 'n1',
      },
      pkce,
    );
    expect(redirected.get('state')).toBe('xyz');
    expect(redirected.get('iss')).toBe(service.baseUrl);
    const form = {
      grant_type: 'authorization_code',
      client_id: 'app',
      code: redirected.get('code') ?? '',
      redirect_uri: REDIRECT,
    };
    expect(
      (await askToken(service.baseUrl, { ...form, code_verifier: newPkce().verifier })).status,
    ).toBe(400);
    const { status, body } = await askToken(service.baseUrl, {
      ...form,
      code_verifier: pkce.verifier,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      token_type: 'Bearer',
      scope: 'openid email account:read device:connect',
    });
    expect(body.device_token).toBe(body.access_token);
    expect(body).not.toHaveProperty('refresh_token');
    const claims = JSON.parse(
      Buffer.from(body.device_token?.split('.')[1] ?? '', 'base64url').toString(),
    ) as Record<string, unknown>;
    expect(claims).toMatchObject({
      token_use: 'device',
      aud: service.baseUrl,
      iss: service.baseUrl,
      client_id: 'app',
    });
    expect(claims.grant_id).toBeTypeOf('string');
    const idClaims = JSON.parse(
      Buffer.from(body.id_token?.split('.')[1] ?? '', 'base64url').toString(),
    ) as Record<string, unknown>;
    expect(idClaims).toMatchObject({
      aud: 'app',
      nonce: 'n1',
      sid: claims.sid,
      sub: claims.sub,
    });
    const devices = () =>
      fetch(`${service.baseUrl}/me/devices`, {
        headers: { authorization: `Bearer ${body.device_token}` },
      });
    expect((await devices()).status).toBe(403);
    const again = await askToken(service.baseUrl, { ...form, code_verifier: pkce.verifier });
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await expect.poll(async () => (await devices()).status).toBe(401);
  });

  test('a code that cannot be stored is not sent to the client', async () => {
    const { accessToken } = await service.tokens.login(userId);
    const browser = createBrowser(service.baseUrl);
    const begun = await browser.get(
      authorizeUrl({ client_id: 'app', redirect_uri: REDIRECT, scope: 'openid' }, newPkce()),
    );
    const next = await decide(service.baseUrl, accessToken, interactionOf(begun.location));
    await queryAsOwner(
      database,
      "alter table oidc_object add constraint no_code check (model <> 'AuthorizationCode')",
    );
    const ended = await browser
      .get(next)
      .finally(() => queryAsOwner(database, 'alter table oidc_object drop constraint no_code'));
    expect(ended).toMatchObject({ status: 500, location: '' });
  });

  test('client credentials: all scopes, or the requested ones; JSON too', async () => {
    const basic = `Basic ${Buffer.from(`server:${'s'.repeat(43)}`).toString('base64')}`;
    const all = await askToken(
      service.baseUrl,
      { grant_type: 'client_credentials' },
      { authorization: basic },
    );
    expect(all).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', scope: 'operator:rewards operator:ledger' },
    });
    expect(all.body).not.toHaveProperty('device_token');
    const response = await fetch(`${service.baseUrl}/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'client_credentials',
        client_id: 'server',
        client_secret: 's'.repeat(43),
        scope: 'operator:ledger',
      }),
    });
    expect(await response.json()).toMatchObject({ scope: 'operator:ledger' });
    const wrong = await askToken(service.baseUrl, {
      grant_type: 'client_credentials',
      client_id: 'server',
      client_secret: 'wrong',
    });
    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const foreign = await askToken(
      service.baseUrl,
      { grant_type: 'client_credentials', scope: 'operator:users' },
      { authorization: basic },
    );
    expect(foreign).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
  });
});
