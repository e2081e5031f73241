import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { createIdentityServer, type IdentityServer } from '../../test/support/identity-server.ts';
import { asOperator, asPerson } from '../../test/support/test-server.ts';
import { type Database, transaction } from '../db/index.ts';
import { disableUser, openOfUser, setOperatorGrants } from '../identity/index.ts';
import { registerOperatorUsers } from './users.ts';

describe.each(RUN_ENGINES)('operators and users on %s', (engine) => {
  let database: Database;
  let server: IdentityServer;
  const operator = asOperator('operator:users');
  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    server = createIdentityServer(database);
    registerOperatorUsers(server.http, { database, clock: server.clock });
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  test('finds users by part of address or nickname; LIKE wildcards are text', async () => {
    const person = await server.register({ nickname: '100% Ada_B' });
    const find = async (query: string) =>
      (await server.get(`/operator/users?current=1&size=20&${query}`, operator)).json<{
        total: number;
        records: unknown[];
      }>();
    expect(await find(`keyword=${encodeURIComponent('100% ada_')}`)).toMatchObject({
      total: 1,
      records: [{ user_id: person.userId, status: 'active' }],
    });
    expect(await find('keyword=100_')).toMatchObject({ total: 0 });
    expect(await find(`keyword=${person.email.toUpperCase()}`)).toMatchObject({ total: 1 });
    // Keywords of fewer than three characters match prefixes.
    expect(await find('keyword=10')).toMatchObject({ total: 1 });
    expect(await find('keyword=da')).toMatchObject({ total: 0 });
    expect(await find('status=closed')).toMatchObject({ total: 0, records: [] });
    expect((await server.get(`/operator/users/${person.userId}`, operator)).json()).toMatchObject({
      two_factor_methods: ['EMAIL'],
    });
    for (const id of ['0', 'x', '999999', '1e3'])
      expect((await server.get(`/operator/users/${id}`, operator)).statusCode).toBe(404);
  });

  test('shows the roles and scopes of an operator, and of no other user', async () => {
    const person = await server.register();
    const read = async () =>
      (await server.get(`/operator/users/${person.userId}`, operator)).json<object>();
    expect(await read()).not.toHaveProperty('operator_roles');
    const grants = ['role:finance', 'role:support', 'operator:chains'];
    await setOperatorGrants(database, server.clock, person.email, grants);
    const roles = {
      operator_roles: ['finance', 'support'],
      operator_scopes: ['operator:chains'],
    };
    expect(await read()).toMatchObject(roles);
    const { records } = (
      await server.get(`/operator/users?current=1&size=1&keyword=${person.userId}`, operator)
    ).json<{ records: object[] }>();
    expect(records[0]).not.toHaveProperty('operator_roles');
  });

  test('digits find the user of this number, and those whose names begin with them', async () => {
    const person = await server.register();
    const id = String(person.userId);
    const namesake = await server.register({ nickname: `${id} beside` });
    const find = async (query: string) =>
      (await server.get(`/operator/users?current=1&size=20&${query}`, operator))
        .json<{ records: { user_id: number }[] }>()
        .records.map(({ user_id }) => user_id);
    const both = [namesake.userId, person.userId];
    expect(await find(`keyword=${id}`)).toEqual(both);
    expect(await find(`keyword=${id}&status=active`)).toEqual(both);
    expect(await find(`keyword=${id}&status=disabled`)).toEqual([]);
    expect(await find(`keyword=${id}&after=${namesake.userId}`)).toEqual([person.userId]);
    // Only the number as it is written; more digits than an id has are no failure.
    for (const other of [`0${id}`, `${id}.0`, '9'.repeat(15), '9'.repeat(30)])
      expect(await find(`keyword=${other}`), other).toEqual([]);
  });

  test('finds several users by their numbers at once', async () => {
    const [one, two, other] = [
      await server.register(),
      await server.register({ nickname: 'Several' }),
      await server.register(),
    ];
    const find = (query: string) =>
      server.get(`/operator/users?current=1&size=20&${query}`, operator);
    const ids = `ids=${one.userId},${two.userId},999999`;
    const idsOf = async (query: string) =>
      (await find(query)).json<{ records: { user_id: number }[] }>().records.map((r) => r.user_id);
    expect(await idsOf(ids)).toEqual([two.userId, one.userId]);
    expect(await idsOf(`${ids}&after=${two.userId}`)).toEqual([one.userId]);
    expect(await idsOf(`${ids}&status=active`)).toEqual([two.userId, one.userId]);
    expect(await idsOf(`${ids}&keyword=several`)).toEqual([two.userId]);
    expect(await idsOf(`ids=${other.userId}`)).toEqual([other.userId]);
    const many = Array.from({ length: 21 }, (_, n) => n + 1).join(',');
    for (const wrong of ['', '0', '1,', '1;2', 'x', '1'.repeat(16), many])
      expect((await find(`ids=${wrong}`)).json(), wrong).toMatchObject({
        status: 400,
        errors: [{ field: 'ids' }],
      });
  });

  test('checklist 13: disabling a user ends all sessions until enabled again', async () => {
    const person = await server.signIn(await server.register());
    const change = (verb: string) =>
      server.post(`/operator/users/${person.userId}/${verb}`, { reason: 'fraud check' }, operator);
    expect((await change('disable')).json()).toMatchObject({
      user_id: person.userId,
      status: 'disabled',
    });
    expect((await change('disable')).json()).toMatchObject({ status: 'disabled' });
    const { rows } = await database.query(
      'select end_reason from user_session where user_id = $1',
      [person.userId],
    );
    expect(rows).toEqual([{ end_reason: 'account_disabled' }]);
    const ticket = await server.ticketOf(person);
    const body = {
      email: person.email,
      login_ticket: ticket,
      method: 'EMAIL',
      validate_code: await server.codeTo(person.email),
    };
    expect((await server.post('/user/login/2fa', body)).json()).toMatchObject({
      status: 403,
      code: 'account_disabled',
    });
    expect((await change('enable')).json()).toMatchObject({ status: 'active' });
    expect((await server.post('/user/login/2fa', body)).statusCode).toBe(200);
    const log = await database.query<{ type: string; sealed: Buffer }>(
      `select type, sealed from security_event where user_id = $1
        and type in ('account_disabled', 'account_enabled') order by id`,
      [person.userId],
    );
    expect(log.rows.map(({ type }) => type)).toEqual(['account_disabled', 'account_enabled']);
    const sealed = log.rows.map((row) => row.sealed);
    const byOperator = { details: { client_id: 'test-operator' } };
    const opened = await openOfUser(database, person.userId, sealed);
    expect(opened).toMatchObject([byOperator, byOperator]);
  });

  test('a sign-in during a disabling waits for it, and is refused', async () => {
    const person = await server.register();
    const login_ticket = await server.ticketOf(person);
    const body = {
      email: person.email,
      login_ticket,
      method: 'EMAIL',
      validate_code: await server.codeTo(person.email),
    };
    const change = {
      userId: person.userId,
      clientId: 'test-operator',
      reason: 'race',
      origin: { ip: '192.0.2.1', userAgent: '', language: 'en' as const },
    };
    let answer: Promise<{ statusCode: number }> | undefined;
    await transaction(database, async (tx) => {
      await disableUser(tx, server.clock, change);
      answer = server.post('/user/login/2fa', body);
      if (engine === 'server') await untilSomebodyWaits(answer);
    });
    // Disabling invalidated the ticket.
    expect((await answer)?.statusCode).toBe(401);
    const { rows } = await database.query(
      'select 1 from user_session where user_id = $1 and ended_at is null',
      [person.userId],
    );
    expect(rows).toEqual([]);
  });

  /**
   * Resolves once a connection of this database waits for a lock, or the work has ended without
   * waiting.
   */
  async function untilSomebodyWaits(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    void work.finally(() => {
      isDone = true;
    });
    const sql = `select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock'`;
    while (!isDone && (await database.query(sql)).rowCount === 0);
  }

  test('callers without the scope are refused', async () => {
    expect(
      (await server.get('/operator/users?current=1&size=1', asPerson(1, 'identity:manage')))
        .statusCode,
    ).toBe(403);
    expect(
      (await server.get('/operator/users?current=1&size=1', asOperator('operator:rewards')))
        .statusCode,
    ).toBe(403);
  });

  test('a list of any length is read to its end after the last user of each page', async () => {
    for (let n = 0; n < 7; n++) await server.register({ nickname: `Keyset ${n}` });
    for (const filter of [
      '',
      '&keyword=keyset',
      '&status=active',
      '&keyword=keyset&status=active',
    ]) {
      const read = async (query: string) =>
        (await server.get(`/operator/users?${query}${filter}`, operator)).json<{
          total: number;
          records: { user_id: number }[];
        }>();
      const all = (await read('current=1&size=20')).records.map(({ user_id }) => user_id);
      const walked: number[] = [];
      let page = await read('current=1&size=3');
      while (page.records.length > 0) {
        walked.push(...page.records.map(({ user_id }) => user_id));
        expect(page.total).toBe(all.length - walked.length + page.records.length);
        page = await read(`current=1&size=3&after=${walked.at(-1)}`);
      }
      expect(walked).toEqual(all);
      expect(walked.length).toBeGreaterThanOrEqual(7);
    }
    for (const after of ['0', 'x', '1.5', '9007199254740992'])
      expect(
        (await server.get(`/operator/users?current=1&size=1&after=${after}`, operator)).json(),
      ).toMatchObject({ status: 400, errors: [{ field: 'after' }] });
  });

  test('users beyond the limit of a list are not counted, and pages end there', async () => {
    await database.query(
      `insert into app_user (email, email_key, nickname, referral_code, created_at)
        select 'many' || n || '@example.test', 'many' || n || '@example.test', 'Many', 'MANY' || n,
          now() from generate_series(1, 10001) as n`,
    );
    const page = async (query: string) =>
      (await server.get(`/operator/users?size=20&keyword=many&${query}`, operator)).json();
    expect(await page('current=500')).toMatchObject({ total: 10_000, pages: 500, is_capped: true });
    expect((await page('current=500')).records).toHaveLength(20);
    expect(await page('current=501')).toMatchObject({
      status: 400,
      errors: [{ field: 'current', code: 'too_deep' }],
    });
    await database.query('analyze app_user');
    const { estimated_total } = await page('current=1');
    expect(estimated_total).toBeGreaterThan(10_000);
    // By statistics: what is asserted is that the estimate is of this filter.
    expect(estimated_total).toBeLessThan(20_000);
    await database.query("delete from app_user where referral_code = 'MANY1'");
    expect(await page('current=501')).toEqual({
      records: [],
      total: 10_000,
      size: 20,
      current: 501,
      pages: 500,
    });
  });
});
