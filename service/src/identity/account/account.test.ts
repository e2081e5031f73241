import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  createIdentityServer,
  type IdentityServer,
  md5,
} from '../../../test/support/identity-server.ts';
import { bearer } from '../../../test/support/test-server.ts';
import type { Database } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { findUser } from '../index.ts';

describe.each(RUN_ENGINES)('the account of a user on %s', (engine) => {
  let database: Database;
  let server: IdentityServer;
  let mayClose = true;
  let isHookBroken = false;
  const created: number[] = [];
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    server = createIdentityServer(database, {
      onUserCreated: [
        async (_tx, user) => {
          if (isHookBroken) throw new Error('a hook failed');
          created.push(user.userId);
        },
      ],
      onUserClosing: [
        {
          lock: async () => {},
          close: async (_tx, _user, givesUp) => {
            if (!mayClose && !givesUp) throw failure('account_not_empty');
          },
        },
      ],
    });
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  const codeMailedTo = async (address: string): Promise<string> => {
    const { rows } = await database.query<{ body: string }>(
      `select body from mail where recipient = $1 and subject like '%change your address%'
         order by id desc limit 1`,
      [address],
    );
    return /^\d{6}$/m.exec(rows[0]?.body ?? '')?.[0] ?? 'none';
  };

  test('a referral code is permanent, an unknown one refused; hooks run once', async () => {
    const referrer = await server.register();
    const { referralCode = '' } = (await findUser(database, referrer.userId)) ?? {};
    const person = await server.register({ referral_code: referralCode });
    expect(await findUser(database, person.userId)).toMatchObject({
      referrerId: referrer.userId,
      status: 'active',
    });
    expect(created).toEqual([referrer.userId, person.userId]);
    const answer = await server.post('/user/register', {
      email: 'y@example.test',
      login_password: md5('long enough words'),
      nickname: 'Y',
      referral_code: 'ABSENT',
    });
    expect(answer.json()).toMatchObject({
      status: 400,
      errors: [{ field: 'referral_code', code: 'unknown' }],
    });
  });

  test('a failing hook creates no user and leaves the ticket usable', async () => {
    const email = 'atomic@example.test';
    const body = { email, login_password: md5('all or nothing at all'), nickname: 'Atom' };
    const { register_ticket } = (await server.post('/user/register', body)).json<{
      register_ticket: string;
    }>();
    const verify = async () =>
      server.post('/user/register/verify', {
        email,
        register_ticket,
        validate_code: await server.codeTo(email),
      });
    isHookBroken = true;
    expect((await verify()).statusCode).toBe(500);
    expect(
      (await database.query('select 1 from app_user where email_key = $1', [email])).rowCount,
    ).toBe(0);
    isHookBroken = false;
    const made = await verify();
    expect(made.statusCode).toBe(200);
    const { rows } = await database.query('select type from security_event where user_id = $1', [
      made.json<{ user_id: number }>().user_id,
    ]);
    expect(rows).toEqual([{ type: 'registered' }]);
    expect((await verify()).json()).toMatchObject({ code: 'invalid_ticket' });
  });

  test('checklist 14: common passwords are refused at registration, change and reset', async () => {
    const body = { email: 'common@example.test', nickname: 'C', login_password: md5('Password1') };
    expect((await server.post('/user/register', body)).json()).toMatchObject({
      status: 400,
      errors: [{ field: 'login_password', code: 'common_password' }],
    });
    const person = await server.signIn(await server.register());
    const change = { login_password: md5(person.password), new_login_password: md5('iloveyou') };
    expect((await server.post('/me/password', change, person.headers)).json()).toMatchObject({
      status: 400,
      errors: [{ field: 'new_login_password' }],
    });
  });

  test('checklist 13: sessions are listed and ended; other users’ are not found', async () => {
    const person = await server.register();
    const here = await server.signIn(person, { 'user-agent': 'Here/1' });
    const there = await server.signIn(person, { 'user-agent': 'There/1' });
    await server.signIn(person);
    const stranger = await server.signIn(await server.register());
    const list = async () =>
      (await server.get('/me/sessions', here.headers)).json<{
        sessions: { sid: string; is_current: boolean; user_agent: string }[];
      }>().sessions;
    expect(await list()).toHaveLength(3);
    expect(await list()).toContainEqual(
      expect.objectContaining({
        sid: here.sid,
        is_current: true,
        user_agent: 'Here/1',
        amr: ['pwd', 'email', 'mfa'],
      }),
    );
    expect(
      (await server.post(`/me/sessions/${stranger.sid}/end`, {}, here.headers)).statusCode,
    ).toBe(404);
    expect((await server.post(`/me/sessions/${there.sid}/end`, {}, here.headers)).statusCode).toBe(
      204,
    );
    expect((await server.post(`/me/sessions/${there.sid}/end`, {}, here.headers)).statusCode).toBe(
      404,
    );
    expect((await server.post('/me/sessions/end-others', {}, here.headers)).json()).toEqual({
      ended: 1,
    });
    expect((await list()).map(({ sid }) => sid)).toEqual([here.sid]);
  });

  test('checklist 13: a changed password ends the other sessions by default', async () => {
    const person = await server.register();
    const [here] = [await server.signIn(person), await server.signIn(person)];
    const change = (from: string, to: string, extra = {}) =>
      server.post(
        '/me/password',
        { login_password: md5(from), new_login_password: md5(to), ...extra },
        here.headers,
      );
    expect((await change('not the present one', 'the next password')).json()).toMatchObject({
      code: 'invalid_credentials',
    });
    expect(
      (await change(person.password, 'the next password', { end_other_sessions: false }))
        .statusCode,
    ).toBe(204);
    expect(
      (await server.get('/me/sessions', here.headers)).json<{ sessions: unknown[] }>().sessions,
    ).toHaveLength(2);
    expect((await change('the next password', 'the one after that')).statusCode).toBe(204);
    expect(
      (await server.get('/me/sessions', here.headers)).json<{ sessions: unknown[] }>().sessions,
    ).toHaveLength(1);
    expect((await server.mailTo(person.email))?.body).toContain('your password was changed');
  });

  test('checklist 15: logging out needs the own id and a token of the login itself', async () => {
    const person = await server.signIn(await server.register());
    const deviceOf = (extra: object) =>
      bearer({
        userId: person.userId,
        sid: person.sid,
        tokenUse: 'device',
        scopes: ['device:connect'],
        ...extra,
      });
    expect(
      (await server.post('/user/logout', { id: person.userId + 1 }, person.headers)).json(),
    ).toMatchObject({ status: 403, code: 'not_own_account' });
    expect(
      (await server.post('/user/logout', { id: person.userId }, deviceOf({ nodeId: 'node-1' })))
        .statusCode,
    ).toBe(403);
    expect(
      (await server.post('/user/logout', { id: person.userId }, deviceOf({ grantId: 'grant-1' })))
        .statusCode,
    ).toBe(403);
    expect(
      (await server.post('/user/logout', { id: person.userId, everywhere: true }, deviceOf({})))
        .statusCode,
    ).toBe(403);
    expect(
      (await server.post('/user/logout', { id: person.userId }, deviceOf({}))).statusCode,
    ).toBe(204);
    const again = await server.signIn(person);
    await server.signIn(person);
    expect(
      (await server.post('/user/logout', { id: person.userId, everywhere: true }, again.headers))
        .statusCode,
    ).toBe(204);
    const { rows } = await database.query(
      'select 1 from user_session where user_id = $1 and ended_at is null',
      [person.userId],
    );
    expect(rows).toEqual([]);
  });

  test('a new address needs both mailboxes', async () => {
    const person = await server.signIn(await server.register());
    const next = `next-${person.email}`;
    const started = await server.post('/me/email', { email: next }, person.headers);
    expect(started.statusCode).toBe(202);
    const { email_ticket } = started.json<{ email_ticket: string }>();
    const [validate_code, new_validate_code] = [
      await codeMailedTo(person.email),
      await codeMailedTo(next),
    ];
    expect(validate_code).not.toBe(new_validate_code);
    const verify = (old: string, fresh: string) =>
      server.post(
        '/me/email/verify',
        { email_ticket, validate_code: old, new_validate_code: fresh },
        person.headers,
      );
    expect((await verify(validate_code, validate_code)).json()).toMatchObject({
      code: 'invalid_code',
      tries_left: 4,
    });
    expect((await verify(new_validate_code, new_validate_code)).json()).toMatchObject({
      code: 'invalid_code',
      tries_left: 3,
    });
    expect((await verify(validate_code, new_validate_code)).json()).toMatchObject({ email: next });
    expect((await verify(validate_code, new_validate_code)).json()).toMatchObject({
      code: 'invalid_ticket',
    });
    expect((await server.mailTo(person.email))?.body).toContain(`changed to ${next}`);
    expect((await server.signIn({ ...person, email: next })).sid).toEqual(expect.any(String));
  });

  test('a taken address gets no code, the same answer, and its owner a mail', async () => {
    const person = await server.signIn(await server.register());
    const other = await server.register();
    expect(
      (await server.post('/me/email', { email: other.email }, person.headers)).statusCode,
    ).toBe(202);
    expect(await codeMailedTo(other.email)).toBe('none');
    expect((await server.mailTo(other.email))?.subject).toBe('You already have an account');
  });

  test('a nickname is checked, stored and logged', async () => {
    const person = await server.signIn(await server.register());
    const patch = (nickname: string) =>
      server.http.inject({
        method: 'PATCH',
        url: '/me',
        payload: { nickname },
        headers: person.headers,
      });
    expect((await patch('  Grace H. ')).json()).toMatchObject({ nickname: 'Grace H.' });
    expect((await patch('a\u202eb')).json()).toMatchObject({
      status: 400,
      errors: [{ field: 'nickname', code: 'forbidden_character' }],
    });
    expect((await patch('x'.repeat(41))).statusCode).toBe(400);
    const events = await server.get('/me/security-events?current=1&size=2', person.headers);
    expect(events.json()).toMatchObject({
      total: 3,
      pages: 2,
      records: [{ type: 'nickname_changed' }, { type: 'signed_in' }],
    });
    expect(
      (await server.get('/me/security-events?current=1&size=21', person.headers)).statusCode,
    ).toBe(400);
  });

  test('a sign-in is one event: that the console may act for its user is no other', async () => {
    const person = await server.signIn(await server.register());
    for (const client of ['edge-console', 'weather'])
      await database.query(
        `insert into security_event (user_id, type, ip, user_agent, details, created_at)
         values ($1, 'application_allowed', '', '', $2, now())`,
        [person.userId, JSON.stringify({ client_id: client, client_name: client })],
      );
    const events = await server.get('/me/security-events?current=1&size=20', person.headers);
    expect(events.json()).toMatchObject({
      total: 3,
      records: [
        { type: 'application_allowed', details: { client_id: 'weather' } },
        { type: 'signed_in' },
        { type: 'registered' },
      ],
    });
  });

  test('the length of a nickname is counted in user-perceived characters', async () => {
    const person = await server.signIn(await server.register());
    const patch = (nickname: string) =>
      server.http.inject({
        method: 'PATCH',
        url: '/me',
        payload: { nickname },
        headers: person.headers,
      });
    const family = '👨‍👩‍👧‍👦';
    expect((await patch(family.repeat(40))).json()).toMatchObject({ nickname: family.repeat(40) });
    expect((await patch(family.repeat(41))).json()).toMatchObject({
      status: 400,
      errors: [{ field: 'nickname', code: 'length' }],
    });
  });

  test('closing erases the user, frees the address, and is refused with money left', async () => {
    const person = await server.signIn(await server.register());
    await database.query("update app_user set groups = '{staff}' where id = $1", [person.userId]);
    mayClose = false;
    expect(
      (
        await server.post('/me/close', { login_password: md5(person.password) }, person.headers)
      ).json(),
    ).toMatchObject({
      status: 409,
      code: 'account_not_empty',
    });
    expect(await findUser(database, person.userId)).toMatchObject({ status: 'active' });
    expect(
      (
        await server.post(
          '/me/close',
          { login_password: md5(person.password), abandon_balance: true },
          person.headers,
        )
      ).statusCode,
    ).toBe(204);
    mayClose = true;
    expect(await findUser(database, person.userId)).toMatchObject({
      status: 'closed',
      nickname: 'Closed account',
    });
    const { rows } = await database.query<object>(
      `select actor_kind, actor_id, before->'groups' as groups from audit_entry
       where subject_id = $1 and after->>'status' = 'closed'`,
      [String(person.userId)],
    );
    expect(rows).toEqual([{ actor_kind: 'service', actor_id: 'closing', groups: ['staff'] }]);
    expect((await server.get('/me', person.headers)).statusCode).toBe(404);
    expect((await server.register({ email: person.email })).userId).not.toBe(person.userId);
  });

  test('a cookie authenticates nothing: a request from another site changes nothing', async () => {
    const browser = { 'sec-fetch-site': 'same-origin' };
    const person = await server.register();
    const started = await server.post(
      '/user/login-with-password',
      { email: person.email, login_password: md5(person.password) },
      browser,
    );
    const cookie = String(started.headers['set-cookie']).split(';')[0] ?? '';
    for (const url of [
      '/user/logout',
      '/me/password',
      '/me/email',
      '/me/close',
      '/me/authenticator',
      '/me/passkeys',
      '/me/sessions/end-others',
      '/me/email-factor',
    ]) {
      const answer = await server.post(
        url,
        {},
        { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      );
      expect(answer.json(), url).toMatchObject({ status: 401, code: 'missing_token' });
    }
  });

  test('device tokens and application tokens manage nothing', async () => {
    const person = await server.signIn(await server.register());
    const device = bearer({
      userId: person.userId,
      sid: person.sid,
      tokenUse: 'device',
      scopes: ['identity:manage', 'profile', 'email'],
    });
    const application = bearer({
      userId: person.userId,
      sid: person.sid,
      tokenUse: 'business',
      scopes: ['profile', 'email', 'account:read'],
    });
    for (const headers of [device, application]) {
      for (const url of [
        '/me/password',
        '/me/authenticator',
        '/me/close',
        '/me/sessions/end-others',
      ]) {
        expect(
          (
            await server.post(
              url,
              { login_password: md5('x'), new_login_password: md5('y') },
              headers,
            )
          ).statusCode,
          url,
        ).toBe(403);
      }
      expect((await server.get('/me/security-events?current=1&size=1', headers)).statusCode).toBe(
        403,
      );
    }
  });
});
