/** Attacks on the sign-in; item numbers are those of the identity checklist. */
import { describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { md5 } from '../../../test/support/identity-server.ts';
import { useLoginLab, WRONG } from '../../../test/support/login-fixture.ts';

describe.each(RUN_ENGINES)('attacks on the sign-in on %s', (engine) => {
  const lab = useLoginLab(engine);
  const { argon2, login, finish } = lab;
  const wrongCode = (right: string): string => (right === '000000' ? '111111' : '000000');

  test('checklist 11: an unknown address and a wrong password do the same work', async () => {
    const person = await lab.server.register();
    argon2.verify.mockClear();
    const wrong = await login(person.email, WRONG);
    expect(argon2.verify).toHaveBeenCalledTimes(1);
    const unknown = await login('unknown@example.test', WRONG);
    expect(argon2.verify).toHaveBeenCalledTimes(2);
    const bodies = [wrong, unknown].map((answer) => ({
      ...answer.json<Record<string, unknown>>(),
      request_id: '',
    }));
    expect(bodies[0]).toEqual(bodies[1]);
    expect([wrong.statusCode, unknown.statusCode]).toEqual([401, 401]);
    const names = (headers: Record<string, unknown>): string[] => Object.keys(headers).sort();
    expect(names(wrong.headers)).toEqual(names(unknown.headers));
  });

  test('checklist 11: a closed account is like an unknown one', async () => {
    const person = await lab.server.signIn(await lab.server.register());
    await lab.server.post('/me/close', { login_password: md5(person.password) }, person.headers);
    argon2.verify.mockClear();
    expect((await login(person.email, md5(person.password))).json()).toMatchObject({
      code: 'invalid_credentials',
    });
    expect(argon2.verify).toHaveBeenCalledTimes(1);
  });

  test('a taken address gets the same answer, its owner a mail, and no right code', async () => {
    const person = await lab.server.register();
    const body = { login_password: md5('some quite long password'), nickname: 'Mallory' };
    const taken = await lab.server.post('/user/register', { ...body, email: person.email });
    const free = await lab.server.post('/user/register', { ...body, email: 'free@example.test' });
    expect([taken.statusCode, free.statusCode]).toEqual([202, 202]);
    expect(Object.keys(taken.json<object>())).toEqual(Object.keys(free.json<object>()));
    expect((await lab.server.mailTo(person.email))?.subject).toBe('You already have an account');
    expect(await lab.server.codeTo(person.email)).toBe('no code');
    const { register_ticket } = taken.json<{ register_ticket: string }>();
    const verify = () =>
      lab.server.post('/user/register/verify', {
        email: person.email,
        register_ticket,
        validate_code: '123456',
      });
    for (const tries_left of [4, 3, 2, 1, 0])
      expect((await verify()).json()).toMatchObject({ code: 'invalid_code', tries_left });
    expect((await verify()).json()).toMatchObject({ code: 'invalid_ticket' });
  });

  test('checklist 12: a ticket is stored hashed, bound to its person and its stage', async () => {
    const [a, b] = [await lab.server.register(), await lab.server.register()];
    const ticket = await lab.server.ticketOf(a);
    expect(Buffer.from(ticket, 'base64url')).toHaveLength(32);
    const { rows } = await lab.database.query('select * from ticket');
    expect(JSON.stringify(rows)).not.toContain(ticket);
    const code = await lab.server.codeTo(a.email);
    expect((await finish({ ...a, email: b.email }, ticket, code)).json()).toMatchObject({
      code: 'invalid_ticket',
    });
    const reset = await lab.server.post('/user/password/reset/verify', {
      email: a.email,
      reset_ticket: ticket,
      validate_code: code,
    });
    expect(reset.json()).toMatchObject({ code: 'invalid_ticket' });
    expect((await finish(a, ticket, code)).statusCode).toBe(200);
  });

  test('checklist 12: of 16 parallel uses of one ticket and code exactly one wins', async () => {
    const person = await lab.server.register();
    const ticket = await lab.server.ticketOf(person);
    const code = await lab.server.codeTo(person.email);
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => finish(person, ticket, code)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const { rows } = await lab.database.query<{ n: number }>(
      'select count(*) as n from user_session where user_id = $1',
      [person.userId],
    );
    expect(rows[0]?.n).toBe(1);
  });

  test('checklist 12: a browser’s ticket serves that browser only', async () => {
    const person = await lab.server.register();
    const browser = { 'sec-fetch-site': 'same-origin' };
    const started = await lab.server.post(
      '/user/login-with-password',
      { email: person.email, login_password: md5(person.password) },
      browser,
    );
    const cookie = String(started.headers['set-cookie']);
    expect(cookie).toMatch(
      /^edge-sign-in=[\w-]{43}; Path=\/; Max-Age=300; HttpOnly; SameSite=Strict$/,
    );
    const { login_ticket } = started.json<{ login_ticket: string }>();
    const code = await lab.server.codeTo(person.email);
    const other = { cookie: `edge-sign-in=${'A'.repeat(43)}` };
    const own = { cookie: `theme=dark; ${cookie.split(';')[0]}` };
    for (const headers of [{}, other]) {
      expect((await finish(person, login_ticket, code, headers)).json()).toMatchObject({
        code: 'invalid_ticket',
      });
      for (const url of ['/user/login/email-code', '/user/login/passkey-options']) {
        expect(
          (await lab.server.post(url, { email: person.email, login_ticket }, headers)).json(),
        ).toMatchObject({ code: 'invalid_ticket' });
      }
    }
    expect((await finish(person, login_ticket, code, own)).statusCode).toBe(200);
  });

  test('a program’s login sets no cookie, nor does a page of another origin', async () => {
    const person = await lab.server.register();
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[]) {
      const answer = await lab.server.post(
        '/user/login-with-password',
        { email: person.email, login_password: md5(person.password) },
        headers,
      );
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test('checklist 10: a code serves its own ticket only, and once', async () => {
    const person = await lab.server.register();
    const first = await lab.server.ticketOf(person);
    const code = await lab.server.codeTo(person.email);
    const second = await lab.server.ticketOf(person);
    expect(await lab.server.codeTo(person.email)).not.toBe(code);
    expect((await finish(person, second, code)).json()).toMatchObject({ code: 'invalid_code' });
    expect((await finish(person, first, code)).statusCode).toBe(200);
    expect((await finish(person, second, code)).json()).toMatchObject({
      code: 'invalid_code',
      tries_left: 3,
    });
  });

  test('checklist 10: five wrong codes end a ticket; an expired ticket is void', async () => {
    const person = await lab.server.register();
    const ticket = await lab.server.ticketOf(person);
    const code = await lab.server.codeTo(person.email);
    for (const tries_left of [4, 3, 2, 1, 0])
      expect((await finish(person, ticket, wrongCode(code))).json()).toMatchObject({
        status: 401,
        code: 'invalid_code',
        tries_left,
      });
    expect((await finish(person, ticket, code)).json()).toMatchObject({
      status: 401,
      code: 'invalid_ticket',
    });
    const late = await lab.server.ticketOf(person);
    const lateCode = await lab.server.codeTo(person.email);
    lab.server.clock.advance(301_000);
    expect((await finish(person, late, lateCode)).json()).toMatchObject({ code: 'invalid_ticket' });
  });

  test('a disabled user is informed only after both factors', async () => {
    const person = await lab.server.register();
    const ticket = await lab.server.ticketOf(person);
    const code = await lab.server.codeTo(person.email);
    await lab.database.query("update app_user set status = 'disabled' where id = $1", [
      person.userId,
    ]);
    expect((await finish(person, ticket, wrongCode(code))).json()).toMatchObject({
      code: 'invalid_code',
    });
    expect((await finish(person, ticket, code)).json()).toMatchObject({
      status: 403,
      code: 'account_disabled',
    });
  });

  test('a password that was changed while a ticket was open invalidates the ticket', async () => {
    const person = await lab.server.signIn(await lab.server.register());
    const ticket = await lab.server.ticketOf(person);
    const code = await lab.server.codeTo(person.email);
    const body = {
      login_password: md5(person.password),
      new_login_password: md5('an entirely new password'),
    };
    expect((await lab.server.post('/me/password', body, person.headers)).statusCode).toBe(204);
    expect((await finish(person, ticket, code)).json()).toMatchObject({ code: 'invalid_ticket' });
  });

  test('NUL bytes, lone surrogates and wrong types are 400 in every field', async () => {
    const person = await lab.server.register();
    const good: Record<string, Record<string, unknown>> = {
      '/user/register': {
        email: 'x@example.test',
        login_password: WRONG,
        nickname: 'X',
        referral_code: 'ABC',
      },
      '/user/register/verify': {
        email: 'x@example.test',
        register_ticket: 'x'.repeat(43),
        validate_code: '123456',
      },
      '/user/login-with-password': { email: person.email, login_password: WRONG },
      '/user/login/email-code': { email: person.email, login_ticket: 'x'.repeat(43) },
      '/user/login/2fa': {
        email: person.email,
        login_ticket: 'x'.repeat(43),
        method: 'EMAIL',
        validate_code: '123456',
        recovery_code: 'AAAA-AAAA-AAAA',
      },
      '/user/password/reset': { email: person.email },
      '/user/password/reset/verify': {
        email: person.email,
        reset_ticket: 'x'.repeat(43),
        validate_code: '123456',
      },
    };
    for (const [url, body] of Object.entries(good)) {
      for (const field of Object.keys(body)) {
        for (const bad of [JSON.stringify(`a\0b`), '"a\\ud800b"', '7', 'null', '{}', '[]']) {
          const { [field]: _, ...rest } = body;
          const comma = Object.keys(rest).length > 0 ? ',' : '';
          const open = `${JSON.stringify(rest).slice(0, -1)}${comma}`;
          const payload = `${open}${JSON.stringify(field)}:${bad}}`;
          const answer = await lab.server.http.inject({
            method: 'POST',
            url,
            payload,
            headers: { 'content-type': 'application/json' },
            remoteAddress: '192.0.2.99',
          });
          expect(answer.statusCode, `${url} ${field} ${bad}`).toBe(400);
        }
      }
    }
  });
});
