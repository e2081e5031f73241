/** What a request or a client may choose: form_post, prompts, lifetimes. */
import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askToken,
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
  REDIRECT,
} from '../../../test/support/oidc-fixture.ts';
import { createTestTokens, type TestTokens } from '../../../test/support/tokens.ts';
import { systemClock } from '../../lib/clock.ts';
import { updateClient } from '../clients/index.ts';

describe.each(RUN_ENGINES)('options of a request on %s', (engine) => {
  let kit: OidcKit;
  /** Signs users in two seconds ago. */
  let earlier: TestTokens;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
    const clock = { now: () => new Date(systemClock.now().getTime() - 2000) };
    earlier = createTestTokens(kit.database, { config: kit.service.config, clock });
  });
  afterAll(() => kit.stop());

  const inputs = (page: string) =>
    Object.fromEntries(
      [...page.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );

  test('form_post posts code and errors, by a script that the policy names', async () => {
    const pkce = newPkce();
    const browser = createBrowser(kit.baseUrl);
    const asked = { ...GOOD_REQUEST, response_mode: 'form_post' };
    const { location } = await browser.get(authorizeUrl(asked, pkce));
    const { accessToken } = await kit.tokens.login(kit.userId);
    const page = await browser.get(await decide(kit.baseUrl, accessToken, interactionOf(location)));
    expect([page.status, page.location]).toEqual([200, '']);
    expect(page.text).toContain(`<form method="post" action="${REDIRECT}">`);
    const script = /<script>(.*?)<\/script>/s.exec(page.text)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src 'sha256-${hash}'`);
    const sent = inputs(page.text);
    expect(sent).toMatchObject({ state: 's1', iss: kit.baseUrl });
    const { status } = await askToken(kit.baseUrl, {
      grant_type: 'authorization_code',
      client_id: 'app',
      redirect_uri: REDIRECT,
      code: sent.code ?? '',
      code_verifier: pkce.verifier,
    });
    expect(status).toBe(200);
    const remembered = await browser.get(authorizeUrl({ ...asked, prompt: 'none' }, newPkce()));
    expect(remembered.status).toBe(200);
    expect(inputs(remembered.text)).toMatchObject({ code: expect.any(String), state: 's1' });
    const silent = await createBrowser(kit.baseUrl).get(
      authorizeUrl({ ...asked, prompt: 'none' }, newPkce()),
    );
    expect(silent.location).toBe('');
    expect(inputs(silent.text)).toMatchObject({ error: 'login_required', state: 's1' });
  });

  test('prompt=select_account shows the page, until the user has chosen', async () => {
    const asked = { ...GOOD_REQUEST, scope: 'openid' };
    const consent = async (accessToken: string, prompt?: string) => {
      const browser = createBrowser(kit.baseUrl);
      const parameters = { ...asked, ...(prompt && { prompt }) };
      const { location } = await browser.get(authorizeUrl(parameters, newPkce()));
      const id = interactionOf(location);
      const response = await fetch(
        `${kit.baseUrl}/oauth2/authorize/consent?${new URLSearchParams({ interaction_id: id })}`,
        { headers: { authorization: `Bearer ${accessToken}` } },
      );
      const shown = (await response.json()) as { allowed_already: boolean };
      return { browser, id, location, shown };
    };
    const { accessToken } = await earlier.login(kit.userId);
    const first = await consent(accessToken);
    await first.browser.get(await decide(kit.baseUrl, accessToken, first.id));
    expect((await consent(accessToken)).shown.allowed_already).toBe(true);
    const chosen = await consent(accessToken, 'select_account');
    expect(chosen.shown.allowed_already).toBe(false);
    expect(new URL(chosen.location).searchParams.get('prompt')).toBe('select_account');
    const fresh = await kit.tokens.login(kit.userId);
    const ended = await chosen.browser.get(await decide(kit.baseUrl, fresh.accessToken, chosen.id));
    expect(new URL(ended.location).searchParams.get('code')).toMatch(/./);
    // In the browser with a session, too.
    const again = await chosen.browser.get(
      authorizeUrl({ ...asked, prompt: 'select_account' }, newPkce()),
    );
    expect(again.location).toContain('interaction_id=');
  });

  test('prompt=create leads to the page, which registers, and on to the application', async () => {
    const browser = createBrowser(kit.baseUrl);
    const { location } = await browser.get(
      authorizeUrl({ ...GOOD_REQUEST, prompt: 'create' }, newPkce()),
    );
    expect(new URL(location).searchParams.get('prompt')).toBe('create');
    const { accessToken } = await kit.tokens.login(kit.userId);
    const ended = await browser.get(
      await decide(kit.baseUrl, accessToken, interactionOf(location)),
    );
    expect(new URL(ended.location).searchParams.get('code')).toMatch(/./);
    const response = await fetch(`${kit.baseUrl}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({
      prompt_values_supported: expect.arrayContaining(['create', 'select_account', 'login']),
      response_modes_supported: ['query', 'form_post'],
    });
  });

  test('tokens live as long as the client is registered for', async () => {
    await updateClient(kit.database, systemClock, 'app', {
      metadata: { access_token_lifetime: 120, refresh_token_lifetime: 600 },
    });
    const { body } = await kit.newTokens('openid offline_access');
    expect(body.expires_in).toBe(120);
    const { exp = 0, iat = 0 } = decodeJwt(body.access_token ?? '');
    expect(exp - iat).toBeLessThanOrEqual(120);
    const { rows } = await kit.database.query<{ lifetime_s: number }>(
      `select extract(epoch from expires_at - now())::float8 as lifetime_s from oidc_object
       where model = 'RefreshToken' order by expires_at desc`,
    );
    expect(rows[0]?.lifetime_s).toBeGreaterThan(500);
    expect(rows[0]?.lifetime_s).toBeLessThanOrEqual(600);
    await expect(
      updateClient(kit.database, systemClock, 'app', { metadata: { access_token_lifetime: 5 } }),
    ).rejects.toThrow('access_token_lifetime');
    await updateClient(kit.database, systemClock, 'app', {
      metadata: { access_token_lifetime: 0, refresh_token_lifetime: 0 },
    });
    expect((await kit.newTokens('openid')).body.expires_in).toBeGreaterThan(120);
  });
});
