/** Attempts to take over accounts by accounts of other providers, by several requests at once. */
import type { Challenge } from 'altcha-lib';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEvilSignIn, type EvilSignIn, PAGE } from '../../../test/support/evil-sign-in.ts';
import {
  createIdentityServer,
  type IdentityServer,
  type SignedIn,
} from '../../../test/support/identity-server.ts';
import { solve } from '../../../test/support/solve-challenge.ts';
import { testConfig } from '../../../test/support/test-config.ts';
import { transaction } from '../../db/index.ts';
import { lockUser } from '../queries.ts';

let evil: EvilSignIn;
let server: IdentityServer;

beforeAll(async () => {
  evil = await createEvilSignIn();
  server = evil.server;
});
afterAll(() => evil.close());

let people = 0;
/** Who is signed in at the provider. */
function beSomeone(fields: object = {}) {
  const sub = `subject-${++people}`;
  evil.op.claims = { sub, email: `${sub}@example.test`, email_verified: true, ...fields };
  return { sub, email: `${sub}@example.test`, ...fields };
}
beforeEach(async () => {
  beSomeone();
  await evil.setUp();
});

const newOwner = async (): Promise<SignedIn> => server.signIn(await server.register());

const identitiesOf = async ({ headers }: Pick<SignedIn, 'headers'>) =>
  (await server.get('/me/upstream-identities', headers)).json().identities;

const factorsOf = async ({ headers }: Pick<SignedIn, 'headers'>) =>
  (await server.get('/me/second-factors', headers)).json();

async function eventsOf({ headers }: Pick<SignedIn, 'headers'>, type: string) {
  const { records } = (await server.get('/me/security-events?current=1&size=20', headers)).json();
  return records.filter((event: { type: string }) => event.type === type);
}

/** Links the account of the provider in a session. */
async function link(owner: SignedIn) {
  const { callback, own } = await evil.startLink(owner);
  return server.post('/me/upstream-identities', { ...callback }, own);
}

async function proveByMail(email: string, login_ticket: string, cookie: string) {
  const validate_code = await server.codeTo(email);
  const body = { email, login_ticket, method: 'EMAIL', validate_code };
  return server.post('/user/login/2fa', body, { cookie });
}

describe('the mailbox alone', () => {
  test('links an account, and conversions and withdrawals wait for a day', async () => {
    const owner = await newOwner();
    beSomeone({ email: owner.email });
    const { answer, cookie } = await evil.signIn();
    expect(answer.json()).toMatchObject({ two_factor_methods: ['EMAIL'] });
    const { login_ticket } = answer.json();
    expect((await proveByMail(owner.email, login_ticket, cookie)).statusCode).toBe(200);
    const day = new Date(server.clock.now().getTime() + 86_400_000).toISOString();
    expect(await factorsOf(owner)).toMatchObject({ money_frozen_until: day });
    expect((await server.mailTo(owner.email))?.body).toContain('withdrawals wait for 24 hours');
    expect(await eventsOf(owner, 'upstream_linked')).toMatchObject([
      { details: { money_frozen: true } },
    ]);
    // A shorter restriction does not replace it, and a linked account causes none.
    const again = await evil.signIn();
    const second = again.answer.json().login_ticket;
    server.clock.advance(60_000);
    expect((await proveByMail(owner.email, second, again.cookie)).statusCode).toBe(200);
    expect(await factorsOf(owner)).toMatchObject({ money_frozen_until: day });
  });

  test('links nothing to an account with a stronger factor', async () => {
    const owner = await newOwner();
    const { secret } = await server.enrol(owner);
    await server.post('/me/email-factor', { enabled: true }, owner.headers);
    beSomeone({ email: owner.email });
    const { answer, cookie } = await evil.signIn();
    expect(answer.json()).toMatchObject({ two_factor_methods: ['AUTHENTICATOR'] });
    const { login_ticket } = answer.json();
    const body = { email: owner.email, login_ticket };
    await server.post('/user/login/email-code', body, { cookie });
    expect((await proveByMail(owner.email, login_ticket, cookie)).json()).toMatchObject({
      code: 'method_unavailable',
      two_factor_methods: ['AUTHENTICATOR'],
    });
    expect(await identitiesOf(owner)).toEqual([]);
    const proof = { method: 'AUTHENTICATOR', authenticator_code: server.totpOf(secret) };
    const done = await server.post('/user/login/2fa', { ...body, ...proof }, { cookie });
    expect(done.statusCode).toBe(200);
    expect(await factorsOf(owner)).not.toHaveProperty('money_frozen_until');
    // The linked account takes the place of the password, so EMAIL counts as it does with that.
    expect((await evil.signIn()).answer.json()).toMatchObject({
      two_factor_methods: ['EMAIL', 'AUTHENTICATOR'],
    });
  });

  test('a code to an address that was changed meanwhile signs in nowhere', async () => {
    const owner = await newOwner();
    beSomeone({ email: owner.email });
    const { answer, cookie } = await evil.signIn();
    // As if the change had ended between the look for the account and the ticket.
    await evil.database.query('update app_user set email = $2, email_key = $2 where id = $1', [
      owner.userId,
      `new-${owner.email}`,
    ]);
    const { login_ticket } = answer.json();
    expect((await proveByMail(owner.email, login_ticket, cookie)).json()).toMatchObject({
      status: 401,
      code: 'invalid_ticket',
    });
  });
});

describe('login CSRF', () => {
  test('what a program has started is finished by no page', async () => {
    const { url } = await evil.start('evil', {});
    const callback = { provider: 'evil', ...evil.op.visit(url) };
    const finish = (headers: Record<string, string>) =>
      server.post('/user/login/upstream/finish', callback, headers);
    for (const headers of [PAGE, { cookie: `edge-sign-in=${'A'.repeat(43)}` }])
      expect((await finish(headers)).json()).toMatchObject({ code: 'invalid_ticket' });
    const { registration_ticket } = (await finish({})).json();
    expect((await evil.register('', { registration_ticket })).json()).toMatchObject({
      code: 'invalid_ticket',
    });
  });
});

describe('a disabled provider', () => {
  test('ends sign-ins and registrations that it has begun', async () => {
    const { email } = beSomeone();
    const first = await evil.signIn();
    const { registration_ticket } = first.answer.json();
    const registered = await evil.register(first.cookie, { registration_ticket });
    const owner = await newOwner();
    beSomeone({ email: owner.email });
    const known = await evil.signIn();
    await evil.setUp({ isEnabled: false });
    const late = await evil.register(first.cookie, { registration_ticket });
    expect(late.json()).toMatchObject({ code: 'invalid_ticket' });
    const verified = await server.post('/user/register/verify', {
      ...{ email, register_ticket: registered.json().register_ticket },
      validate_code: await server.codeTo(email),
    });
    expect(verified.json()).toMatchObject({ code: 'invalid_ticket' });
    const { login_ticket } = known.answer.json();
    expect((await proveByMail(owner.email, login_ticket, known.cookie)).json()).toMatchObject({
      code: 'invalid_ticket',
    });
  });
});

describe('several requests at once', () => {
  /** Backends that wait for a lock. */
  async function countWaiting(): Promise<number> {
    const { rows } = await evil.database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.count ?? 0;
  }

  test('a sign-in does not link again what is being unlinked', async () => {
    const owner = await newOwner();
    expect((await link(owner)).statusCode).toBe(200);
    await evil.setUp({ secondFactorAmr: ['hwk'] });
    evil.op.claims = { ...evil.op.claims, amr: ['hwk'] };
    const { url, cookie } = await evil.start();
    const callback = { provider: 'evil', ...evil.op.visit(url) };
    let signingIn: ReturnType<typeof evil.finish> | undefined;
    await transaction(evil.database, async (tx) => {
      await lockUser(tx, owner.userId);
      await tx.query('delete from upstream_identity where user_id = $1', [owner.userId]);
      signingIn = evil.finish(callback, cookie);
      await vi.waitFor(async () => expect(await countWaiting()).toBe(1));
    });
    expect((await signingIn)?.json()).toMatchObject({ code: 'invalid_ticket' });
    expect(await identitiesOf(owner)).toEqual([]);
  });

  test('of two registrations with one subject, one creates an account', async () => {
    const { sub } = beSomeone();
    const emails = [`one-${sub}@example.test`, `two-${sub}@example.test`];
    const bodies: Record<string, unknown>[] = [];
    for (const email of emails) {
      beSomeone({ sub, email });
      const { answer, cookie } = await evil.signIn();
      const { registration_ticket } = answer.json();
      const { register_ticket } = (await evil.register(cookie, { registration_ticket })).json();
      bodies.push({ email, register_ticket, validate_code: await server.codeTo(email) });
    }
    const answers = await Promise.all(
      bodies.map((body) => server.post('/user/register/verify', body)),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
    const { rows } = await evil.database.query(
      'select 1 from app_user where email = any($1::text[])',
      [emails],
    );
    expect(rows).toHaveLength(1);
  });

  test('the last of two linked accounts stays when both are unlinked', async () => {
    const owner = await newOwner();
    expect((await link(owner)).statusCode).toBe(200);
    beSomeone();
    expect((await link(owner)).statusCode).toBe(200);
    await evil.database.query('update app_user set password_hash = null where id = $1', [
      owner.userId,
    ]);
    const identities: { id: number }[] = await identitiesOf(owner);
    const answers = await Promise.all(
      identities.map(({ id }) =>
        server.post(`/me/upstream-identities/${id}/delete`, {}, owner.headers),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409]);
    expect(await identitiesOf(owner)).toHaveLength(1);
  });

  test('one account of the provider is linked to one of two users', async () => {
    const owners = [await newOwner(), await newOwner()];
    const answers = await Promise.all(owners.map(link));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });
});

describe('a login ticket', () => {
  test('counts for its account, in its browser, until the account is closed', async () => {
    const owner = await newOwner();
    await link(owner);
    const { answer, cookie } = await evil.signIn();
    const { login_ticket } = answer.json();
    const other = await server.register();
    const validate_code = await server.codeTo(owner.email);
    const prove = async (headers: Record<string, string>, { email } = owner as { email: string }) =>
      server.post(
        '/user/login/2fa',
        { email, login_ticket, method: 'EMAIL', validate_code },
        headers,
      );
    const refused = { status: 401, code: 'invalid_ticket' };
    expect((await prove({})).json()).toMatchObject(refused);
    expect((await prove({ cookie: `edge-sign-in=${'A'.repeat(43)}` })).json()).toMatchObject(
      refused,
    );
    expect((await prove({ cookie }, other)).json()).toMatchObject(refused);
    const login_password = server.md5(owner.password);
    const closed = await server.post('/me/close', { login_password }, owner.headers);
    expect(closed.statusCode).toBe(204);
    expect((await prove({ cookie })).json()).toMatchObject(refused);
    // Its address and its account of the provider are free.
    expect((await evil.signIn()).answer.json().next).toBe('registration');
  });
});

test('an account that is linked again is neither logged nor mailed again', async () => {
  const owner = await newOwner();
  await link(owner);
  const mail = await server.mailTo(owner.email);
  server.clock.advance(1000);
  expect((await link(owner)).statusCode).toBe(200);
  expect(await eventsOf(owner, 'upstream_linked')).toHaveLength(1);
  expect(await server.mailTo(owner.email)).toEqual(mail);
});

test('sign-ins use up none of the registrations of their network, and give none back', async () => {
  const hits = async () => {
    const { rows } = await evil.database.query<{ hits: number }>(
      "select coalesce(sum(hits), 0)::int as hits from rate_limit where subject like 'begin-ip%'",
    );
    return rows[0]?.hits;
  };
  const before = await hits();
  const { url, cookie } = await evil.start();
  // The provider gives as many codes for one request as it is asked for.
  for (let i = 0; i < 3; i++) {
    const answer = await evil.finish({ provider: 'evil', ...evil.op.visit(url) }, cookie);
    expect(answer.statusCode).toBe(200);
  }
  expect(await hits()).toBe(before);
});

test('a disposable address is not registered by this door', async () => {
  beSomeone({ email: 'ada@mailinator.com' });
  const { answer, cookie } = await evil.signIn();
  const { registration_ticket } = answer.json();
  expect((await evil.register(cookie, { registration_ticket })).json()).toMatchObject({
    status: 400,
    code: 'invalid_parameter',
  });
});

test('a program that registers many accounts solves challenges', async () => {
  const strict = createIdentityServer(evil.database, {
    config: testConfig(),
    challengeIterations: 1,
  });
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    strict.http.inject({ method: 'POST', url, payload, headers, remoteAddress: '198.18.1.7' });
  const sent: number[] = [];
  let asked: { code?: string; challenge?: Challenge } = {};
  let again = async (_headers: Record<string, string>): Promise<number> => 0;
  while (asked.code !== 'challenge_required') {
    beSomeone({ email: `bot${people}@bots${people}.example` });
    const started = await post('/user/login/upstream', { provider: 'evil' }, PAGE);
    const cookie = String(started.headers['set-cookie']).split(';')[0] ?? '';
    const callback = { provider: 'evil', ...evil.op.visit(started.json().authorization_url) };
    const finished = await post('/user/login/upstream/finish', callback, { cookie });
    const body = { registration_ticket: finished.json().registration_ticket, nickname: 'Bot' };
    again = async (headers) =>
      (await post('/user/register/upstream', body, { cookie, ...headers })).statusCode;
    const answer = await post('/user/register/upstream', body, { cookie });
    sent.push(answer.statusCode);
    asked = answer.json();
  }
  expect(sent).toEqual([202, 202, 202, 403]);
  if (!asked.challenge) throw new Error('no challenge was sent');
  expect(await again({ 'challenge-solution': await solve(asked.challenge) })).toBe(202);
  await strict.close();
});

test('starts of sign-ins are limited by network', async () => {
  const start = async () => {
    const answer = await server.post('/user/login/upstream', { provider: 'evil' }, PAGE);
    return answer.json();
  };
  let answer = await start();
  for (let i = 0; i < 100 && answer.code === undefined; i++) answer = await start();
  expect(answer).toMatchObject({ status: 429, code: 'rate_limited' });
  server.clock.advance(60_000);
  expect(await start()).toHaveProperty('authorization_url');
});
