import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { insertPurchase } from '../../test/support/test-purchases.ts';
import { asOperator, asPerson, createTestServer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, transaction } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { findUser } from '../identity/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { joinCommunity, registerCommunity, rollUp } from './index.ts';

const CAP = 30;
const clock = createManualClock('2026-03-09T12:00:00Z');

describe.each(RUN_ENGINES)('community endpoints on %s', (engine) => {
  let database: Database;
  let app: HttpServer;
  let root: number;
  let child: number;
  let grandchild: number;
  let stranger: number;

  /** Registers a user as the service does. */
  async function join(fields: {
    referrerId?: number;
    nickname?: string;
    email?: string;
    createdAt?: Date;
  }): Promise<number> {
    return transaction(database, async (tx) => {
      const user = await findUser(tx, await insertUser(tx, { createdAt: clock.now(), ...fields }));
      if (!user) throw new Error('no user');
      await joinCommunity(tx, user);
      return user.userId;
    });
  }

  const get = (userId: number, url: string, headers: Record<string, string> = {}) =>
    app.inject({
      url: `/community/${url}`,
      headers: { ...asPerson(userId, 'community:read'), ...headers },
    });
  const note = (userId: number, payload: object) =>
    app.inject({
      method: 'POST',
      url: '/community/members/note',
      headers: asPerson(userId, 'community:write'),
      payload,
    });

  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    app = createTestServer();
    registerCommunity(app, { database, clock, exportCap: CAP, rewardScale: async () => 18 });
    root = await join({ nickname: 'Root' });
    clock.set('2026-03-09T23:59:59.999Z');
    child = await join({
      referrerId: root,
      nickname: 'Chloé',
      email: 'Chloe.Direct@example.test',
    });
    clock.set('2026-03-10T00:00:00.000Z');
    grandchild = await join({
      referrerId: child,
      nickname: '=HYPERLINK("x")',
      email: 'grand@example.test',
    });
    stranger = await join({ nickname: 'Stranger' });
    await insertPurchase(database, clock, grandchild, 12_345_678_901_234_567_891n);
    await rollUp(database);
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  test('a direct referral is shown in full, deeper ones with a masked address', async () => {
    const direct = await get(root, 'members?current=1&size=20');
    expect(direct.json()).toEqual({
      records: [
        {
          user_id: child,
          nickname: 'Chloé',
          email: 'Chloe.Direct@example.test',
          level: 1,
          referrer_id: root,
          direct_count: 1,
          team_count: 1,
          joined_at: '2026-03-09T23:59:59.999Z',
          package_amount: 0,
          team_performance: 12.345678901234567,
          note: '',
          is_closed: false,
        },
      ],
      total: 1,
      size: 20,
      current: 1,
      pages: 1,
    });
    expect(direct.body).toContain('"team_performance":12.345678901234567891');
    const community = (await get(root, 'members?current=1&size=20&type=COMMUNITY')).json();
    expect(
      community.records.map((member: { email: string; level: number }) => [
        member.email,
        member.level,
      ]),
    ).toEqual([
      ['g***@example.test', 2],
      ['Chloe.Direct@example.test', 1],
    ]);
    expect((await get(root, 'members?current=9&size=20')).json()).toMatchObject({
      records: [],
      total: 1,
      pages: 1,
      current: 9,
    });
    expect((await get(stranger, 'members?current=1&size=20&type=COMMUNITY')).json()).toMatchObject({
      records: [],
      total: 0,
      pages: 0,
    });
  });

  test('a keyword finds a direct referral by part of the address, others by all', async () => {
    const total = async (keyword: string) =>
      (
        await get(
          root,
          `members?current=1&size=20&type=COMMUNITY&keyword=${encodeURIComponent(keyword)}`,
        )
      ).json().total;
    expect(await total('CHLOE')).toBe(1);
    expect(await total('direct@ex')).toBe(1);
    expect(await total('grand')).toBe(0);
    expect(await total('grand@example.tes')).toBe(0);
    expect(await total('GRAND@example.test')).toBe(1);
    expect(await total('hyperlink("')).toBe(1);
    for (const wildcard of ['%', '_', '\\', '%_\\', 'C%e', '*'])
      expect(await total(wildcard)).toBe(0);
    expect(await total('')).toBe(2);
  });

  test('trying whole addresses is limited, trying names is not', async () => {
    const guesser = await insertUser(database);
    const search = async (path: string) => (await get(guesser, path)).statusCode;
    for (let n = 0; n < 119; n++)
      await search(`members?current=1&size=1&type=COMMUNITY&keyword=guess${n}@example.test`);
    expect(await search('members/export?type=COMMUNITY&keyword=one@example.test')).toBe(200);
    const refused = await get(
      guesser,
      'members?current=1&size=1&type=COMMUNITY&keyword=two@example.test',
    );
    expect(refused.statusCode).toBe(429);
    expect(refused.headers).toHaveProperty('retry-after');
    expect(await search('members/export?type=COMMUNITY&keyword=two@example.test')).toBe(429);
    expect(await search('members?current=1&size=1&type=COMMUNITY&keyword=two')).toBe(200);
    expect(await search('members?current=1&size=1&type=DIRECT&keyword=two@example.test')).toBe(200);
  });

  test.each([
    ['members', 'current'],
    ['members?current=1', 'size'],
    ['members?current=0&size=1', 'current'],
    ['members?current=2147483648&size=1', 'current'],
    ['members?current=1&size=21', 'size'],
    ['members?current=1&size=0', 'size'],
    ['members?current=1.5&size=1', 'current'],
    ['members?current=1e1&size=1', 'current'],
    ['members?current=1&size=1&type=direct', 'type'],
    ['members?current=1&size=1&type=', 'type'],
    ['members?current=1&size=1&beginDate=2026-02-30', 'beginDate'],
    ['members?current=1&size=1&endDate=20260201', 'endDate'],
    ['members?current=1&size=1&beginDate=2026-02-02&endDate=2026-02-01', 'beginDate'],
    [`members?current=1&size=1&keyword=${'a'.repeat(255)}`, 'keyword'],
    [`members?current=1&size=1&keyword=${'a'.repeat(10_000)}`, 'keyword'],
    ['members?current=1&size=1&keyword=a%00b', 'keyword'],
    ['members/export?type=ALL', 'type'],
    ['members/export?keyword=%00', 'keyword'],
    ['summary?beginDate=2026-02-02&endDate=2026-02-01', 'beginDate'],
    ['summary?beginDate=2024-01-01&endDate=2026-02-01', 'beginDate'],
  ])('GET %s is refused by name', async (url, field) => {
    const answer = await get(root, url);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_parameter', errors: [{ field }] });
  });

  test('ranges of days include both ends', async () => {
    const total = async (range: string) =>
      (await get(root, `members?current=1&size=1&type=COMMUNITY&${range}`)).json().total;
    expect(await total('beginDate=2026-03-09&endDate=2026-03-10')).toBe(2);
    expect(await total('endDate=2026-03-09')).toBe(1);
    expect(await total('beginDate=2026-03-10&endDate=2026-03-10')).toBe(1);
    expect(await total('endDate=2026-03-08')).toBe(0);
    expect(await total('beginDate=2026-03-11')).toBe(0);
  });

  test('notes: for direct referrals only, at most twenty user-perceived characters', async () => {
    const family = '👨‍👩‍👧‍👦';
    expect((await note(root, { target_user_id: child, note: family.repeat(20) })).json()).toEqual({
      target_user_id: child,
      note: family.repeat(20),
    });
    expect((await get(root, 'members?current=1&size=1')).json().records[0].note).toBe(
      family.repeat(20),
    );
    expect(
      (await note(root, { target_user_id: child, note: 'é'.normalize('NFD').repeat(20) }))
        .statusCode,
    ).toBe(200);
    const long = [family.repeat(21), 'a'.repeat(21), `a${'\u0301'.repeat(600)}`];
    const forbidden = [
      'a\nb',
      'a\u0007',
      '\u202eevil',
      'a\u2066b',
      'a\u0085',
      '\u200ea',
      'a\u061c',
    ];
    for (const text of [...long, ...forbidden, 'a\0b', '\ud800'])
      expect(
        (await note(root, { target_user_id: child, note: text })).json(),
        JSON.stringify(text),
      ).toMatchObject({ status: 400 });
    for (const target of [grandchild, stranger, root, 999_999_999])
      expect((await note(root, { target_user_id: target, note: 'x' })).json()).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    const bodies = [
      {},
      { note: 'x' },
      { target_user_id: child },
      { target_user_id: String(child), note: 'x' },
      { target_user_id: 1.5, note: 'x' },
    ];
    for (const body of [
      ...bodies,
      { target_user_id: -1, note: '' },
      { target_user_id: child, note: null },
      { target_user_id: 2 ** 60, note: '' },
    ])
      expect((await note(root, body)).json()).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
      });
    expect((await note(root, { target_user_id: child, note: '' })).json()).toEqual({
      target_user_id: child,
      note: '',
    });
    expect((await get(root, 'members?current=1&size=1')).json().records[0].note).toBe('');
  });

  test('a note is visible to its author only, not to users further up', async () => {
    await note(child, { target_user_id: grandchild, note: 'mine' });
    expect((await get(child, 'members?current=1&size=1')).json().records[0].note).toBe('mine');
    expect(
      (await get(root, 'members?current=1&size=1&type=COMMUNITY')).json().records[0].note,
    ).toBe('');
    await note(child, { target_user_id: grandchild, note: '' });
  });

  test('the export has the same members, escapes formulas, and marks that it was cut', async () => {
    const json = await get(root, 'members/export?type=COMMUNITY');
    expect(json.json()).toEqual(
      (await get(root, 'members?current=1&size=20&type=COMMUNITY')).json().records,
    );
    expect(json.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-total-count': '2',
    });
    expect(json.headers['x-result-capped']).toBeUndefined();
    const csv = await get(root, 'members/export?type=COMMUNITY', { accept: 'text/csv' });
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head, first] = csv.body.split('\r\n');
    expect(head).toBe(
      'user_id,nickname,email,level,referrer_id,direct_count,team_count,joined_at,' +
        'package_amount,team_performance,note,is_closed',
    );
    expect(first).toMatch(
      new RegExp(
        `^${grandchild},"'=HYPERLINK\\(""x""\\)",g\\*\\*\\*@example.test,2,${child},0,0,` +
          '2026-.*,12.345678901234567891,0,,false$',
      ),
    );
    expect((await get(stranger, 'members/export')).body).toBe('[]');
    const strings = await get(root, 'members/export?type=COMMUNITY', { prefer: 'amounts=string' });
    expect(strings.json()[0].package_amount).toBe('12.345678901234567891');

    for (let i = 0; i < CAP + 5; i++) await join({ referrerId: stranger, nickname: `S${i}` });
    await rollUp(database);
    const capped = await get(stranger, 'members/export');
    expect(capped.headers).toMatchObject({
      'x-total-count': String(CAP + 5),
      'x-result-capped': 'true',
    });
    expect(capped.json().map((member: { nickname: string }) => member.nickname)).toEqual(
      Array.from({ length: CAP }, (_, i) => `S${CAP + 4 - i}`),
    );
  });

  test('the summary counts by level and by day', async () => {
    const summary = (await get(root, 'summary?beginDate=2026-03-09&endDate=2026-03-10')).json();
    expect(summary).toMatchObject({
      direct_count: 1,
      team_count: 2,
      package_amount: 0,
      levels: [
        { level: 1, members: 1, performance: 0 },
        { level: 2, members: 1 },
      ],
    });
    expect(summary.joins).toEqual([
      { date: '2026-03-09', direct: 1, community: 1 },
      { date: '2026-03-10', direct: 0, community: 1 },
    ]);
    expect((await get(root, 'summary')).json().joins).toHaveLength(30);
  });

  test('a changed name is found by its new form', async () => {
    const keyword = (word: string) =>
      get(root, `members?current=1&size=1&keyword=${word}`).then((answer) => answer.json().total);
    await database.query("update app_user set nickname = 'Zoë' where id = $1", [child]);
    await rollUp(database);
    expect(await keyword('zoe')).toBe(1);
    await database.query("update app_user set nickname = 'Chloé' where id = $1", [child]);
    await rollUp(database);
    expect(await keyword('zoe')).toBe(0);
    await database.query("update app_user set nickname = 'Ελλάς' where id = $1", [child]);
    await rollUp(database);
    for (const word of ['ελλας', 'ΕΛΛΑΣ', 'λλάσ'])
      expect(await keyword(encodeURIComponent(word)), word).toBe(1);
    await database.query("update app_user set nickname = 'Chloé' where id = $1", [child]);
    await rollUp(database);
  });

  test('a note without visible characters is stored as no note', async () => {
    for (const nothing of ['   ', '\u200b', '\u2060 \u00a0'])
      expect(
        (await note(root, { target_user_id: child, note: nothing })).json(),
        JSON.stringify(nothing),
      ).toEqual({ target_user_id: child, note: '' });
    expect((await get(root, 'members?current=1&size=1')).json().records[0].note).toBe('');
  });

  test('needs the right scope', async () => {
    expect((await app.inject({ url: '/community/summary' })).statusCode).toBe(401);
    expect(
      (await app.inject({ url: '/community/summary', headers: asPerson(root, 'devices:read') }))
        .statusCode,
    ).toBe(403);
    expect(
      (await app.inject({ url: '/community/summary', headers: asOperator('community:read') }))
        .statusCode,
    ).toBe(403);
    const headers = asPerson(root, 'community:read');
    const write = await app.inject({
      method: 'POST',
      url: '/community/members/note',
      headers,
      payload: { target_user_id: child, note: '' },
    });
    expect(write.statusCode).toBe(403);
  });
});
