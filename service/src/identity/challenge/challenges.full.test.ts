/** Challenges over HTTP: when they are asked, what solves them, and how often. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Challenge } from 'altcha-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Engine, openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  createIdentityServer,
  type IdentityServer,
  md5,
} from '../../../test/support/identity-server.ts';
import { solve } from '../../../test/support/solve-challenge.ts';
import { testConfig } from '../../../test/support/test-config.ts';
import type { Database } from '../../db/index.ts';

type Body = Record<string, unknown>;
type Headers = Record<string, string>;

let networks = 0;
/** An address of a network that no other test uses. */
const newAddress = (): string => `198.18.${++networks}.7`;
let people = 0;
const newBody = (): Body => ({
  email: `caller${++people}@company${people}.example`,
  login_password: md5('a long password of a caller'),
  nickname: 'Caller',
});

function createLab(engine: Engine, settings: Record<string, string> = {}) {
  const opened = {} as { database: Database; server: IdentityServer; other: IdentityServer };
  beforeAll(async () => {
    opened.database = await openTestDatabase(engine);
    const options = { config: testConfig(settings), challengeIterations: 1 };
    opened.server = createIdentityServer(opened.database, options);
    opened.other = createIdentityServer(opened.database, options);
  });
  afterAll(async () => {
    await Promise.all([opened.server.close(), opened.other.close()]);
    await opened.database.close();
  });
  const post = (ip: string, url: string, payload: Body, headers: Headers = {}) =>
    opened.server.http.inject({ method: 'POST', url, payload, remoteAddress: ip, headers });
  const register = (ip: string, headers: Headers = {}, body = newBody()) =>
    post(ip, '/user/register', body, headers);
  return Object.assign(opened, { post, register });
}

const challengeOf = (answer: { json(): unknown }): Challenge =>
  (answer.json() as { challenge: Challenge }).challenge;
const solved = async (answer: { json(): unknown }): Promise<Headers> => ({
  'challenge-solution': await solve(challengeOf(answer)),
});

describe.each(RUN_ENGINES)('challenges on %s', (engine) => {
  const lab = createLab(engine);

  test('the fourth registration from one network is asked, once', async () => {
    const ip = newAddress();
    for (let i = 0; i < 3; i++) expect((await lab.register(ip)).statusCode).toBe(202);
    const body = newBody();
    const asked = await lab.register(ip, {}, body);
    expect(asked.json()).toMatchObject({
      ...{ status: 403, code: 'challenge_required', challenge_type: 'proof_of_work' },
      challenge: { parameters: { data: { purpose: 'register', work: 200 } } },
    });
    expect(await lab.server.mailTo(String(body.email))).toBeUndefined();
    expect((await lab.register(ip, await solved(asked), body)).statusCode).toBe(202);
    expect(await lab.server.codeTo(String(body.email))).toMatch(/^\d{6}$/);
    lab.server.clock.advance(3_900_000);
    expect((await lab.register(ip)).statusCode).toBe(202);
  });

  test('a solution counts once, on two instances together', async () => {
    const ip = newAddress();
    for (let i = 0; i < 3; i++) await lab.register(ip);
    const headers = await solved(await lab.register(ip));
    lab.other.clock.advance(lab.server.clock.now().getTime() - lab.other.clock.now().getTime());
    const answers = await Promise.all(
      [lab.server, lab.other, lab.server, lab.other].map(({ http }) =>
        http.inject({
          ...{ method: 'POST', url: '/user/register', payload: newBody() },
          ...{ remoteAddress: ip, headers },
        }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 403, 403, 403]);
    const refused = answers.find(({ statusCode }) => statusCode === 403);
    expect(refused?.json()).toMatchObject({ detail: expect.stringContaining('used') });
  });

  test('a solution of another purpose or network does not count', async () => {
    const [ip, elsewhere] = [newAddress(), newAddress()];
    for (let i = 0; i < 3; i++) {
      await lab.register(ip);
      await lab.register(elsewhere);
      await lab.post(ip, '/user/password/reset', { email: `unknown${i}@nowhere.example` });
    }
    const headers = await solved(await lab.register(ip));
    expect((await lab.register(elsewhere, headers)).statusCode).toBe(403);
    const reset = { email: 'unknown@nowhere.example' };
    expect((await lab.post(ip, '/user/password/reset', reset, headers)).statusCode).toBe(403);
    expect((await lab.register(ip, headers)).statusCode).toBe(202);
  });

  test('parallel registrations do not share a price', async () => {
    const ip = newAddress();
    const answers = await Promise.all(Array.from({ length: 12 }, () => lab.register(ip)));
    const accepted = answers.filter(({ statusCode }) => statusCode === 202);
    expect(accepted.length).toBeLessThanOrEqual(3);
    const works = answers
      .filter(({ statusCode }) => statusCode === 403)
      .map((answer) => Number(challengeOf(answer).parameters.data?.work));
    expect(Math.max(...works)).toBeGreaterThan(200);
  });

  test('guessing passwords costs work; right ones do not', async () => {
    const person = await lab.server.register();
    const login = (ip: string, password: string, headers: Headers = {}) =>
      lab.post(
        ip,
        '/user/login-with-password',
        { email: person.email, login_password: md5(password) },
        headers,
      );
    for (let i = 0; i < 5; i++) expect((await login(newAddress(), 'wrong')).statusCode).toBe(401);
    const ip = newAddress();
    const asked = await login(ip, person.password);
    expect(asked.json()).toMatchObject({ code: 'challenge_required' });
    // The owner at home is not asked because of others.
    expect((await lab.server.signIn(person)).sid).toEqual(expect.any(String));
    expect((await login(ip, person.password, await solved(asked))).statusCode).toBe(200);
    // What was asked and not answered does not count.
    for (let i = 0; i < 30; i++) await login(newAddress(), 'wrong');
    const again = await login(ip, person.password);
    expect(again.statusCode).toBe(403);
    expect((await login(ip, person.password, await solved(again))).statusCode).toBe(200);
  });

  test('resets and codes that are sent again are asked when there are many', async () => {
    const ip = newAddress();
    const person = await lab.server.register();
    const reset = (headers: Headers = {}) =>
      lab.post(ip, '/user/password/reset', { email: person.email }, headers);
    expect((await reset()).statusCode).toBe(202);
    expect((await reset()).statusCode).toBe(202);
    const asked = await reset();
    expect(asked.json()).toMatchObject({ code: 'challenge_required' });
    expect((await reset(await solved(asked))).statusCode).toBe(202);
    const resend = async (headers: Headers = {}, ticket?: string) => {
      const login_ticket = ticket ?? (await lab.server.ticketOf(person));
      const body = { email: person.email, login_ticket };
      return { login_ticket, answer: await lab.post(ip, '/user/login/email-code', body, headers) };
    };
    for (let i = 0; i < 10; i++) expect((await resend()).answer.statusCode).toBe(204);
    const { answer, login_ticket } = await resend();
    expect(answer.json()).toMatchObject({ code: 'challenge_required' });
    const second = await resend(await solved(answer), login_ticket);
    expect(second.answer.statusCode).toBe(204);
  });

  test('this machine is never asked', async () => {
    for (let i = 0; i < 20; i++) expect((await lab.register('127.0.0.1')).statusCode).toBe(202);
  });
});

describe('a public service behind a proxy that it was not configured to trust', () => {
  const lab = createLab('server', {
    ...{ BASE_URL: 'https://account.example.test', SMTP_URL: 'smtp://localhost:1' },
  });

  test('asks, although every caller seems to be this machine', async () => {
    for (let i = 0; i < 3; i++) expect((await lab.register('127.0.0.1')).statusCode).toBe(202);
    expect((await lab.register('127.0.0.1')).json()).toMatchObject({ code: 'challenge_required' });
  });
});

describe.each(['turnstile', 'hcaptcha'] as const)('the widget of %s', (provider) => {
  const forms: URLSearchParams[] = [];
  const siteverify = createServer(async (request: IncomingMessage, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const form = new URLSearchParams(text);
    forms.push(form);
    if (form.get('response') === 'no answer') response.writeHead(502).end();
    else response.end(JSON.stringify({ success: form.get('response') === 'a good token' }));
  });
  const port = new Promise<number>((resolve) =>
    siteverify.listen(0, '127.0.0.1', () => resolve((siteverify.address() as AddressInfo).port)),
  );
  let database: Database;
  let server: IdentityServer;
  beforeAll(async () => {
    database = await openTestDatabase(RUN_ENGINES[0] ?? 'server');
    server = createIdentityServer(database, {
      config: testConfig({
        ...{ CHALLENGE: provider, CHALLENGE_SITE_KEY: 'site', CHALLENGE_SECRET: 'secret' },
        CHALLENGE_VERIFY_URL: `http://127.0.0.1:${await port}/siteverify`,
      }),
    });
  });
  afterAll(async () => {
    siteverify.close();
    await server.close();
    await database.close();
  });

  test('its token is verified by the provider, without the address of the user', async () => {
    const ip = newAddress();
    const register = (headers: Headers = {}) =>
      server.http.inject({
        ...{ method: 'POST', url: '/user/register', payload: newBody() },
        ...{ remoteAddress: ip, headers },
      });
    for (let i = 0; i < 3; i++) expect((await register()).statusCode).toBe(202);
    expect(forms).toEqual([]);
    expect((await register()).json()).toMatchObject({
      ...{ code: 'challenge_required', challenge_type: provider },
      challenge: { site_key: 'site' },
    });
    const withToken = (token: string) => register({ 'challenge-solution': token });
    expect((await withToken('a bad token')).statusCode).toBe(403);
    expect((await withToken('no answer')).json()).toMatchObject({ code: 'unavailable' });
    expect((await withToken('a good token')).statusCode).toBe(202);
    expect(forms.map((form) => Object.fromEntries(form))).toContainEqual({
      ...{ secret: 'secret', response: 'a good token' },
      ...(provider === 'hcaptcha' && { sitekey: 'site' }),
    });
  });
});
