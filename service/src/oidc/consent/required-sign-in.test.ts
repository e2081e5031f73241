/** What an application may require of the sign-in: its age, its strength, its user. */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askToken,
  authorizeUrl,
  createBrowser,
  newPkce,
} from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  errorAt,
  GOOD_REQUEST,
  interactionOf,
  type OidcKit,
  openOidcKit,
  REDIRECT,
} from '../../../test/support/oidc-fixture.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { createTestTokens, type TestTokens } from '../../../test/support/tokens.ts';
import { systemClock } from '../../lib/clock.ts';
import { ACR_VALUES } from '../tokens/acr.ts';

const [PASSKEY, MFA, SFA] = ACR_VALUES;
const EMAIL_SIGN_IN = { amr: ['pwd', 'email', 'mfa'] };

describe.each(RUN_ENGINES)('the sign-in that a request needs on %s', (engine) => {
  let kit: OidcKit;
  /** Signs users in two seconds ago. */
  let earlier: TestTokens;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
    const clock = { now: () => new Date(systemClock.now().getTime() - 2000) };
    earlier = createTestTokens(kit.database, { config: kit.service.config, clock });
  });
  afterAll(() => kit.stop());

  /** One application in one browser. */
  function openApplication(clientId = 'app') {
    const browser = createBrowser(kit.baseUrl);
    const pkce = newPkce();
    return {
      start: (parameters: Record<string, string> = {}) =>
        browser.get(authorizeUrl({ ...GOOD_REQUEST, client_id: clientId, ...parameters }, pkce)),
      answer: (location: string, accessToken: string, decision = 'allow') =>
        fetch(`${kit.baseUrl}/oauth2/authorize/consent`, {
          method: 'POST',
          headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
          body: JSON.stringify({ interaction_id: interactionOf(location), decision }),
        }),
      async finish(answered: Response) {
        const { redirect_to } = (await answered.json()) as { redirect_to: string };
        return browser.get(redirect_to);
      },
      async claims(location: string) {
        const { body } = await askToken(kit.baseUrl, {
          grant_type: 'authorization_code',
          client_id: clientId,
          code: new URL(location).searchParams.get('code') ?? '',
          redirect_uri: REDIRECT,
          code_verifier: pkce.verifier,
        });
        return { claims: decodeJwt(body.id_token ?? ''), body };
      },
    };
  }
  async function signInAt(
    accessToken: string,
    parameters: Record<string, string> = {},
    app = openApplication(),
  ) {
    const { location } = await app.start(parameters);
    const end = await app.finish(await app.answer(location, accessToken));
    return { app, location: end.location, ...(await app.claims(end.location)) };
  }
  const shown = async (location: string, accessToken: string) =>
    (
      await fetch(
        `${kit.baseUrl}/oauth2/authorize/consent?interaction_id=${interactionOf(location)}`,
        { headers: { authorization: `Bearer ${accessToken}` } },
      )
    ).json() as Promise<Record<string, unknown>>;

  test('max_age is counted from the request, without slack', async () => {
    const userId = await insertUser(kit.database);
    const old = await earlier.login(userId);
    const app = openApplication();
    const { location } = await app.start({ max_age: '1' });
    expect(await shown(location, old.accessToken)).toMatchObject({ must_sign_in_again: true });
    const refused = await app.answer(location, old.accessToken);
    expect(await refused.json()).toMatchObject({ code: 'reauthentication_required' });
    const enough = await app.start({ max_age: '30' });
    expect(await shown(enough.location, old.accessToken)).toMatchObject({
      must_sign_in_again: false,
    });
    const fresh = await kit.tokens.login(userId);
    const end = await app.finish(await app.answer(location, fresh.accessToken));
    expect(end.location).toContain('code=');
  });

  test('prompt=login and max_age=0 need a sign-in after the request', async () => {
    const userId = await insertUser(kit.database);
    const before = await kit.tokens.login(userId);
    for (const parameters of [{ prompt: 'login' }, { max_age: '0' }] as Record<string, string>[]) {
      const app = openApplication();
      const { location } = await app.start(parameters);
      expect((await app.answer(location, before.accessToken)).status).toBe(403);
      const after = await kit.tokens.login(userId);
      expect((await app.answer(location, after.accessToken)).status).toBe(200);
    }
  });

  test('every id_token states when and how the user signed in', async () => {
    const userId = await insertUser(kit.database);
    const cases = [
      { amr: ['pwd', 'email', 'mfa'], acr: SFA },
      { amr: ['pwd', 'otp', 'mfa'], acr: MFA },
      { amr: ['pwd', 'hwk', 'mfa'], acr: PASSKEY },
    ];
    for (const { amr, acr } of cases) {
      const { accessToken } = await kit.tokens.login(userId, { amr });
      const { auth_time } = decodeJwt(accessToken);
      const { claims } = await signInAt(accessToken);
      expect(claims).toMatchObject({ auth_time, amr, acr });
    }
    const discovery = await fetch(`${kit.baseUrl}/.well-known/openid-configuration`);
    expect(await discovery.json()).toMatchObject({
      acr_values_supported: [...ACR_VALUES],
      claims_parameter_supported: true,
      claims_supported: expect.arrayContaining(['auth_time', 'amr', 'acr']),
    });
  });

  test('acr_values: the answer names the requested value that holds', async () => {
    const userId = await insertUser(kit.database);
    const { accessToken } = await kit.tokens.login(userId, { amr: ['pwd', 'hwk', 'mfa'] });
    const app = openApplication();
    const first = await signInAt(accessToken, { acr_values: MFA }, app);
    expect(first.claims.acr).toBe(MFA);
    const silent = await app.start({ acr_values: `urn:unknown ${PASSKEY}` });
    expect((await app.claims(silent.location)).claims.acr).toBe(PASSKEY);
  });

  test('acr_values requires a stronger factor of users who have one only', async () => {
    const userId = await insertUser(kit.database);
    const weak = await kit.tokens.login(userId, EMAIL_SIGN_IN);
    const app = openApplication();
    await signInAt(weak.accessToken, {}, app);
    const { location } = await app.start({ acr_values: MFA });
    expect(await shown(location, weak.accessToken)).toMatchObject({ must_sign_in_again: false });
    await kit.database.query(
      `insert into authenticator (user_id, secret_sealed, confirmed_at, created_at)
       values ($1, '\\x00', now(), now())`,
      [userId],
    );
    expect(await shown(location, weak.accessToken)).toMatchObject({ must_sign_in_again: true });
    expect((await app.answer(location, weak.accessToken)).status).toBe(403);
    const again = await kit.tokens.login(userId, EMAIL_SIGN_IN);
    const end = await app.finish(await app.answer(location, again.accessToken));
    expect((await app.claims(end.location)).claims.acr).toBe(SFA);
  });

  test('an essential acr is a condition', async () => {
    const userId = await insertUser(kit.database);
    const weak = await kit.tokens.login(userId, EMAIL_SIGN_IN);
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: [MFA] } } });
    const app = openApplication();
    await signInAt(weak.accessToken, {}, app);
    const { location } = await app.start({ claims });
    const refused = await app.answer(location, weak.accessToken);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'unmet_authentication_requirements' });
    const none = await app.start({ claims, prompt: 'none' });
    expect(errorAt(none.location)).toBe('login_required');
    const strong = await kit.tokens.login(userId);
    const end = await app.finish(await app.answer(location, strong.accessToken));
    expect((await app.claims(end.location)).claims.acr).toBe(MFA);
  });

  test('a claim is granted through its scope', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const claims = JSON.stringify({ userinfo: { email: { essential: true }, phone_number: null } });
    const app = openApplication();
    const { location } = await app.start({ claims });
    expect(await shown(location, accessToken)).toMatchObject({
      scopes: expect.arrayContaining([expect.objectContaining({ name: 'email' })]),
    });
    const end = await app.finish(await app.answer(location, accessToken));
    const { body } = await app.claims(end.location);
    expect(body.scope).toBe('openid account:read email');
    const info = await fetch(`${kit.baseUrl}/oauth2/userinfo`, {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect(await info.json()).toMatchObject({ email: 'person@example.test' });
    for (const wrong of ['{', '[]', '{"userinfo":1}'])
      expect(errorAt((await app.start({ claims: wrong })).location)).toBe('invalid_request');
  });

  test('attack: another user answers a request with id_token_hint', async () => {
    const [alice, bob] = [await insertUser(kit.database), await insertUser(kit.database)];
    const bobs = await kit.tokens.login(bob);
    const { body, claims } = await signInAt(bobs.accessToken);
    const hint = { id_token_hint: body.id_token ?? '' };
    const named = { claims: JSON.stringify({ id_token: { sub: { value: claims.sub } } }) };
    const alices = await kit.tokens.login(alice);
    for (const parameters of [hint, named] as Record<string, string>[]) {
      const app = openApplication();
      const { location } = await app.start(parameters);
      expect(await shown(location, alices.accessToken)).toMatchObject({ must_sign_in_again: true });
      const end = await app.finish(await app.answer(location, alices.accessToken));
      expect(errorAt(end.location)).toBe('login_required');
      expect(end.location).not.toContain('code=');
    }
    const app = openApplication();
    await signInAt(alices.accessToken, {}, app);
    const silent = await app.start({ ...hint, prompt: 'none' });
    expect(errorAt(silent.location)).toBe('login_required');
    expect((await signInAt(bobs.accessToken, hint)).claims.sub).toBe(claims.sub);
  });

  test('a silent renewal with the own id_token_hint needs no page', async () => {
    const { accessToken } = await kit.tokens.login(await insertUser(kit.database));
    const { app, body } = await signInAt(accessToken);
    const { location } = await app.start({ id_token_hint: body.id_token ?? '', prompt: 'none' });
    expect(location).toContain('code=');
  });

  test('the page gets the hints for its form', async () => {
    const hints = { login_hint: 'ada@example.test', ui_locales: 'zh-CN en' };
    const { location } = await openApplication().start(hints);
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject(hints);
    const long = await openApplication().start({ login_hint: 'a'.repeat(1000) });
    expect(new URL(long.location).searchParams.get('login_hint')).toHaveLength(320);
  });
});
