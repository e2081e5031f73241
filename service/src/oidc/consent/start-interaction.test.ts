/** Whether a request still waits: asked by the sign-in page before a user has signed in. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  authorizeUrl,
  createBrowser,
  decide,
  newPkce,
} from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  GOOD_REQUEST,
  interactionOf,
  type OidcKit,
  openOidcKit,
} from '../../../test/support/oidc-fixture.ts';
import { createManualClock } from '../../lib/clock.ts';
import { createClient, deleteClient } from '../clients/index.ts';

const HOUR_MS = 3_600_000;
const PAGE = 'https://pages.example.test';

describe.each(RUN_ENGINES)('a waiting request on %s', (engine) => {
  const clock = createManualClock(new Date());
  let kit: OidcKit;
  beforeAll(async () => {
    kit = await openOidcKit(engine, { AUTHORIZATION_PAGE_URL: `${PAGE}/authorize` }, clock);
  });
  afterAll(() => kit.stop());

  async function begin(parameters: Record<string, string> = {}) {
    const browser = createBrowser(kit.baseUrl);
    return {
      browser,
      id: interactionOf(
        (await browser.get(authorizeUrl({ ...GOOD_REQUEST, ...parameters }, newPkce()))).location,
      ),
    };
  }
  const ask = (id: string, headers: Record<string, string> = {}) =>
    fetch(`${kit.baseUrl}/oauth2/authorize/state?interaction_id=${encodeURIComponent(id)}`, {
      headers,
    });
  const stateOf = async (id: string): Promise<unknown> => (await ask(id)).json();

  test('waits until its answer is used, not only given', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const { browser, id } = await begin();
    expect(await stateOf(id)).toEqual({ waiting: true });
    const redirectTo = await decide(kit.baseUrl, accessToken, id);
    expect(await stateOf(id)).toEqual({ waiting: true });
    expect((await browser.get(redirectTo)).location).toContain('code=');
    expect(await stateOf(id)).toEqual({ waiting: false });
    // Another request of the same client is not affected.
    expect(await stateOf((await begin()).id)).toEqual({ waiting: true });
  });

  test('attack: an unknown request is answered as expired', async () => {
    const { id } = await begin();
    for (const none of ['nonsense', '', 'not one, surely?', id.slice(0, -4), `${id}AAAA`])
      expect(await stateOf(none)).toEqual({ waiting: false });
  });

  test('does not wait when the application lost its permission', async () => {
    const client = {
      isPublic: true,
      isFirstParty: false,
      name: 'Gone',
      redirectUris: [GOOD_REQUEST.redirect_uri],
      scopes: ['openid', 'account:read'],
    };
    await createClient(kit.database, clock, {
      ...client,
      clientId: 'gone',
      grantTypes: ['authorization_code'],
    });
    const { id } = await begin({ client_id: 'gone' });
    expect(await stateOf(id)).toEqual({ waiting: true });
    await deleteClient(kit.database, clock, 'gone');
    await expect.poll(() => stateOf(id)).toEqual({ waiting: false });
  });

  test('is readable by the sign-in page of another origin, and by no other origin', async () => {
    const { id } = await begin();
    const allowed = async (origin: string) =>
      (await ask(id, { origin })).headers.get('access-control-allow-origin');
    expect(await allowed(PAGE)).toBe(PAGE);
    expect(await allowed('https://attacker.test')).toBeNull();
  });

  test('expires', async () => {
    const { id } = await begin();
    clock.advance(2 * HOUR_MS);
    expect(await stateOf(id)).toEqual({ waiting: false });
  });
});
