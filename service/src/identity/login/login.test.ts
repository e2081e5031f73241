import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  createIdentityServer,
  type IdentityServer,
  md5,
} from '../../../test/support/identity-server.ts';
import type { Database } from '../../db/index.ts';

describe.each(RUN_ENGINES)('signing in on %s', (engine) => {
  let database: Database;
  let server: IdentityServer;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    server = createIdentityServer(database);
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  test('the ticket and the code of a registration sign in once, immediately', async () => {
    const email = 'lise@example.test';
    const started = await server.post('/user/register', {
      email,
      login_password: md5('fission of the nucleus'),
      nickname: 'Lise',
    });
    const { register_ticket } = started.json<{ register_ticket: string }>();
    const validate_code = await server.codeTo(email);
    const proof = { email, login_ticket: register_ticket, method: 'EMAIL', validate_code };
    // Not before the account exists: the ticket of a registration is no login ticket.
    expect((await server.post('/user/login/2fa', proof)).json()).toMatchObject({
      status: 401,
      code: 'invalid_ticket',
    });
    const cookie = `edge-sign-in=${'b'.repeat(43)}`;
    const headers = { 'sec-fetch-site': 'same-origin', cookie };
    const made = await server.post(
      '/user/register/verify',
      { email, register_ticket, validate_code },
      headers,
    );
    expect(made.json()).toMatchObject({ login_ticket: register_ticket });
    const wrong = validate_code === '000000' ? '000001' : '000000';
    expect(
      (await server.post('/user/login/2fa', { ...proof, validate_code: wrong }, { cookie })).json(),
    ).toMatchObject({
      code: 'invalid_code',
      tries_left: 4,
    });
    // Another browser has neither the cookie nor, therefore, the ticket.
    expect((await server.post('/user/login/2fa', proof)).json()).toMatchObject({
      status: 401,
      code: 'invalid_ticket',
    });
    const answers = await Promise.all(
      [1, 2, 3].map(() => server.post('/user/login/2fa', proof, { cookie })),
    );
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 401, 401]);
    const { rows } = await database.query(
      'select s.amr from user_session s join app_user u on u.id = s.user_id where u.email = $1',
      [email],
    );
    expect(rows).toEqual([{ amr: ['pwd', 'email', 'mfa'] }]);
  });

  test('the ticket of a registration is invalid two minutes later', async () => {
    const email = 'emmy@example.test';
    const started = await server.post('/user/register', {
      email,
      login_password: md5('a ring that is noetherian'),
      nickname: 'Emmy',
    });
    const { register_ticket } = started.json<{ register_ticket: string }>();
    const validate_code = await server.codeTo(email);
    await server.post('/user/register/verify', { email, register_ticket, validate_code });
    server.clock.advance(121_000);
    const late = await server.post('/user/login/2fa', {
      email,
      login_ticket: register_ticket,
      method: 'EMAIL',
      validate_code,
    });
    expect(late.json()).toMatchObject({ status: 401, code: 'invalid_ticket' });
  });

  test('a body with two passwords is refused', async () => {
    const headers = { 'content-type': 'application/json' };
    const twice = ['one', 'two'].map((text) => `"login_password":"${md5(text)}"`).join(',');
    const payload = `{"email":"twice@example.test",${twice}}`;
    const answer = await server.http.inject({
      method: 'POST',
      url: '/user/login-with-password',
      headers,
      payload,
    });
    expect(answer.json()).toMatchObject({
      status: 400,
      code: 'malformed_body',
      errors: [{ field: 'login_password', code: 'repeated' }],
    });
  });

  test('registers, signs in with an email code, reads /me, signs out', async () => {
    const started = await server.post('/user/register', {
      email: 'Ada@Example.test',
      login_password: md5('analytical engine no 9'),
      nickname: 'Ada',
    });
    expect(started.statusCode).toBe(202);
    const { register_ticket } = started.json<{ register_ticket: string }>();
    const validate_code = await server.codeTo('Ada@Example.test');
    const made = await server.post('/user/register/verify', {
      email: 'ada@example.test',
      register_ticket,
      validate_code,
    });
    expect(made.json()).toMatchObject({
      user_id: expect.any(Number),
      email: 'Ada@Example.test',
      nickname: 'Ada',
      referral_code: expect.stringMatching(/^[2-9A-Z]{10}$/),
    });

    const login = await server.post('/user/login-with-password', {
      email: 'ADA@example.test',
      login_password: md5('analytical engine no 9').toUpperCase(),
    });
    expect(login.json()).toEqual({
      need_two_factor: true,
      login_ticket: expect.any(String),
      email: 'A***@Example.test',
      two_factor_methods: ['EMAIL'],
    });
    const { login_ticket } = login.json<{ login_ticket: string }>();
    const body = {
      email: 'ada@example.test',
      login_ticket,
      method: 'EMAIL',
      validate_code: await server.codeTo('Ada@Example.test'),
    };
    const details = await server.post('/user/login/2fa', body);
    expect(details.json()).toEqual({
      access_token: expect.any(String),
      device_token: expect.any(String),
      expire: expect.any(Number),
      email: 'Ada@Example.test',
    });
    expect((await server.post('/user/login/2fa', body)).json()).toMatchObject({
      status: 401,
      code: 'invalid_ticket',
    });

    const { userId, sid } = JSON.parse(details.json<{ access_token: string }>().access_token) as {
      userId: number;
      sid: string;
    };
    const headers = server.headersOf({ userId, email: '', password: '' }, sid);
    expect((await server.get('/me', headers)).json()).toMatchObject({
      user_id: userId,
      email: 'Ada@Example.test',
      two_factor_methods: ['EMAIL'],
    });
    expect((await server.post('/user/logout', { id: userId + 1 }, headers)).json()).toMatchObject({
      status: 403,
      code: 'not_own_account',
    });
    expect((await server.post('/user/logout', { id: userId }, headers)).statusCode).toBe(204);
    const { rows } = await database.query('select end_reason from user_session where sid = $1', [
      sid,
    ]);
    expect(rows).toEqual([{ end_reason: 'logout' }]);
  });
});
