/** How often one may try: by address, by account, by ticket and by code, each apart. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ENGINES, openTestDatabase } from '../../../test/support/databases.ts';
import { createIdentityServer, type IdentityServer, md5, type Person } from '../../../test/support/identity-server.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import type { Database } from '../../db/index.ts';
import { createPasswords } from '../passwords.ts';

const WRONG = md5('not the password of anybody');

describe.each(ENGINES)('limits of the sign-in on %s', (engine) => {
  let database: Database;
  let server: IdentityServer;
  const argon2 = {
    hash: vi.fn(async (text: string) => `hash of ${text}`),
    verify: vi.fn(async (stored: string, text: string) => stored === `hash of ${text}`),
  };
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const passwords = { ...createPasswords(testMasterKey, argon2), isOutdated: () => false };
    server = createIdentityServer(database, { passwords });
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  const from = (remoteAddress: string, url: string, payload: Record<string, unknown>) => server.http.inject({ method: 'POST', url, payload, remoteAddress });
  const login = (email: string, login_password: string, ip = '192.0.2.1') => from(ip, '/user/login-with-password', { email, login_password });
  const finish = (person: Person, login_ticket: string, validate_code: string, headers: Record<string, string> = {}) =>
    server.post('/user/login/2fa', { email: person.email, login_ticket, method: 'EMAIL', validate_code }, headers);

  test('checklist 10: 500 wrong codes over many tickets are stopped after 20, and only for who guesses', async () => {
    const person = await server.register();
    // The owner signed in from home before.
    await server.signIn(person);
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
        const body = { email: person.email, login_ticket, method: 'EMAIL', validate_code: String(guess).padStart(6, '0') };
        answers.push((await from(attacker, '/user/login/2fa', body)).statusCode);
      }
    }
    expect(answers.filter((status) => status === 401).length).toBe(20);
    expect(answers.filter((status) => status === 200)).toEqual([]);
    server.clock.advance(3600_000);
    expect((await server.signIn(person)).sid).toEqual(expect.any(String));
  });

  test('a stranger who guesses passwords is limited, and does not lock the owner out', async () => {
    const person = await server.register();
    await server.signIn(person);
    const statuses: number[] = [];
    for (let i = 0; i < 30; i++) statuses.push((await login(person.email, WRONG, `203.0.113.${i}`)).statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    const limited = await login(person.email, md5(person.password), '203.0.113.200');
    expect(limited.json()).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(limited.headers['retry-after']).toMatch(/^\d+$/);
    expect((await server.signIn(person)).sid).toEqual(expect.any(String));
  });

  test('one address that tries many accounts is limited', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 105; i++) statuses.push((await login(`victim${i}@example.test`, WRONG, '203.0.113.250')).statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    expect(statuses.at(-1)).toBe(429);
  });

  test('limits hold over two nodes on one database', async () => {
    const person = await server.register();
    const other = createIdentityServer(database, { clock: server.clock, passwords: { ...createPasswords(testMasterKey, argon2), isOutdated: () => false } });
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) {
      const node = i % 2 === 0 ? server.http : other.http;
      const payload = { email: person.email, login_password: WRONG };
      statuses.push((await node.inject({ method: 'POST', url: '/user/login-with-password', payload, remoteAddress: `198.51.100.${100 + i}` })).statusCode);
    }
    await other.close();
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
  });

  test('right passwords are not counted as attempts', async () => {
    const person = await server.register();
    for (let i = 0; i < 25; i++) expect((await login(person.email, md5(person.password), '192.0.2.77')).statusCode).toBe(200);
  });

  test('the live code is sent again, the same one, five times', async () => {
    const person = await server.register();
    const login_ticket = await server.ticketOf(person);
    const code = await server.codeTo(person.email);
    for (let i = 0; i < 5; i++) {
      expect((await server.post('/user/login/email-code', { email: person.email, login_ticket })).statusCode).toBe(204);
      expect(await server.codeTo(person.email)).toBe(code);
    }
    expect((await server.post('/user/login/email-code', { email: person.email, login_ticket })).json()).toMatchObject({ status: 429 });
    expect((await finish(person, login_ticket, code)).statusCode).toBe(200);
  });
});
