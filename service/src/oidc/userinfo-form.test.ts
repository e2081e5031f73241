import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type OidcKit, openOidcKit } from '../../test/support/oidc-fixture.ts';

describe.each(RUN_ENGINES)('userinfo by POST on %s', (engine) => {
  let kit: OidcKit;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
  });
  afterAll(() => kit.stop());
  const post = (body: URLSearchParams, headers: Record<string, string>) =>
    fetch(`${kit.baseUrl}/oauth2/userinfo`, { method: 'POST', body, headers });

  test('accepts a form with the token in the header', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const headers = { authorization: `Bearer ${accessToken}` };
    for (const form of ['', 'unknown=value']) {
      const answer = await post(new URLSearchParams(form), headers);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ sub: String(kit.userId) });
    }
  });

  test('refuses a form without a token in the header', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const answer = await post(new URLSearchParams({ access_token: accessToken }), {});
    expect(answer.status).toBe(401);
  });
});
