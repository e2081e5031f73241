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

  test('takes the token in the form', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const answer = await post(new URLSearchParams({ access_token: accessToken }), {});
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ sub: String(kit.userId) });
  });

  test('refuses a token that is sent twice, or not as a form or a header', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const headers = { authorization: `Bearer ${accessToken}` };
    const form = new URLSearchParams({ access_token: accessToken });
    expect((await post(form, headers)).status).toBe(400);
    expect((await post(new URLSearchParams([...form, ...form]), {})).status).toBe(400);
    const url = `${kit.baseUrl}/oauth2/userinfo`;
    const json = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ access_token: accessToken }),
      headers: { 'content-type': 'application/json' },
    });
    expect(json.status).toBe(401);
    expect((await fetch(`${url}?${form}`)).status).toBe(401);
    expect((await fetch(`${url}?${form}`, { method: 'POST' })).status).toBe(401);
  });

  test('refuses what is no valid token', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    for (const wrong of ['', 'x', `${accessToken}x`, `${accessToken} `, 'x'.repeat(10_000)]) {
      const answer = await post(new URLSearchParams({ access_token: wrong }), {});
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
    expect((await post(new URLSearchParams(), {})).status).toBe(401);
    const large = new URLSearchParams({ access_token: 'x'.repeat(20_000) });
    expect((await post(large, {})).status).toBe(413);
  });
});
