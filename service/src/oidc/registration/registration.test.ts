/** Dynamic registration of clients. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askToken } from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { type OidcKit, openOidcKit } from '../../../test/support/oidc-fixture.ts';

const REDIRECT = 'https://new.example.test/cb';

describe.each(RUN_ENGINES)('dynamic registration on %s', (engine) => {
  let kit: OidcKit;
  let operator: string;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
    operator = await kit.tokens.operator('operator:clients');
  });
  afterAll(() => kit.stop());

  const post = async (path: string, token: string | undefined, body: unknown) => {
    const response = await fetch(`${kit.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      body: (await response.json()) as Record<string, string>,
    };
  };
  const issue = async (body: object = {}) => {
    const issued = await post('/operator/registration-tokens', operator, body);
    expect(issued.status).toBe(200);
    return issued.body.token ?? '';
  };
  const register = (token: string | undefined, body: unknown) =>
    post('/oauth2/register', token, body);

  test('a client registers itself, and signs a user in', async () => {
    const token = await issue();
    const { status, body } = await register(token, {
      client_name: 'New',
      redirect_uris: [REDIRECT],
      application_type: 'web',
      contacts: ['dev@example.test'],
      post_logout_redirect_uris: ['https://new.example.test/bye'],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      client_name: 'New',
      redirect_uris: [REDIRECT],
      scope: 'openid profile email offline_access',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      client_secret_expires_at: 0,
    });
    expect(body).not.toHaveProperty('contacts');
    const { client_id = '', client_secret = '' } = body;
    const { form } = await kit.newCode('openid email', client_id, REDIRECT);
    const tokens = await askToken(kit.baseUrl, { ...form, client_secret });
    expect(tokens.status).toBe(200);
    const { rows } = await kit.database.query(
      'select is_first_party from oauth_client where client_id = $1',
      [client_id],
    );
    expect(rows).toEqual([{ is_first_party: false }]);
  });

  test('a token serves the stated number of times; a refusal does not count', async () => {
    const token = await issue({ uses: 2 });
    for (const redirect of ['http://new.example.test/cb', 'javascript:alert(1)'])
      expect(await register(token, { redirect_uris: [redirect] })).toMatchObject({
        status: 400,
        body: { error: 'invalid_redirect_uri' },
      });
    const all = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() =>
        register(token, { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }),
      ),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, 201, 401, 401, 401, 401]);
    expect(all.find(({ status }) => status === 201)?.body).not.toHaveProperty('client_secret');
  });

  test('attack: registering without a token, with another, with an expired one', async () => {
    const body = { redirect_uris: [REDIRECT] };
    const expired = await issue();
    await kit.database.query('update registration_token set expires_at = now()');
    for (const token of [undefined, 'x', operator, expired])
      expect(await register(token, body)).toMatchObject({
        status: 401,
        body: { error: 'invalid_token' },
      });
  });

  test('attack: metadata beyond the token, or beyond the registry', async () => {
    const token = await issue({ scopes: ['openid', 'email'] });
    const wrong: object[] = [
      { scope: 'openid operator:clients' },
      { scope: 'openid account:read' },
      { scope: 'identity:manage' },
      { grant_types: ['implicit'] },
      { response_types: ['token'] },
      { token_endpoint_auth_method: 'private_key_jwt' },
      { token_endpoint_auth_method: 'client_secret_jwt' },
      { jwks_uri: 'https://127.0.0.1/keys' },
      { backchannel_logout_uri: 'http://new.example.test/out' },
      { client_name: '\u202e' },
      { client_name: 'a\u0000b' },
    ];
    for (const metadata of wrong) {
      const { status, body } = await register(token, { redirect_uris: [REDIRECT], ...metadata });
      expect({ metadata, status, error: body.error }).toEqual({
        metadata,
        status: 400,
        error: 'invalid_client_metadata',
      });
    }
    expect((await register(token, [])).status).toBe(400);
    const beyond = { scopes: ['identity:manage'] };
    expect((await post('/operator/registration-tokens', operator, beyond)).status).toBe(400);
    const other = await kit.tokens.operator('operator:users');
    expect((await post('/operator/registration-tokens', other, {})).status).toBe(403);
  });

  test('discovery names the endpoint', async () => {
    const response = await fetch(`${kit.baseUrl}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({
      registration_endpoint: `${kit.baseUrl}/oauth2/register`,
    });
  });
});
