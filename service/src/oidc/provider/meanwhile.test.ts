/**
 * What another instance does while a revocation of a sign-in, an account or a connection commits:
 * it still reads the previous state.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askToken,
  authorizeUrl,
  createBrowser,
  decide,
  newPkce,
} from '../../../test/support/browser-flow.ts';
import {
  GOOD_REQUEST,
  interactionOf,
  type OidcKit,
  openOidcKit,
  SECRET,
} from '../../../test/support/oidc-fixture.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { type Transaction, transaction } from '../../db/index.ts';
import { endAllSessions, endSession } from '../../identity/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { revokeApplication } from '../consent/revoke-application.ts';

const OFFLINE = 'openid account:read device:connect offline_access';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const origin = { ip: '127.0.0.1', userAgent: 'test', language: 'en' } as const;

type Answer = Awaited<ReturnType<typeof askToken>>;

/** Two transactions at the same time: on one PostgreSQL only. */
describe('while a revocation commits', () => {
  let kit: OidcKit;
  let userId: number;
  beforeAll(async () => {
    kit = await openOidcKit('server');
  });
  afterAll(() => kit.stop());

  const post = async (path: string, form: Record<string, string>) =>
    (await (
      await fetch(`${kit.baseUrl}${path}`, { method: 'POST', body: new URLSearchParams(form) })
    ).json()) as Record<string, string>;

  /** What an attacker holds, and the requests that follow. */
  const ways: Record<string, () => Promise<() => Promise<Answer>>> = {
    async 'a refresh'() {
      const { body } = await kit.newTokens(OFFLINE);
      return () => kit.refresh(body.refresh_token ?? '');
    },
    async 'a refresh without a sign-in'() {
      const { body, login } = await kit.newTokens(OFFLINE);
      await transaction(kit.database, (tx) =>
        endSession(tx, systemClock, { sid: login.sid, reason: 'logout' }),
      );
      return () => kit.refresh(body.refresh_token ?? '');
    },
    async 'a code'() {
      const { form } = await kit.newCode(OFFLINE);
      return () => askToken(kit.baseUrl, form);
    },
    async 'a code without offline access'() {
      const { form } = await kit.newCode();
      return () => askToken(kit.baseUrl, form);
    },
    async 'a device code'() {
      const { accessToken } = await kit.tokens.login(userId);
      const { device_code = '', user_code } = await post('/oauth2/device_authorization', {
        client_id: 'terminal',
        scope: OFFLINE,
      });
      const headers = {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
      };
      await fetch(`${kit.baseUrl}/oauth2/device`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ user_code, decision: 'allow' }),
      });
      return () =>
        askToken(kit.baseUrl, { grant_type: DEVICE_CODE, client_id: 'terminal', device_code });
    },
  };
  const exchange = async () => {
    const { accessToken } = await kit.tokens.login(userId);
    const form = {
      grant_type: EXCHANGE,
      subject_token: accessToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    };
    return () => askToken(kit.baseUrl, { ...form, client_id: 'server', client_secret: SECRET });
  };

  /**
   * Sends requests while the revocation is written but not committed; their results must end with
   * it.
   */
  async function expectNothingLeft(
    name: string,
    ask: () => Promise<Answer>,
    end: (tx: Transaction) => Promise<unknown>,
  ): Promise<void> {
    const answer = await transaction(kit.database, async (tx) => {
      await end(tx);
      return ask();
    });
    expect({ name, status: answer.status }).toEqual({ name, status: 200 });
    await expect.poll(() => kit.callApi(answer.body.access_token ?? '')).toBe(401);
    if (answer.body.refresh_token !== undefined) {
      const clientId = name === 'a device code' ? 'terminal' : 'app';
      expect({
        name,
        status: (await kit.refresh(answer.body.refresh_token, clientId)).status,
      }).toEqual({ name, status: 400 });
    }
  }

  test('attack: tokens made while “log out everywhere” or a disabling commits end', async () => {
    userId = kit.userId;
    for (const [name, prepare] of Object.entries({ ...ways, 'an exchange': exchange }))
      await expectNothingLeft(name, await prepare(), (tx) =>
        endAllSessions(tx, systemClock, { userId, reason: 'account_disabled' }),
      );
  });

  test('attack: tokens of a node whose clock is ahead end at a disconnection too', async () => {
    const ahead = await openOidcKit('server', {}, { now: () => new Date(Date.now() + 3000) });
    try {
      for (const scope of [OFFLINE, 'openid account:read']) {
        const { body } = await ahead.newTokens(scope);
        const refreshed =
          body.refresh_token === undefined ? body : (await ahead.refresh(body.refresh_token)).body;
        expect(await ahead.callApi(refreshed.access_token ?? '')).toBe(200);
        expect(
          await revokeApplication(ahead.database, systemClock, {
            userId: ahead.userId,
            clientId: 'app',
            origin,
          }),
        ).toBe(true);
        await expect.poll(() => ahead.callApi(refreshed.access_token ?? '')).toBe(401);
      }
    } finally {
      await ahead.stop();
    }
  });

  test('attack: resuming during a disconnection or logout waits and gives nothing', async () => {
    for (const end of ['disconnect', 'everywhere'] as const) {
      userId = await insertUser(kit.database);
      const { accessToken } = await kit.tokens.login(userId);
      const goOn = async () => {
        const browser = createBrowser(kit.baseUrl);
        const pkce = newPkce();
        const { location } = await browser.get(
          authorizeUrl({ ...GOOD_REQUEST, scope: OFFLINE }, pkce),
        );
        const redirectTo = await decide(kit.baseUrl, accessToken, interactionOf(location));
        const redeem = (code: string) => {
          const shared = {
            grant_type: 'authorization_code',
            client_id: 'app',
            redirect_uri: GOOD_REQUEST.redirect_uri,
          };
          return askToken(kit.baseUrl, { ...shared, code, code_verifier: pkce.verifier });
        };
        return { take: () => browser.get(redirectTo), redeem };
      };
      expect((await (await goOn()).take()).location).toContain('code=');
      const { take, redeem } = await goOn();
      const taking = await transaction(kit.database, async (tx) => {
        if (end === 'disconnect')
          await revokeApplication(tx, systemClock, { userId, clientId: 'app', origin });
        else await endAllSessions(tx, systemClock, { userId, reason: 'logout_everywhere' });
        const going = take();
        const waiting = `select 1 from pg_stat_activity where datname = current_database()
           and wait_event = 'advisory'`;
        const countWaiting = async () => {
          // PostgreSQL keeps the activity that a transaction read first.
          await tx.query('select pg_stat_clear_snapshot()');
          return (await tx.query(waiting)).rowCount;
        };
        await expect.poll(countWaiting).toBeGreaterThan(0);
        return { going };
      });
      const { location } = await taking.going;
      const code = location.includes('code=')
        ? (new URL(location).searchParams.get('code') ?? '')
        : 'none';
      expect({ end, ...(await redeem(code)) }).toMatchObject({
        end,
        status: 400,
        body: { error: 'invalid_grant' },
      });
      if (end === 'disconnect') expect(location).toBe('');
    }
  });
});
