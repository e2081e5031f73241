/** The provider serves every redirect URI that the registry accepts, by its exact rules. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  authorizeUrl,
  createBrowser,
  newPkce,
  runToRedirect,
} from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { interactionOf, type OidcKit, openOidcKit } from '../../../test/support/oidc-fixture.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { systemClock } from '../../lib/clock.ts';
import { createClient } from './write-clients.ts';

const WEB = 'https://rp.example.test/cb';
const LOOPBACK = 'http://localhost:3000/cb';
const URIS = [
  WEB,
  'https://localhost:21443/cb',
  'https://127.0.0.1:21443/cb',
  'https://[::1]:21443/cb',
  LOOPBACK,
  'http://127.0.0.1:3000/cb',
  'http://[::1]:3000/cb',
  'test.example.app:/cb',
];

describe.each(RUN_ENGINES)('redirect URIs on %s', (engine) => {
  let kit: OidcKit;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
  });
  afterAll(() => kit.stop());

  const add = (clientId: string, redirectUris: readonly string[]) =>
    createClient(kit.database, systemClock, {
      clientId,
      name: clientId,
      isPublic: true,
      isFirstParty: false,
      redirectUris,
      scopes: ['openid'],
      grantTypes: ['authorization_code'],
    });
  const request = (client_id: string, redirect_uri: string, prompt = 'consent') => ({
    client_id,
    redirect_uri,
    scope: 'openid',
    ...(prompt !== '' && { prompt }),
  });

  test('each pair of them is either refused, or served at both', async () => {
    const refused: string[] = [];
    for (const [i, first] of URIS.entries())
      for (const [j, second] of URIS.slice(i + 1).entries()) {
        const clientId = `pair-${i}-${j}`;
        try {
          await add(clientId, [first, second]);
        } catch {
          refused.push(`${first} ${second}`);
          continue;
        }
        for (const uri of [first, second]) {
          const url = authorizeUrl(request(clientId, uri), newPkce());
          const { status, location } = await createBrowser(kit.baseUrl).get(url);
          expect({ first, second, uri, status }).toMatchObject({ status: 302 });
          expect(interactionOf(location)).not.toBe('');
        }
      }
    expect(refused).toEqual(
      URIS.filter((uri) => /^https:\/\/(localhost|127|\[)/.test(uri)).map(
        (uri) => `${uri} test.example.app:/cb`,
      ),
    );
  });

  test('a loopback URI does not make a web application native', async () => {
    await add('mixed', [WEB, LOOPBACK]);
    const { accessToken } = await kit.tokens.login(await insertUser(kit.database));
    const browser = createBrowser(kit.baseUrl);
    const run = (uri: string, prompt: string) =>
      runToRedirect(browser, accessToken, request('mixed', uri, prompt), newPkce());
    expect((await run(WEB, '')).get('code')).not.toBeNull();
    expect((await run(WEB, 'none')).get('code')).not.toBeNull();
    expect((await run(LOOPBACK, 'none')).get('error')).toBe('interaction_required');
    const other = await run('http://localhost:4000/cb', 'none');
    expect(other.get('error')).toBe('interaction_required');
  });
});
