/** Pages of an application that a user may read before the decision. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser } from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { interactionOf, type OidcKit, openOidcKit } from '../../../test/support/oidc-fixture.ts';

const REDIRECT = 'https://weather.test/cb';
const LINKS = {
  policy_uri: 'https://weather.test/privacy?lang=en#short',
  tos_uri: 'https://weather.test/terms',
};

describe.each(RUN_ENGINES)('links of applications on %s', (engine) => {
  let kit: OidcKit;
  let operator: Record<string, string>;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
    operator = {
      authorization: `Bearer ${await kit.tokens.operator('operator:clients')}`,
      'content-type': 'application/json',
    };
  });
  afterAll(() => kit.stop());

  const register = (fields: object) =>
    fetch(`${kit.baseUrl}/operator/clients`, {
      method: 'POST',
      headers: operator,
      body: JSON.stringify({
        ...{ client_name: 'Weather', type: 'public', redirect_uris: [REDIRECT] },
        ...{ scopes: ['openid'], ...fields },
      }),
    });
  const readConsent = async (clientId: string) => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const asked = await kit.authorize({
      ...{ client_id: clientId, redirect_uri: REDIRECT, scope: 'openid' },
    });
    const id = interactionOf(asked.location);
    const url = `${kit.baseUrl}/oauth2/authorize/consent?interaction_id=${id}`;
    const answer = await createBrowser(kit.baseUrl).get(url, {
      authorization: `Bearer ${accessToken}`,
    });
    return JSON.parse(answer.text) as Record<string, unknown>;
  };

  test('are shown with the request, and can be removed', async () => {
    const created = await register({ client_id: 'weather', ...LINKS });
    expect(await created.json()).toMatchObject(LINKS);
    expect(await readConsent('weather')).toMatchObject(LINKS);
    await fetch(`${kit.baseUrl}/operator/clients/weather`, {
      method: 'PATCH',
      headers: operator,
      body: JSON.stringify({ policy_uri: '' }),
    });
    const shown = await readConsent('weather');
    expect(shown).toMatchObject({ tos_uri: LINKS.tos_uri });
    expect(shown).not.toHaveProperty('policy_uri');
  });

  test.each([
    'http://weather.test/privacy',
    'javascript:alert(1)',
    'https://',
    'https://user@weather.test/',
    'https://weather.test\\@other.test/',
    'https://weather.test/ a',
    'https://weather.test/\u202e',
    'data:text/html,x',
  ])('attack: %j as a link', async (policy_uri) => {
    const answer = await register({ policy_uri });
    expect(await answer.json()).toMatchObject({
      ...{ status: 400, errors: [{ field: 'policy_uri' }] },
    });
  });
});
