/** Resuming a request after a decision, and attempts to bypass the binding to its browser. */
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
  errorAt,
  GOOD_REQUEST,
  interactionOf,
  type OidcKit,
  openOidcKit,
  REDIRECT,
} from '../../../test/support/oidc-fixture.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { transaction } from '../../db/index.ts';
import { endSession } from '../../identity/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { createMasterKey } from '../../master-key.ts';
import { createClient, deleteClient, updateClient } from '../clients/index.ts';
import { DEVICE_CODE } from '../clients/types.ts';
import {
  createInteractionEncryption,
  type EncryptedDecision,
  type WaitingRequest,
} from '../provider/interaction-encryption.ts';

const encryption = createInteractionEncryption(testMasterKey);
const openRequest = (id: string): WaitingRequest =>
  encryption.request.decrypt(id) as WaitingRequest;

describe.each(RUN_ENGINES)('resuming a request after consent on %s', (engine) => {
  let kit: OidcKit;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
  });
  afterAll(() => kit.stop());

  async function begin(parameters: Record<string, string> = {}) {
    const browser = createBrowser(kit.baseUrl);
    const pkce = newPkce();
    const { location } = await browser.get(authorizeUrl({ ...GOOD_REQUEST, ...parameters }, pkce));
    return { browser, pkce, id: interactionOf(location) };
  }

  test('attack: a link sent to a victim (consent without its browser) gives no code', async () => {
    const victim = await kit.tokens.login(await insertUser(kit.database));
    const read = async (path: string) =>
      (
        await fetch(`${kit.baseUrl}${path}`, {
          headers: { authorization: `Bearer ${victim.accessToken}` },
        })
      ).json();
    const { browser: attacker, id } = await begin();
    const redirectTo = await decide(kit.baseUrl, victim.accessToken, id);
    const victimsBrowser = createBrowser(kit.baseUrl);
    expect((await victimsBrowser.get(redirectTo)).status).toBe(400);
    const wayOn = new URL(redirectTo).pathname;
    for (const guess of [
      wayOn,
      `${wayOn}?ticket=`,
      `${wayOn}?ticket=${'A'.repeat(43)}`,
      `${wayOn}?ticket=${id}`,
    ]) {
      const { status, location } = await attacker.get(guess);
      expect({ guess, status, location }).toEqual({ guess, status: 400, location: '' });
    }
    // Nor is the consent of the victim stored, which would skip the question the next time.
    expect(await read('/me/connections')).toEqual({ connections: [] });
  });

  test('an accepted answer is logged: first consent, further consent, refusal', async () => {
    const { accessToken } = await kit.tokens.login(await insertUser(kit.database));
    const answer = async (decision: 'allow' | 'deny', scope: string) => {
      const { browser, id } = await begin({ scope });
      await browser.get(await decide(kit.baseUrl, accessToken, id, { decision }), {
        'user-agent': 'Browser',
      });
    };
    await answer('allow', 'openid account:read');
    await answer('allow', 'openid account:read');
    await answer('allow', 'openid');
    await answer('allow', 'openid devices:read');
    await answer('deny', 'openid');
    const response = await fetch(`${kit.baseUrl}/me/security-events?current=1&size=10`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    const { records } = (await response.json()) as {
      records: { type: string; user_agent: string; ip: string; details: { scopes: string[] } }[];
    };
    const shared = { user_agent: 'Browser', ip: '127.0.0.1' };
    expect(records).toMatchObject([
      {
        ...shared,
        type: 'application_denied',
        details: { client_id: 'app', client_name: 'App', scopes: [] },
      },
      { ...shared, type: 'application_allowed', details: { scopes: ['openid', 'devices:read'] } },
      { ...shared, type: 'application_allowed', details: { scopes: ['openid', 'account:read'] } },
    ]);
    expect(records).toHaveLength(3);
  });

  test('attack: resuming twice, or with another request’s cookie', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const first = await begin();
    const second = await begin();
    const redirectTo = await decide(kit.baseUrl, accessToken, first.id);
    expect((await second.browser.get(redirectTo)).status).toBe(400);
    expect((await first.browser.get(redirectTo)).location).toContain('code=');
    const again = await first.browser.get(redirectTo);
    expect({ status: again.status, location: again.location }).toEqual({
      status: 400,
      location: '',
    });
  });

  test('attack: a ticket that is used again, in turn or at once, stores nothing', async () => {
    const userId = await insertUser(kit.database);
    const { accessToken } = await kit.tokens.login(userId);
    const { browser, id } = await begin({ scope: 'openid offline_access' });
    const redirectTo = await decide(kit.baseUrl, accessToken, id);
    const cookie = browser.jar.map(({ name, value }) => `${name}=${value}`).join('; ');
    const use = () => fetch(redirectTo, { redirect: 'manual', headers: { cookie } });
    const answers = [await use(), ...(await Promise.all(Array.from({ length: 8 }, use)))];
    expect(answers.map(({ status }) => status)).toEqual([
      302,
      ...Array.from({ length: 8 }, () => 400),
    ]);
    const { rows } = await kit.database.query<{ model: string }>(
      "select model from oidc_object where payload->>'accountId' = $1 order by model",
      [String(userId)],
    );
    expect(rows.map(({ model }) => model)).toEqual(['AuthorizationCode', 'Grant', 'Session']);
  });

  test('attack: 8 parallel resumptions give exactly one code', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const { browser, id } = await begin();
    const redirectTo = await decide(kit.baseUrl, accessToken, id);
    const cookie = browser.jar.map(({ name, value }) => `${name}=${value}`).join('; ');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        fetch(redirectTo, { redirect: 'manual', headers: { cookie } }),
      ),
    );
    const locations = answers
      .map(({ headers }) => headers.get('location'))
      .filter((location) => location !== null);
    expect(locations).toEqual([expect.stringContaining('code=')]);
    for (const answer of answers.filter(({ status }) => status !== 302)) {
      expect({ status: answer.status, cookies: answer.headers.getSetCookie() }).toEqual({
        status: 400,
        cookies: [],
      });
      expect(await answer.json()).toMatchObject({ error: 'invalid_request' });
    }
  });

  test('attack: resuming after the sign-in or the connected application was ended', async () => {
    for (const end of ['logout', 'disconnect'] as const) {
      const login = await kit.tokens.login(await insertUser(kit.database));
      const headers = { authorization: `Bearer ${login.accessToken}` };
      const earlier = await begin();
      expect(
        (await earlier.browser.get(await decide(kit.baseUrl, login.accessToken, earlier.id)))
          .location,
      ).toContain('code=');
      const { browser, id } = await begin();
      const redirectTo = await decide(kit.baseUrl, login.accessToken, id);
      if (end === 'logout')
        await transaction(kit.database, (tx) =>
          endSession(tx, systemClock, { sid: login.sid, reason: 'logout' }),
        );
      else await fetch(`${kit.baseUrl}/me/connections/app`, { method: 'DELETE', headers });
      if (end === 'logout') await kit.service.app.tokenState.catchUp();
      const { status, location } = await browser.get(redirectTo);
      expect({ end, status, location }).toEqual({ end, status: 400, location: '' });
    }
  });

  test('attack: resuming on an instance that has not heard of the disconnection', async () => {
    // The revocation is in the database, and no instance was notified.
    const login = await kit.tokens.login(await insertUser(kit.database));
    const { browser, id } = await begin();
    const redirectTo = await decide(kit.baseUrl, login.accessToken, id);
    await kit.database.query(
      `insert into token_revocation (kind, value, reason, effective_at, until, xid)
       select 'connection', user_id || ' app', 'connection_ended', $2::timestamptz,
          $2::timestamptz + interval '1 day', '3'::xid8
        from user_session where sid = $1`,
      [login.sid, new Date()],
    );
    const { status, location } = await browser.get(redirectTo);
    expect({ status, location }).toEqual({ status: 400, location: '' });
    const stored = await kit.database.query(
      "select 1 from oidc_object where model = 'AuthorizationCode' and payload->>'sid' = $1",
      [login.sid],
    );
    expect(stored.rowCount).toBe(0);
  });

  test('attack: resuming to a redirect URI that the operator removed', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const shared = {
      isPublic: true,
      isFirstParty: false,
      name: 'Moving',
      redirectUris: [REDIRECT],
      scopes: ['openid', 'account:read', 'devices:read'],
    };
    const register = () =>
      createClient(kit.database, systemClock, {
        ...shared,
        clientId: 'moving',
        grantTypes: ['authorization_code', DEVICE_CODE],
      });
    const elsewhere = ['https://elsewhere.test/cb'];
    const changes: Record<string, () => Promise<unknown>> = {
      'another redirect URI': () =>
        updateClient(kit.database, systemClock, 'moving', { redirectUris: elsewhere }),
      'no codes': () =>
        updateClient(kit.database, systemClock, 'moving', {
          redirectUris: [],
          grantTypes: [DEVICE_CODE],
        }),
      async 'another client of the name'() {
        await deleteClient(kit.database, systemClock, 'moving');
        await createClient(kit.database, systemClock, {
          ...shared,
          clientId: 'moving',
          redirectUris: elsewhere,
          grantTypes: ['authorization_code'],
        });
      },
    };
    const moving = { client_id: 'moving', scope: 'openid account:read devices:read' };
    const isLed = async () => (await kit.authorize(moving)).status === 302;
    for (const [change, make] of Object.entries(changes)) {
      await register();
      expect(await isLed()).toBe(true);
      const decided = await begin(moving);
      const redirectTo = await decide(kit.baseUrl, accessToken, decided.id);
      const waiting = await begin(moving);
      const coded = await begin(moving);
      const { location } = await coded.browser.get(
        await decide(kit.baseUrl, accessToken, coded.id),
      );
      await make();
      expect(await isLed()).toBe(false);
      const { status, location: none } = await decided.browser.get(redirectTo);
      expect({ change, status, none }).toEqual({ change, status: 400, none: '' });
      await expect(decide(kit.baseUrl, accessToken, waiting.id)).rejects.toThrow(
        'interaction_expired',
      );
      const code = new URL(location).searchParams.get('code') ?? '';
      const redeemed = {
        grant_type: 'authorization_code',
        client_id: 'moving',
        redirect_uri: REDIRECT,
        code,
        code_verifier: coded.pkce.verifier,
      };
      expect({ change, status: (await askToken(kit.baseUrl, redeemed)).status }).toEqual({
        change,
        status: 400,
      });
      await deleteClient(kit.database, systemClock, 'moving');
    }
  });

  test('attack: a forged, changed or late ticket, session or interaction', async () => {
    const { accessToken } = await kit.tokens.login(kit.userId);
    const { browser, id } = await begin();
    const redirectTo = new URL(await decide(kit.baseUrl, accessToken, id));
    const ticket = redirectTo.searchParams.get('ticket') ?? '';
    const foreign = createInteractionEncryption(
      createMasterKey(Buffer.alloc(32, 8)),
    ).request.encrypt(openRequest(id));
    const late = encryption.request.encrypt({
      ...openRequest(id),
      exp: Math.floor(Date.now() / 1000),
    });
    for (const interaction_id of [
      `${id.slice(0, -1)}${id.endsWith('A') ? 'Q' : 'A'}`,
      id.slice(0, 80),
      'x',
      ticket,
      foreign,
      late,
    ]) {
      const response = await fetch(`${kit.baseUrl}/oauth2/authorize/consent`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ interaction_id, decision: 'allow' }),
      });
      expect(await response.json()).toMatchObject({ status: 404, code: 'interaction_expired' });
    }
    const decision = encryption.decision.decrypt(ticket) as EncryptedDecision;
    for (const bad of [
      ticket.slice(0, -2),
      id,
      encryption.decision.encrypt({ ...decision, expiresAt_ms: Date.now() }),
      encryption.decision.encrypt({ ...decision, request: { ...openRequest(id), uid: 'another' } }),
    ]) {
      redirectTo.searchParams.set('ticket', bad);
      expect((await browser.get(redirectTo.href)).status).toBe(400);
    }
    const session = { headers: { cookie: `_session=${ticket}` }, redirect: 'manual' } as const;
    const silent = await fetch(
      new URL(authorizeUrl({ ...GOOD_REQUEST, prompt: 'none' }, newPkce()), kit.baseUrl),
      session,
    );
    expect(errorAt(silent.headers.get('location') ?? '')).toBe('login_required');
  });

  test('a request that is too long to be encrypted into the URL is refused', async () => {
    const { status, location } = await kit.authorize({ state: 's'.repeat(4096) });
    expect({ status, location }).toEqual({ status: 400, location: '' });
    // Characters that grow when they are encrypted.
    for (const state of ['\\'.repeat(3700), '%01'.repeat(1250)]) {
      const refused = await createBrowser(kit.baseUrl).get(
        `${authorizeUrl(GOOD_REQUEST, newPkce()).replace('&state=s1', '')}&state=${state}`,
      );
      expect({ length: state.length, error: errorAt(refused.location) }).toEqual({
        length: state.length,
        error: 'invalid_request',
      });
    }
    const { accessToken } = await kit.tokens.login(kit.userId);
    const { browser, id } = await begin({ state: 's'.repeat(3500) });
    expect((await browser.get(await decide(kit.baseUrl, accessToken, id))).location).toContain(
      'code=',
    );
  });
});
