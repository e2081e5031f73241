import { Secret } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  createIdentityServer,
  type IdentityServer,
  type Person,
  type SignedIn,
} from '../../../test/support/identity-server.ts';
import type { Database } from '../../db/index.ts';

const STEP_MS = 30_000;

describe.each(RUN_ENGINES)('second factors on %s', (engine) => {
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

  async function newPerson(): Promise<SignedIn & { secret: string; recoveryCodes: string[] }> {
    const person = await server.signIn(await server.register());
    return { ...person, ...(await server.enrol(person)) };
  }

  const finish = (person: Person, login_ticket: string, fields: Record<string, unknown>) =>
    server.post('/user/login/2fa', { email: person.email, login_ticket, ...fields });

  test('an enrolled authenticator replaces EMAIL until its owner enables it', async () => {
    const person = await newPerson();
    const login = () =>
      server.post('/user/login-with-password', {
        email: person.email,
        login_password: server.md5(person.password),
      });
    expect((await login()).json()).toMatchObject({ two_factor_methods: ['AUTHENTICATOR'] });
    const ticket = (await login()).json<{ login_ticket: string }>().login_ticket;
    expect(
      (await finish(person, ticket, { method: 'EMAIL', validate_code: '123456' })).json(),
    ).toMatchObject({
      status: 400,
      code: 'method_unavailable',
      two_factor_methods: ['AUTHENTICATOR'],
    });
    expect(
      (await server.post('/me/email-factor', { enabled: true }, person.headers)).statusCode,
    ).toBe(204);
    expect((await login()).json()).toMatchObject({
      two_factor_methods: ['EMAIL', 'AUTHENTICATOR'],
    });
    // With several methods a code is sent only on request.
    const other = await server.ticketOf(person);
    expect(await server.codeTo(person.email)).toBe('no code');
    expect(
      (await server.post('/user/login/email-code', { email: person.email, login_ticket: other }))
        .statusCode,
    ).toBe(204);
    expect(
      (
        await finish(person, other, {
          method: 'EMAIL',
          validate_code: await server.codeTo(person.email),
        })
      ).statusCode,
    ).toBe(200);
  });

  test('checklist 10: a TOTP step serves once, also in parallel', async () => {
    const person = await newPerson();
    const tickets = await Promise.all(Array.from({ length: 6 }, () => server.ticketOf(person)));
    const authenticator_code = server.totpOf(person.secret);
    const answers = await Promise.all(
      tickets.map((ticket) =>
        finish(person, ticket, { method: 'AUTHENTICATOR', authenticator_code }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      200, 401, 401, 401, 401, 401,
    ]);
    const later = await server.ticketOf(person);
    expect(
      (await finish(person, later, { method: 'AUTHENTICATOR', authenticator_code })).json(),
    ).toMatchObject({ code: 'invalid_code', tries_left: 4 });
    server.clock.advance(STEP_MS);
    expect(
      (
        await finish(person, later, {
          method: 'AUTHENTICATOR',
          authenticator_code: server.totpOf(person.secret),
        })
      ).statusCode,
    ).toBe(200);
  });

  test('checklist 12: a ticket gives one session, even with another right code', async () => {
    const person = await newPerson();
    const ticket = await server.ticketOf(person);
    const prove = () =>
      finish(person, ticket, {
        method: 'AUTHENTICATOR',
        authenticator_code: server.totpOf(person.secret),
      });
    expect((await prove()).statusCode).toBe(200);
    server.clock.advance(STEP_MS);
    expect((await prove()).json()).toMatchObject({ status: 401, code: 'invalid_ticket' });
  });

  test('checklist 14: recovery codes are stored salted and hashed, used once', async () => {
    const person = await newPerson();
    expect(new Set(person.recoveryCodes).size).toBe(10);
    const { rows } = await database.query<{ salt: string; code_hash: string }>(
      'select salt, code_hash from recovery_code where user_id = $1',
      [person.userId],
    );
    expect(new Set(rows.map(({ salt }) => salt)).size).toBe(10);
    expect(JSON.stringify(rows)).not.toContain(person.recoveryCodes[0]?.replaceAll('-', ''));
    const tickets = await Promise.all(Array.from({ length: 4 }, () => server.ticketOf(person)));
    const recovery_code = person.recoveryCodes[0]?.toLowerCase();
    const answers = await Promise.all(
      tickets.map((ticket) => finish(person, ticket, { method: 'AUTHENTICATOR', recovery_code })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401, 401]);
    const factors = await server.get('/me/second-factors', person.headers);
    expect(factors.json()).toMatchObject({
      recovery_codes_left: 9,
      has_authenticator: true,
      is_email_factor_on: false,
    });
  });

  test('checklist 13: a change of factors ends the other sessions only on request', async () => {
    const person = await server.signIn(await server.register());
    await server.signIn(person);
    const living = async () =>
      (await server.get('/me/sessions', person.headers))
        .json<{ sessions: { sid: string }[] }>()
        .sessions.map(({ sid }) => sid);
    await server.enrol(person);
    expect(await living()).toHaveLength(2);
    expect(
      (await server.post('/me/authenticator/remove', { end_other_sessions: true }, person.headers))
        .statusCode,
    ).toBe(204);
    expect(await living()).toEqual([person.sid]);
    expect((await server.mailTo(person.email))?.subject).toBe(
      'Your account: your authenticator app was removed',
    );
  });

  test('new recovery codes replace the old ones', async () => {
    const person = await newPerson();
    const renewed = await server.post('/me/recovery-codes', {}, person.headers);
    expect(renewed.statusCode).toBe(200);
    const { recovery_codes } = renewed.json<{ recovery_codes: string[] }>();
    expect(recovery_codes).toHaveLength(person.recoveryCodes.length);
    const signInWith = async (recovery_code: string | undefined) =>
      finish(person, await server.ticketOf(person), { method: 'AUTHENTICATOR', recovery_code });
    expect((await signInWith(person.recoveryCodes[0])).json()).toMatchObject({
      code: 'invalid_code',
    });
    expect((await signInWith(recovery_codes[0])).statusCode).toBe(200);
  });

  test('a code by email confirms a sensitive change while EMAIL is enabled', async () => {
    const person = await newPerson();
    await server.post('/me/email-factor', { enabled: true }, person.headers);
    const started = await server.post(
      '/me/reauthenticate',
      { login_password: server.md5(person.password) },
      person.headers,
    );
    const { login_ticket } = started.json<{ login_ticket: string }>();
    const sent = await server.post(
      '/me/reauthenticate/email-code',
      { login_ticket },
      person.headers,
    );
    expect(sent.statusCode).toBe(204);
    const validate_code = await server.codeTo(person.email);
    const proof = { login_ticket, method: 'EMAIL', validate_code };
    expect((await server.post('/me/reauthenticate/2fa', proof, person.headers)).json()).toEqual({
      fresh_until: expect.any(String),
    });
  });

  test('pages of the sign-in origin may use the passkeys', async () => {
    expect((await server.get('/.well-known/webauthn')).json()).toEqual({
      origins: ['http://localhost:8080'],
    });
  });

  test('a factor changes only after password and second factor were proven lately', async () => {
    const person = await newPerson();
    server.clock.advance(11 * 60_000);
    const stale = server.headersOf(
      person,
      person.sid,
      new Date(server.clock.now().getTime() - 11 * 60_000),
    );
    for (const [url, body] of [
      ['/me/authenticator', {}],
      ['/me/authenticator/remove', {}],
      ['/me/passkeys/options', {}],
      ['/me/recovery-codes', {}],
      ['/me/email-factor', { enabled: true }],
      ['/me/email', { email: 'new@example.test' }],
      [
        '/me/password',
        {
          login_password: server.md5(person.password),
          new_login_password: server.md5('quite another password'),
        },
      ],
      ['/me/close', { login_password: server.md5(person.password) }],
    ] as const) {
      expect((await server.post(url, body, stale)).json(), url).toMatchObject({
        status: 403,
        code: 'reauthentication_required',
      });
    }
    const started = await server.post(
      '/me/reauthenticate',
      { login_password: server.md5(person.password) },
      stale,
    );
    const { login_ticket } = started.json<{ login_ticket: string }>();
    const proof = {
      login_ticket,
      method: 'AUTHENTICATOR',
      authenticator_code: server.totpOf(person.secret),
    };
    // The ticket is valid in its own session only, and cannot sign in.
    expect(
      (
        await server.post('/me/reauthenticate/2fa', proof, server.headersOf(person, 'another-sid'))
      ).json(),
    ).toMatchObject({ code: 'invalid_ticket' });
    expect((await finish(person, login_ticket, proof)).json()).toMatchObject({
      code: 'invalid_ticket',
    });
    expect((await server.post('/me/reauthenticate/2fa', proof, stale)).json()).toMatchObject({
      fresh_until: expect.any(String),
    });
    expect(
      (
        await server.post(
          '/me/authenticator/remove',
          {},
          server.headersOf(person, 'another-sid', new Date(0)),
        )
      ).statusCode,
    ).toBe(403);
    const removed = await server.http.inject({
      method: 'POST',
      url: '/me/authenticator/remove',
      headers: stale,
    });
    expect(removed.statusCode).toBe(204);
    expect((await server.get('/me', person.headers)).json()).toMatchObject({
      two_factor_methods: ['EMAIL'],
    });
    expect((await server.get('/me/second-factors', person.headers)).json()).toMatchObject({
      recovery_codes_left: 0,
    });
  });

  test('an authenticator secret is encrypted at rest and bound to its owner', async () => {
    const [a, b] = [await newPerson(), await newPerson()];
    const { rows } = await database.query<{ secret_sealed: Buffer }>(
      'select secret_sealed from authenticator where user_id = $1',
      [a.userId],
    );
    expect(
      Buffer.from(rows[0]?.secret_sealed ?? []).includes(
        Buffer.from(Secret.fromBase32(a.secret).buffer),
      ),
    ).toBe(false);
    await database.query(
      `update authenticator set secret_sealed =
         (select secret_sealed from authenticator where user_id = $1) where user_id = $2`,
      [a.userId, b.userId],
    );
    const ticket = await server.ticketOf(b);
    expect(
      (
        await finish(b, ticket, {
          method: 'AUTHENTICATOR',
          authenticator_code: server.totpOf(a.secret),
        })
      ).statusCode,
    ).toBe(500);
  });

  test('a wrong confirmation enrols nothing; the first blocks another enrolment', async () => {
    const person = await server.signIn(await server.register());
    const { secret } = (await server.post('/me/authenticator', {}, person.headers)).json<{
      secret: string;
    }>();
    const wrong = server.totpOf(secret) === '000000' ? '111111' : '000000';
    expect(
      (
        await server.post(
          '/me/authenticator/confirm',
          { authenticator_code: wrong },
          person.headers,
        )
      ).json(),
    ).toMatchObject({ code: 'invalid_code' });
    expect((await server.get('/me', person.headers)).json()).toMatchObject({
      two_factor_methods: ['EMAIL'],
    });
    await server.enrol(person);
    expect((await server.post('/me/authenticator', {}, person.headers)).json()).toMatchObject({
      status: 409,
      code: 'already_enrolled',
    });
  });
});
