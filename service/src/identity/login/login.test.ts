import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../../test/support/databases.ts';
import { createIdentityServer, type IdentityServer, md5 } from '../../../test/support/identity-server.ts';
import type { Database } from '../../db/index.ts';

describe.each(ENGINES)('signing in on %s', (engine) => {
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

  test('registers, signs in with an email code, reads /me, signs out', async () => {
    const started = await server.post('/user/register', { email: 'Ada@Example.test', login_password: md5('analytical engine no 9'), nickname: 'Ada' });
    expect(started.statusCode).toBe(202);
    const { register_ticket } = started.json<{ register_ticket: string }>();
    const validate_code = await server.codeTo('Ada@Example.test');
    const made = await server.post('/user/register/verify', { email: 'ada@example.test', register_ticket, validate_code });
    expect(made.json()).toMatchObject({
      user_id: expect.any(Number),
      email: 'Ada@Example.test',
      nickname: 'Ada',
      referral_code: expect.stringMatching(/^[2-9A-Z]{10}$/),
    });

    const login = await server.post('/user/login-with-password', { email: 'ADA@example.test', login_password: md5('analytical engine no 9').toUpperCase() });
    expect(login.json()).toEqual({ need_two_factor: true, login_ticket: expect.any(String), email: 'A***@Example.test', two_factor_methods: ['EMAIL'] });
    const { login_ticket } = login.json<{ login_ticket: string }>();
    const body = { email: 'ada@example.test', login_ticket, method: 'EMAIL', validate_code: await server.codeTo('Ada@Example.test') };
    const details = await server.post('/user/login/2fa', body);
    expect(details.json()).toEqual({
      access_token: expect.any(String),
      device_token: expect.any(String),
      expire: expect.any(Number),
      email: 'Ada@Example.test',
    });
    expect((await server.post('/user/login/2fa', body)).json()).toMatchObject({ status: 401, code: 'invalid_ticket' });

    const { userId, sid } = JSON.parse(details.json<{ access_token: string }>().access_token) as { userId: number; sid: string };
    const headers = server.headersOf({ userId, email: '', password: '' }, sid);
    expect((await server.get('/me', headers)).json()).toMatchObject({ user_id: userId, email: 'Ada@Example.test', two_factor_methods: ['EMAIL'] });
    expect((await server.post('/user/logout', { id: userId + 1 }, headers)).json()).toMatchObject({ status: 403, code: 'not_own_account' });
    expect((await server.post('/user/logout', { id: userId }, headers)).statusCode).toBe(204);
    const { rows } = await database.query('select end_reason from user_session where sid = $1', [sid]);
    expect(rows).toEqual([{ end_reason: 'logout' }]);
  });
});
