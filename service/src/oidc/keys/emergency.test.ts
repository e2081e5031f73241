/** What an emergency revokes: everything that was issued before it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askToken,
  authorizeUrl,
  createBrowser,
  decide,
  newPkce,
  runToRedirect,
} from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  GOOD_REQUEST,
  interactionOf,
  type OidcKit,
  openOidcKit,
} from '../../../test/support/oidc-fixture.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { createTestTokens } from '../../../test/support/tokens.ts';
import { systemClock } from '../../lib/clock.ts';
import { keyPolicyOf } from '../create-oidc.ts';
import { dropKey } from './index.ts';

const OFFLINE = 'openid account:read device:connect offline_access';
const CONSOLE_SCOPE = 'openid account:read identity:manage';

describe.each(RUN_ENGINES)('an emergency on %s', (engine) => {
  let kit: OidcKit;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
  });
  afterAll(() => kit.stop());

  test('attack: an emergency ends token, session, refresh token, code and ticket', async () => {
    const { body, login, browser } = await kit.newTokens(OFFLINE);
    const { form } = await kit.newCode(OFFLINE);
    const waiting = createBrowser(kit.baseUrl);
    const { location } = await waiting.get(authorizeUrl(GOOD_REQUEST, newPkce()));
    const redirectTo = await decide(kit.baseUrl, login.accessToken, interactionOf(location));
    const ownConsole = {
      client_id: 'edge-console',
      redirect_uri: `${kit.baseUrl}/callback`,
      scope: CONSOLE_SCOPE,
      prompt: 'none',
    };
    const consoleAnswer = async () =>
      new URL((await browser.get(authorizeUrl(ownConsole, newPkce()))).location).searchParams;
    expect((await consoleAnswer()).has('code')).toBe(true);
    const wayOn = async () => (await waiting.get(redirectTo)).location;

    await dropKey(kit.database, systemClock, testMasterKey, keyPolicyOf(kit.service.config));
    await kit.service.app.tokenState.catchUp();

    expect(await kit.callApi(body.access_token ?? '')).toBe(401);
    expect(await kit.callApi(login.accessToken)).toBe(401);
    expect((await consoleAnswer()).get('error')).toBe('login_required');
    expect(await kit.refresh(body.refresh_token ?? '')).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(await askToken(kit.baseUrl, form)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(await wayOn()).toBe('');
  });

  test('users sign in again afterwards, and applications get fresh grants', async () => {
    // The kit signs with the previous key.
    const tokens = createTestTokens(kit.database, {
      config: kit.service.config,
      clock: systemClock,
    });
    const { accessToken } = await tokens.login(await insertUser(kit.database));
    const browser = createBrowser(kit.baseUrl);
    const pkce = newPkce();
    const redirected = await runToRedirect(
      browser,
      accessToken,
      { ...GOOD_REQUEST, scope: OFFLINE },
      pkce,
    );
    const code = {
      grant_type: 'authorization_code',
      code: redirected.get('code') ?? '',
      code_verifier: pkce.verifier,
    };
    const { body } = await askToken(kit.baseUrl, {
      ...code,
      client_id: GOOD_REQUEST.client_id,
      redirect_uri: GOOD_REQUEST.redirect_uri,
    });
    expect((await kit.refresh(body.refresh_token ?? '')).status).toBe(200);
    expect(
      (await browser.get(authorizeUrl({ ...GOOD_REQUEST, prompt: 'none' }, newPkce()))).location,
    ).toContain('code=');
  });
});
