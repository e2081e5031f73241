/** Limits of attempts: by address, by account, by ticket and by code, each separately. */
import { describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { createIdentityServer, md5 } from '../../../test/support/identity-server.ts';
import { useLoginLab, WRONG } from '../../../test/support/login-fixture.ts';

describe.each(RUN_ENGINES)('limits of the sign-in on %s', (engine) => {
  const lab = useLoginLab(engine);
  const { from, login, finish } = lab;
  test('checklist 10: 500 wrong codes over many tickets are stopped after 20', async () => {
    const person = await lab.server.register();
    // The owner signed in from home before.
    await lab.server.signIn(person);
    const attacker = '198.51.100.9';
    const answers: number[] = [];
    for (let i = 0; i < 100; i++) {
      const started = await login(person.email, md5(person.password), attacker);
      if (started.statusCode !== 200) {
        answers.push(started.statusCode);
        continue;
      }
      const { login_ticket } = started.json<{ login_ticket: string }>();
      for (let guess = 0; guess < 5; guess++) {
        const body = {
          email: person.email,
          login_ticket,
          method: 'EMAIL',
          validate_code: String(guess).padStart(6, '0'),
        };
        answers.push((await from(attacker, '/user/login/2fa', body)).statusCode);
      }
    }
    expect(answers.filter((status) => status === 401).length).toBe(20);
    expect(answers.filter((status) => status === 200)).toEqual([]);
    lab.server.clock.advance(3600_000);
    expect((await lab.server.signIn(person)).sid).toEqual(expect.any(String));
  });

  test('a stranger who guesses passwords is limited, and does not lock the owner out', async () => {
    const person = await lab.server.register();
    await lab.server.signIn(person);
    const statuses: number[] = [];
    for (let i = 0; i < 30; i++)
      statuses.push((await login(person.email, WRONG, `203.0.113.${i}`)).statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    const limited = await login(person.email, md5(person.password), '203.0.113.200');
    expect(limited.json()).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(limited.headers['retry-after']).toMatch(/^\d+$/);
    expect((await lab.server.signIn(person)).sid).toEqual(expect.any(String));
  });

  test('guesses do not lock out an owner who has registered and never signed in', async () => {
    const person = await lab.server.register();
    for (let i = 0; i < 25; i++) await login(person.email, WRONG, `203.0.113.${100 + i}`);
    expect((await login(person.email, md5(person.password), '203.0.113.99')).statusCode).toBe(429);
    expect((await lab.server.signIn(person)).sid).toEqual(expect.any(String));
  });

  test('one address that tries many accounts is limited', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 105; i++)
      statuses.push((await login(`victim${i}@example.test`, WRONG, '203.0.113.250')).statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    expect(statuses.at(-1)).toBe(429);
  });

  test('limits hold over two instances on one database', async () => {
    const person = await lab.server.register();
    const other = createIdentityServer(lab.database, {
      clock: lab.server.clock,
      config: lab.config,
      passwords: lab.passwords,
    });
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) {
      const node = i % 2 === 0 ? lab.server.http : other.http;
      const payload = { email: person.email, login_password: WRONG };
      statuses.push(
        (
          await node.inject({
            method: 'POST',
            url: '/user/login-with-password',
            payload,
            remoteAddress: `198.51.100.${100 + i}`,
          })
        ).statusCode,
      );
    }
    await other.close();
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
  });

  test('right passwords are not counted as attempts', async () => {
    const person = await lab.server.register();
    for (let i = 0; i < 25; i++)
      expect((await login(person.email, md5(person.password), '192.0.2.77')).statusCode).toBe(200);
  });

  test('the current code is resent, unchanged, up to five times', async () => {
    const person = await lab.server.register();
    const login_ticket = await lab.server.ticketOf(person);
    const code = await lab.server.codeTo(person.email);
    for (let i = 0; i < 5; i++) {
      expect(
        (await lab.server.post('/user/login/email-code', { email: person.email, login_ticket }))
          .statusCode,
      ).toBe(204);
      expect(await lab.server.codeTo(person.email)).toBe(code);
    }
    const exhausted = await lab.server.post('/user/login/email-code', {
      email: person.email,
      login_ticket,
    });
    expect(exhausted.json()).toMatchObject({ status: 429 });
    expect(exhausted.headers['retry-after']).toBe('300');
    expect((await finish(person, login_ticket, code)).statusCode).toBe(200);
  });
});
