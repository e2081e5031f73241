import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { testConfig, testMasterKey } from '../../test/support/test-config.ts';
import { asPerson, createTestServer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, transaction } from '../db/index.ts';
import { createMetrics, createOutgoing, type HttpServer } from '../http/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { addNotifications, type NewNotification } from './add-notifications.ts';
import { registerNotifications } from './index.ts';
import { type DigestDeps, sendDigests } from './send-digests.ts';
import { createUnsubscribeTokens, issueToken, LINK_TTL_MS } from './unsubscribe.ts';
import { LISTED_MAX } from './write-digest.ts';

const BASE_URL = 'https://account.example.test';
const FORM = 'application/x-www-form-urlencoded';
let causes = 0;

describe.each(ENGINES)('mails of notifications on %s', (engine) => {
  const clock = createManualClock('2026-11-10T12:00:00Z');
  const tokens = createUnsubscribeTokens(testMasterKey);
  let database: Database;
  let app: HttpServer;
  let deps: DigestDeps;

  const passMinutes = (minutes: number): void =>
    clock.set(new Date(clock.now().getTime() + minutes * 60_000));
  const choose = async (userId: number, body: object): Promise<void> => {
    const answer = await app.inject({
      ...{ method: 'PUT', url: '/me/notification-preferences', payload: body },
      headers: asPerson(userId, 'identity:manage'),
    });
    expect(answer.statusCode, answer.body).toBe(200);
  };
  const byMail = (...kinds: string[]) =>
    Object.fromEntries(kinds.map((kind) => [kind, { mail: true }]));

  const tell = (userId: number, fields: Partial<NewNotification> = {}) =>
    transaction(database, (tx) =>
      addNotifications(tx, clock, [
        {
          ...({
            userId,
            kind: 'deposit',
            code: 'deposit_credited',
            createdAt: clock.now(),
          } as const),
          details: { id: '7', amount: '12.5', currency: 'USDT' },
          cause: `test/${++causes}`,
          ...fields,
        },
      ]),
    );
  interface MailRow {
    readonly recipient: string;
    readonly subject: string;
    readonly body: string;
    readonly language: string;
    readonly unsubscribe_url: string;
  }
  const mailsTo = async (userId: number): Promise<MailRow[]> =>
    (await database.query<MailRow>('select * from mail where user_id = $1 order by id', [userId]))
      .rows;
  const linkOf = async (userId: number): Promise<string> => {
    const url = new URL((await mailsTo(userId)).at(-1)?.unsubscribe_url ?? '');
    expect(url.origin).toBe(BASE_URL);
    return url.pathname + url.search;
  };
  const post = (url: string, type = FORM, payload = 'List-Unsubscribe=One-Click') =>
    app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    app = createTestServer();
    deps = { database, clock, tokens, baseUrl: BASE_URL };
    registerNotifications(app, {
      ...{ database, clock, rewardCurrency: 'EDGE', isDayPaid: async () => false },
      ...{ masterKey: testMasterKey, config: testConfig(), serviceName: () => 'Acme' },
      look: () => ({ name: 'Acme' }),
      ...{ outgoing: createOutgoing({ allowsLoopback: false }), metrics: createMetrics() },
    });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  test('one mail has all that waits, and the next comes an hour later', async () => {
    const userId = await insertUser(database, { email: 'ada@example.test' });
    await tell(userId);
    await sendDigests(deps);
    expect(await mailsTo(userId)).toEqual([]);
    await choose(userId, { kinds: byMail('deposit', 'payout'), language: 'en' });
    await tell(userId);
    await tell(userId, { kind: 'payout', code: 'payout_failed' });
    await Promise.all([sendDigests(deps), sendDigests(deps)]);
    const [mail, ...others] = await mailsTo(userId);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ recipient: 'ada@example.test', subject: '2 notifications' });
    expect(mail?.body).toContain('- Your withdrawal of 12.5 USDT failed (Nov 10, 2026, 12:00');
    expect(mail?.body).toContain('- A deposit of 12.5 USDT was credited');
    expect(mail?.body).toContain(mail?.unsubscribe_url);
    await tell(userId);
    passMinutes(59);
    await sendDigests(deps);
    expect(await mailsTo(userId)).toHaveLength(1);
    passMinutes(1);
    await sendDigests(deps);
    expect((await mailsTo(userId)).map(({ subject }) => subject)).toEqual([
      ...['2 notifications', 'A deposit of 12.5 USDT was credited'],
    ]);
  });

  test('what is not in the list can come by mail', async () => {
    const userId = await insertUser(database);
    await choose(userId, { kinds: { deposit: { bell: false, mail: true } } });
    await tell(userId);
    await sendDigests(deps);
    expect(await mailsTo(userId)).toHaveLength(1);
    const answer = await app.inject({
      ...{ method: 'GET', url: '/me/notifications' },
      headers: asPerson(userId, 'identity:manage'),
    });
    expect(answer.json()).toEqual({ records: [], unread: 0 });
  });

  test('at once, or at eight in the morning of the user, in the language of the user', async () => {
    const [now, daily] = [await insertUser(database), await insertUser(database)];
    await choose(now, { kinds: byMail('deposit'), digest: 'at_once', language: 'es' });
    await choose(daily, {
      ...{ kinds: byMail('deposit'), digest: 'daily', language: 'zh' },
      time_zone: 'Asia/Shanghai',
    });
    for (const userId of [now, daily]) await tell(userId);
    await sendDigests(deps);
    await tell(now);
    await sendDigests(deps);
    expect((await mailsTo(now)).map(({ subject }) => subject)).toEqual([
      ...['Se acreditó un depósito de 12.5 USDT', 'Se acreditó un depósito de 12.5 USDT'],
    ]);
    // 08:00 in Shanghai is midnight in UTC.
    clock.set(new Date('2026-11-10T23:59:00Z'));
    await sendDigests(deps);
    expect(await mailsTo(daily)).toEqual([]);
    passMinutes(1);
    await sendDigests(deps);
    expect(await mailsTo(daily)).toMatchObject([{ language: 'zh' }]);
    expect((await mailsTo(daily))[0]?.body).toContain('Asia/Shanghai');
  });

  test('a sign-in comes by mail unless turned off, in the language of the sign-in', async () => {
    const userId = await insertUser(database);
    const signIn = { kind: 'sign_in', code: 'sign_in', details: { language: 'es' } } as const;
    await tell(userId, signIn);
    await sendDigests(deps);
    expect(await mailsTo(userId)).toMatchObject([{ language: 'es' }]);
    await choose(userId, { kinds: { sign_in: { mail: false } } });
    await tell(userId, signIn);
    passMinutes(61);
    await sendDigests(deps);
    expect(await mailsTo(userId)).toHaveLength(1);
  });

  test('a long list is cut, a name like a link left out; closed accounts get none', async () => {
    const [userId, closedId] = [await insertUser(database), await insertUser(database)];
    for (const id of [userId, closedId])
      await choose(id, { kinds: byMail('deposit', 'device_offline'), language: 'en' });
    for (let n = 0; n <= LISTED_MAX + 1; n++) await tell(userId);
    await tell(userId, {
      ...({ kind: 'device_offline', code: 'device_offline' } as const),
      details: { node_id: 'n', name: 'win at evil.example', since: '2026-11-10T00:00:00.000Z' },
    });
    await tell(closedId);
    await database.query("update app_user set status = 'closed' where id = $1", [closedId]);
    await sendDigests(deps);
    const [mail] = await mailsTo(userId);
    expect(mail?.body).toContain('And 3 more.');
    expect(mail?.body).toContain('- A device is offline');
    expect(mail?.body).not.toContain('evil');
    expect(await mailsTo(closedId)).toEqual([]);
  });

  describe('the link to unsubscribe', () => {
    async function mailed(): Promise<number> {
      const userId = await insertUser(database);
      await choose(userId, { kinds: byMail('deposit'), digest: 'at_once' });
      await tell(userId);
      await sendDigests(deps);
      return userId;
    }
    const isMailed = async (userId: number): Promise<boolean> => {
      const before = (await mailsTo(userId)).length;
      await tell(userId);
      await tell(userId, { kind: 'sign_in', code: 'sign_in', details: {} });
      await sendDigests(deps);
      return (await mailsTo(userId)).length > before;
    };

    test('shows a page that changes nothing, because scanners open links', async () => {
      const userId = await mailed();
      const page = await app.inject({ method: 'GET', url: await linkOf(userId) });
      expect(page.headers['content-type']).toContain('text/html');
      expect(page.body).toContain('<form method="post" action="/unsubscribe?token=');
      expect(page.headers['content-security-policy']).toContain("form-action 'self'");
      expect(await isMailed(userId)).toBe(true);
    });

    test.each([
      ['the form of a mail program', FORM, 'List-Unsubscribe=One-Click'],
      [
        'its multipart form',
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
      ],
    ])('ends all mails without a sign-in, by %s', async (_, type, payload) => {
      const [userId, otherId] = [await mailed(), await mailed()];
      await choose(userId, { kinds: byMail('deposit') });
      await tell(userId);
      const link = await linkOf(userId);
      expect((await post(link, type, payload)).statusCode).toBe(200);
      expect((await post(link, type, payload)).statusCode).toBe(200);
      // What waited is not sent either.
      passMinutes(61);
      await sendDigests(deps);
      expect(await mailsTo(userId)).toHaveLength(1);
      expect(await isMailed(userId)).toBe(false);
      expect(await isMailed(otherId)).toBe(true);
    });

    test('of an attacker, of another key, or too old, changes nothing', async () => {
      const userId = await mailed();
      const own = new URL(await linkOf(userId), BASE_URL).searchParams.get('token') ?? '';
      const middle = Math.floor(own.length / 2);
      const changed =
        own.slice(0, middle) + (own[middle] === 'A' ? 'B' : 'A') + own.slice(middle + 1);
      const otherKey = createUnsubscribeTokens({
        derive: (purpose) => testMasterKey.derive(`${purpose} of another`),
      });
      const old = createManualClock(new Date(clock.now().getTime() - LINK_TTL_MS).toISOString());
      const forged = [
        ...['x', String(userId), own.slice(0, -4), changed],
        Buffer.from(JSON.stringify({ user: userId, until: 9e15 })).toString('base64url'),
        issueToken(otherKey, clock, userId),
        issueToken(tokens, old, userId),
      ];
      for (const token of forged) {
        const url = `/unsubscribe?token=${encodeURIComponent(token)}`;
        expect((await post(url)).statusCode, token).toBe(404);
        const page = await app.inject({ method: 'GET', url });
        expect(page.body, token).not.toContain('<form');
      }
      expect((await post('/unsubscribe')).statusCode).toBe(400);
      expect(await isMailed(userId)).toBe(true);
    });
  });
});
