/** Tokens and requests in unusual forms, and the answers to them. */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askToken } from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { type OidcKit, openOidcKit, SECRET } from '../../../test/support/oidc-fixture.ts';

describe.each(RUN_ENGINES)('forms of tokens on %s', (engine) => {
  let kit: OidcKit;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
  });
  afterAll(() => kit.stop());

  const introspect = async (token: string) => {
    const response = await fetch(`${kit.baseUrl}/oauth2/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ token, client_id: 'app' }),
    });
    return { status: response.status, body: await response.json() };
  };

  test('attack: one token is written in two ways', async () => {
    const { body } = await kit.newTokens();
    const token = body.access_token ?? '';
    expect(await kit.callApi(token)).toBe(200);
    for (const other of [`${token}=`, `${token}==`]) {
      expect(await kit.callApi(other)).toBe(401);
      expect(await introspect(other)).toEqual({ status: 200, body: { active: false } });
    }
  });

  test('introspection of an invalid token is not active', async () => {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const unsigned = `${encode({ alg: 'none' })}.${encode({ sub: '1', jti: 'x' })}.`;
    for (const token of [unsigned, `${unsigned}x`, 'nothing', '..'])
      expect(await introspect(token)).toEqual({ status: 200, body: { active: false } });
  });

  test('a refresh token is described by the subject of the application', async () => {
    const { body } = await kit.newTokens('openid offline_access');
    const { body: described } = await introspect(body.refresh_token ?? '');
    expect(described).toMatchObject({
      active: true,
      sub: decodeJwt(body.id_token ?? '').sub,
    });
  });

  test('a grant type that the client may not use is unauthorized_client', async () => {
    const ask = (form: Record<string, string>) => askToken(kit.baseUrl, form);
    const cases: Record<string, string>[] = [
      { grant_type: 'client_credentials', client_id: 'server', client_secret: SECRET },
      { grant_type: 'authorization_code', client_id: 'terminal', code: 'x' },
    ];
    for (const form of cases)
      expect(await ask(form)).toMatchObject({
        status: 400,
        body: { error: 'unauthorized_client' },
      });
    expect(await ask({ grant_type: 'password', client_id: 'app' })).toMatchObject({
      body: { error: 'unsupported_grant_type' },
    });
  });
});
