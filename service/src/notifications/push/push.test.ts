import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../../test/support/databases.ts';
import {
  type PushBrowser,
  type PushService,
  startPushService,
} from '../../../test/support/push-service.ts';
import { testConfig, testMasterKey } from '../../../test/support/test-config.ts';
import { bearer, createTestServer } from '../../../test/support/test-server.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { type Database, transaction } from '../../db/index.ts';
import { createMetrics, createOutgoing, type HttpServer } from '../../http/index.ts';
import { installPersonKeys } from '../../identity/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { addNotifications, type NewNotification } from '../add-notifications.ts';
import { registerNotifications } from '../index.ts';
import type { PushOutcome } from './push-metrics.ts';
import { SUBSCRIPTIONS_MAX, type SubscriptionList } from './schemas.ts';
import { BACKOFF_S, type PushDeps, sendPushes } from './send-pushes.ts';
import { createVapidKey } from './vapid-key.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
let causes = 0;

describe.each(ENGINES)('notifications by Web Push on %s', (engine) => {
  const clock = createManualClock('2026-11-10T12:00:00Z');
  let database: Database;
  let app: HttpServer;
  let service: PushService;
  let deps: PushDeps;
  let outcomes: PushOutcome[] = [];

  const passSeconds = (seconds: number): void =>
    clock.set(new Date(clock.now().getTime() + seconds * 1000));
  const send = () => sendPushes(deps);

  interface Session {
    readonly userId: number;
    readonly sid: string;
  }
  const newSession = async (userId?: number): Promise<Session> => {
    const owner = userId ?? (await insertUser(database));
    const sid = `sid-${++causes}`;
    await database.query(
      `insert into user_session (sid, user_id, amr, auth_time, expires_at, created_at)
       values ($1, $2, '{}', $3, $3, $3)`,
      [sid, owner, clock.now()],
    );
    return { userId: owner, sid };
  };
  const call = (
    { userId, sid }: Session,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
  ) =>
    app.inject({
      ...{ method, url },
      headers: {
        ...bearer({ userId, sid, tokenUse: 'business', scopes: ['identity:manage'] }),
        ...{ 'user-agent': FIREFOX, 'accept-language': 'es-MX' },
      },
      ...(payload && { payload }),
    });
  const turnOn = async (session: Session, browser: PushBrowser, fields: object = {}) => {
    const body = { ...browser.subscription, ...fields };
    const answer = await call(session, 'POST', '/me/push-subscriptions', body);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<{ id: number; renewal_token: string }>();
  };
  const list = async (session: Session): Promise<SubscriptionList> =>
    (await call(session, 'GET', '/me/push-subscriptions')).json();
  const choose = (session: Session, kinds: object) =>
    call(session, 'PUT', '/me/notification-preferences', { kinds });

  const tell = (userId: number, fields: Partial<NewNotification> = {}) =>
    transaction(database, (tx) =>
      addNotifications(tx, clock, [
        {
          ...({ userId, kind: 'deposit', code: 'deposit_credited' } as const),
          ...{ details: { id: '7', amount: '12.5', currency: 'USDT' }, createdAt: clock.now() },
          cause: `test/${++causes}`,
          ...fields,
        },
      ]),
    );
  const messages = ({ received }: PushBrowser) =>
    received.map(({ text }) => JSON.parse(text) as Record<string, unknown>);
  const countRows = async (table: string, userId: number): Promise<number> => {
    const from =
      table === 'push_message'
        ? 'push_message join push_subscription s on s.id = subscription_id'
        : table;
    const { rows } = await database.query<{ n: number }>(
      `select count(*)::int as n from ${from} where user_id = $1`,
      [userId],
    );
    return rows[0]?.n ?? 0;
  };

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    installPersonKeys(database, testMasterKey);
    service = await startPushService(() => clock.now());
    app = createTestServer();
    const outgoing = createOutgoing({ allowsLoopback: true, timeout_ms: 60_000 });
    const shared = { database, clock, outgoing, serviceName: () => 'Acme' };
    deps = {
      ...{ ...shared, vapidKey: createVapidKey(testMasterKey, testConfig()) },
      onOutcome: (outcome) => outcomes.push(outcome),
    };
    registerNotifications(app, {
      ...{ ...shared, rewardCurrency: 'EDGE', isDayPaid: async () => false },
      ...{ masterKey: testMasterKey, config: testConfig(), look: () => ({ name: 'Acme' }) },
      metrics: createMetrics(),
    });
  });
  // What waits for browsers of earlier tests does not disturb.
  beforeEach(async () => {
    await database.query('delete from push_subscription');
    outcomes = [];
  });
  afterAll(async () => {
    await app.close();
    await service.close();
    await database.close();
    expect(service.problems).toEqual([]);
  });

  test('reach each browser of their user, encrypted, signed, in words', async () => {
    const [ada, bob] = [await newSession(), await newSession()];
    const [phone, laptop, other] = [service.open(), service.open(), service.open()];
    await turnOn(ada, phone);
    await turnOn(ada, laptop, { language: 'zh' });
    await turnOn(bob, other);
    await tell(ada.userId);
    await send();
    await send();
    const [message, ...more] = messages(phone);
    expect(more).toEqual([]);
    expect(message).toEqual({
      ...{ title: 'Acme', body: 'Se acreditó un depósito de 12.5 USDT', path: '/deposits' },
      ...{ tag: expect.stringMatching(/^notification-\d+$/) },
    });
    expect(messages(laptop)).toMatchObject([{ body: expect.stringContaining('12.5 USDT 充值') }]);
    expect(outcomes).toEqual(['delivered', 'delivered']);
    expect(messages(other)).toEqual([]);
    const [received] = phone.received;
    expect(received?.headers).toMatchObject({
      ...{ ttl: '259200', urgency: 'normal', topic: message?.tag },
    });
    expect(received?.text.length).toBeGreaterThan(1000);
    const { application_server_key: key, subscriptions } = await list(ada);
    expect(received?.applicationServerKey).toBe(key);
    expect(subscriptions).toMatchObject([
      ...[1, 2].map(() => ({
        ...{ user_agent: FIREFOX, sent_at: clock.now().toISOString(), is_failing: false },
      })),
    ]);
    expect(JSON.stringify(subscriptions)).not.toContain('/push/');
  });

  test('are those that were chosen, from when the browser was turned on', async () => {
    const ada = await newSession();
    const browser = service.open();
    await choose(ada, { deposit: { bell: false } });
    expect(await tell(ada.userId)).toBe(0);
    await turnOn(ada, browser);
    expect(await tell(ada.userId)).toBe(1);
    await tell(ada.userId, { kind: 'reward_day', code: 'reward_day' });
    await tell(ada.userId, {
      ...({ kind: 'device_offline', code: 'device_offline' } as const),
      details: { node_id: 'a/b', name: 'Laptop', since: '2026-11-10T11:00:00.000Z' },
    });
    // What waits, and is turned off before it is sent, is not sent.
    await tell(ada.userId, { kind: 'payout', code: 'payout_failed' });
    await choose(ada, { payout: { push: false } });
    await send();
    expect(messages(browser).map(({ path }) => path)).toEqual([
      ...['/deposits', '/devices/history?node=a%2Fb'],
    ]);
    const shown = await call(ada, 'GET', '/me/notifications');
    expect(shown.json().records.map(({ code }: { code: string }) => code)).toEqual([
      ...['payout_failed', 'device_offline', 'reward_day'],
    ]);
  });

  test('are sent once by two instances, and again under the same tag after a crash', async () => {
    const ada = await newSession();
    const browser = service.open();
    const { id } = await turnOn(ada, browser);
    // Each has a message of its own, however many there are.
    const signIn = { kind: 'sign_in', code: 'sign_in', details: {} } as const;
    for (let n = 0; n < 23; n++) await tell(ada.userId, signIn);
    await Promise.all([send(), send(), send()]);
    const tags = messages(browser).map(({ tag }) => tag);
    expect(new Set(tags).size).toBe(23);
    expect(tags).toHaveLength(23);
    // An instance has claimed the browser, has sent, and is gone.
    await tell(ada.userId);
    const claim = new Date(clock.now().getTime() + 60_000);
    await database.query(
      'update push_subscription set claimed_until = $1, due_at = null where id = $2',
      [claim, id],
    );
    await tell(ada.userId);
    await send();
    expect(browser.received).toHaveLength(23);
    passSeconds(60);
    await send();
    expect(browser.received).toHaveLength(25);
    expect(await countRows('push_message', ada.userId)).toBe(0);
  });

  test('more than three together are one message, besides sign-ins', async () => {
    const ada = await newSession();
    const [phone, laptop] = [service.open(), service.open()];
    await turnOn(ada, phone, { language: 'en' });
    for (let n = 0; n < 3; n++) await tell(ada.userId);
    await turnOn(ada, laptop, { language: 'en' });
    await tell(ada.userId, { kind: 'sign_in', code: 'sign_in', details: {} });
    await tell(ada.userId);
    await Promise.all([send(), send()]);
    expect(messages(phone)).toEqual([
      expect.objectContaining({ body: expect.stringContaining('Sign-in'), path: '/security' }),
      {
        ...{ title: 'Acme', body: '4 notifications', path: '/deposits' },
        tag: 'notifications',
      },
    ]);
    expect(phone.received.map(({ headers }) => headers.topic)).toEqual(
      messages(phone).map(({ tag }) => tag),
    );
    expect(messages(laptop).map(({ path }) => path)).toEqual(['/security', '/deposits']);
    expect(await countRows('push_message', ada.userId)).toBe(0);
    expect(outcomes).toEqual(['delivered', 'delivered', 'delivered', 'delivered']);
  });

  test('a message of several that fails is sent again, with what waits by then', async () => {
    const ada = await newSession();
    const browser = service.open();
    await turnOn(ada, browser, { language: 'en' });
    // No news any more when it is tried again.
    const details = { node_id: 'n', name: 'Laptop', since: clock.now().toISOString() };
    await tell(ada.userId, { kind: 'device_offline', code: 'device_offline', details });
    for (let n = 0; n < 4; n++) await tell(ada.userId);
    browser.answer(503, { 'retry-after': '43200' });
    await send();
    await tell(ada.userId);
    browser.answer(201);
    passSeconds(43_200);
    await send();
    expect(messages(browser).map(({ body }) => body)).toEqual([
      ...['5 notifications', '5 notifications'],
    ]);
    expect(outcomes).toEqual(['retried', 'late', 'delivered']);
    expect(await countRows('push_message', ada.userId)).toBe(0);
  });

  describe('when the push service', () => {
    const opened = async (...answer: Parameters<PushBrowser['answer']>) => {
      const session = await newSession();
      const browser = service.open();
      await turnOn(session, browser);
      browser.answer(...answer);
      await tell(session.userId);
      return { ...session, session, browser };
    };

    test.each([404, 410])('answers %i, the browser is forgotten', async (status) => {
      const { session, browser } = await opened(status);
      await send();
      expect(browser.received).toHaveLength(1);
      expect((await list(session)).subscriptions).toEqual([]);
      expect(await countRows('push_message', session.userId)).toBe(0);
      expect(outcomes).toEqual(['gone']);
    });

    test.each([
      ['600', 600],
      ['Tue, 10 Nov 2099 12:00:00 GMT', 86_400],
    ])('asks to come back after %s, nothing is sent before', async (header, wait_s) => {
      const { session, browser } = await opened(429, { 'retry-after': header });
      await send();
      // What happens meanwhile waits too.
      await tell(session.userId);
      passSeconds(wait_s - 1);
      await send();
      expect(browser.received).toHaveLength(1);
      browser.answer(201);
      passSeconds(1);
      await send();
      expect(browser.received).toHaveLength(3);
      expect((await list(session)).subscriptions).toMatchObject([{ is_failing: false }]);
    });

    test('fails, it is tried again with growing waits, and given up after days', async () => {
      const { session, browser } = await opened(503);
      for (const [tries, wait_s] of BACKOFF_S.entries()) {
        await send();
        await send();
        expect(browser.received).toHaveLength(tries + 1);
        expect((await list(session)).subscriptions).toMatchObject([{ is_failing: true }]);
        passSeconds(wait_s * 1.2 + 1);
        // The message itself became too old: a new one is tried.
        await tell(session.userId);
      }
      await send();
      expect((await list(session)).subscriptions).toEqual([]);
      const tried = outcomes.filter((outcome) => outcome !== 'late');
      expect(tried).toEqual([...BACKOFF_S.map(() => 'retried'), 'given_up']);
    });

    test('refuses a message, it is not sent again, and counts', async () => {
      const { session, browser } = await opened(413);
      await send();
      passSeconds(86_400);
      await send();
      expect(browser.received).toHaveLength(1);
      expect((await list(session)).subscriptions).toMatchObject([{ is_failing: true }]);
      browser.answer(201);
      await tell(session.userId);
      await send();
      expect((await list(session)).subscriptions).toMatchObject([{ is_failing: false }]);
      expect(outcomes).toEqual(['refused', 'delivered']);
    });

    test('does not come back before the message is too old, it is not sent late', async () => {
      const { session, browser } = await opened(500);
      await send();
      browser.answer(201);
      passSeconds(259_201);
      await send();
      expect(browser.received).toHaveLength(1);
      expect(await countRows('push_message', session.userId)).toBe(0);
      expect(outcomes).toEqual(['retried', 'late']);
    });
  });

  describe('an address', () => {
    test.each([
      ['http://push.example.test/x', 'not_https'],
      ['https://127.0.0.1.nip.example:99999/', 'malformed_url'],
      ['https://10.0.0.7/x', 'address_refused'],
      ['https://169.254.169.254/latest/meta-data', 'address_refused'],
      ['https://[::ffff:10.0.0.7]/x', 'address_refused'],
      ['https://user:password@push.example.test/', 'malformed_url'],
    ])('of the operator’s network is refused: %s', async (endpoint, code) => {
      const { keys } = service.open().subscription;
      const body = { endpoint, keys };
      const answer = await call(await newSession(), 'POST', '/me/push-subscriptions', body);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors).toMatchObject([{ field: 'endpoint', code }]);
    });

    test('whose name resolves to a private one is not sent to', async () => {
      const ada = await newSession();
      const endpoint = 'https://localhost:1/x';
      await turnOn(ada, service.open(), { endpoint });
      await tell(ada.userId);
      const outgoing = createOutgoing({ allowsLoopback: false });
      await sendPushes({ ...deps, outgoing });
      expect((await list(ada)).subscriptions).toMatchObject([{ is_failing: true }]);
      expect(await countRows('push_message', ada.userId)).toBe(0);
    });

    test.each([
      ['p256dh', `B${'A'.repeat(86)}`],
      ['p256dh', 'BA'],
      ['auth', 'A'.repeat(21)],
    ])('with a wrong %s is refused', async (name, text) => {
      const { endpoint, keys } = service.open().subscription;
      const body = { endpoint, keys: { ...keys, [name]: text } };
      const answer = await call(await newSession(), 'POST', '/me/push-subscriptions', body);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors).toMatchObject([{ field: `keys.${name}` }]);
    });

    test('belongs to one user, who turned it on last', async () => {
      const [ada, bob] = [await newSession(), await newSession()];
      const browser = service.open();
      await turnOn(ada, browser);
      await tell(ada.userId);
      await turnOn(bob, browser);
      await tell(ada.userId);
      await tell(bob.userId, { kind: 'payout', code: 'payout_failed' });
      await send();
      expect(messages(browser).map(({ path }) => path)).toEqual(['/wallets/withdraw']);
      expect((await list(ada)).subscriptions).toEqual([]);
    });
  });

  test('the oldest of too many browsers goes, and the same one again is one', async () => {
    const ada = await newSession();
    const browsers = Array.from({ length: SUBSCRIPTIONS_MAX + 1 }, () => service.open());
    const ids: number[] = [];
    for (const browser of browsers) ids.push((await turnOn(ada, browser)).id);
    const last = browsers.at(-1);
    if (last) expect((await turnOn(ada, last)).id).toBe(ids.at(-1));
    const left = (await list(ada)).subscriptions.map(({ id }) => id);
    expect(left).toEqual(ids.slice(1).toReversed());
  });

  test('a browser is cut off by its user alone', async () => {
    const [ada, bob] = [await newSession(), await newSession()];
    const browser = service.open();
    const { id } = await turnOn(ada, browser);
    const url = `/me/push-subscriptions/${id}`;
    await tell(ada.userId);
    for (const path of [url, '/me/push-subscriptions/0', '/me/push-subscriptions/x'])
      expect((await call(bob, 'DELETE', path)).statusCode, path).toBe(404);
    expect((await call(ada, 'DELETE', url)).statusCode).toBe(204);
    expect((await call(ada, 'DELETE', url)).statusCode).toBe(404);
    // A browser that was cut off does not come back by itself.
    expect((await call(ada, 'PUT', url, browser.subscription)).statusCode).toBe(404);
    await send();
    expect(messages(browser)).toEqual([]);
  });

  test('the end of a session ends them in its browser, an expiry does not', async () => {
    const first = await newSession();
    const [browser, other] = [service.open(), service.open()];
    const { id } = await turnOn(first, browser);
    const second = await newSession(first.userId);
    await turnOn(second, other);
    const end = (sid: string) =>
      database.query(
        "update user_session set ended_at = $1, end_reason = 'logout' where sid = $2",
        [clock.now(), sid],
      );
    // The session has expired, and its user signs in again.
    const later = await newSession(first.userId);
    const url = `/me/push-subscriptions/${id}`;
    expect((await call(later, 'PUT', url, browser.subscription)).statusCode).toBe(200);
    await end(first.sid);
    expect((await list(later)).subscriptions).toHaveLength(2);
    await end(later.sid);
    const { subscriptions } = await list(second);
    expect(subscriptions.map((one) => one.id)).not.toContain(id);
    await tell(first.userId);
    await send();
    expect([browser.received.length, other.received.length]).toEqual([0, 1]);
  });

  describe('a renewed address', () => {
    const renew = (payload: object) =>
      app.inject({ method: 'POST', url: '/push-subscriptions/renew', payload });

    test('takes the place of the former, also for what waits', async () => {
      const ada = await newSession();
      const [before, after] = [service.open(), service.open()];
      const { renewal_token } = await turnOn(ada, before);
      before.answer(500);
      await tell(ada.userId);
      await send();
      const answer = await renew({ ...after.subscription, renewal_token });
      expect(answer.statusCode, answer.body).toBe(204);
      await send();
      expect([before.received.length, after.received.length]).toEqual([1, 1]);
      expect((await list(ada)).subscriptions).toMatchObject([{ user_agent: FIREFOX }]);
    });

    test('needs the token of its browser, and turns nothing on', async () => {
      const ada = await newSession();
      const browser = service.open();
      const { id, renewal_token } = await turnOn(ada, browser);
      const evil = service.open();
      const forged = [
        ...['x', String(id), renewal_token.slice(0, -4)],
        Buffer.from(JSON.stringify({ subscription: id, user: ada.userId })).toString('base64url'),
      ];
      for (const token of forged) {
        const answer = await renew({ ...evil.subscription, renewal_token: token });
        expect(answer.statusCode, token).toBe(404);
      }
      const endpoint = 'https://10.0.0.7/x';
      const inside = await renew({ ...evil.subscription, endpoint, renewal_token });
      expect(inside.statusCode).toBe(400);
      await call(ada, 'DELETE', `/me/push-subscriptions/${id}`);
      expect((await renew({ ...evil.subscription, renewal_token })).statusCode).toBe(404);
      await tell(ada.userId);
      await send();
      expect(messages(evil)).toEqual([]);
    });
  });
});
