/** Sign-in with accounts of another OpenID provider, and attacks on it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/databases.ts';
import {
  createIdentityServer,
  type IdentityServer,
} from '../../../test/support/identity-server.ts';
import { testConfig, testMasterKey } from '../../../test/support/test-config.ts';
import {
  startUpstreamOp,
  UPSTREAM_SECRET,
  type UpstreamOp,
} from '../../../test/support/upstream-op.ts';
import { type Database, transaction } from '../../db/index.ts';
import { putProvider } from './provider-store.ts';

const config = testConfig({ CHALLENGE: 'off' });
const redirectUris = ['other', 'wrong', 'gone'].map(
  (id) => new URL(`/sign-in/upstream/${id}`, config.BASE_URL).href,
);
const BROWSER = { 'sec-fetch-site': 'same-origin' };

let database: Database;
let server: IdentityServer;
let op: UpstreamOp;

interface Settings {
  id?: string;
  secondFactorAmr?: string[];
  isEnabled?: boolean;
  credential?: { secret: string };
  responseMode?: 'query' | 'form_post';
}

const setUp = ({ id = 'other', ...settings }: Settings = {}) =>
  transaction(database, (tx) =>
    putProvider(
      tx,
      { clock: server.clock, masterKey: testMasterKey },
      {
        ...{ id, label: 'Other', issuer: op.issuer, clientId: 'edge' },
        ...{ credential: { secret: UPSTREAM_SECRET }, scopes: ['openid', 'email', 'profile'] },
        ...{ secondFactorAmr: [], responseMode: 'query', isEnabled: true, ...settings },
      },
    ),
  );

beforeAll(async () => {
  database = await openTestDatabase('server');
  op = await startUpstreamOp(...redirectUris);
  server = createIdentityServer(database, { config });
});
afterAll(async () => {
  await server.close();
  await op.close();
  await database.close();
});

let people = 0;
/** A new user, signed in at the provider. */
function newPerson(fields: object = {}) {
  const sub = `subject-${++people}`;
  op.person = { sub, email: `${sub}@example.test`, email_verified: true, name: 'Ada', ...fields };
  return { ...op.person, email: String(op.person.email) };
}

async function start(headers: Record<string, string> = BROWSER, provider = 'other') {
  server.clock.advance(1000);
  const answer = await server.post('/user/login/upstream', { provider }, headers);
  const cookie = String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  const { authorization_url } = answer.json<{ authorization_url: string }>();
  return { answer, authorization_url, cookie };
}

/** Signs in at the provider, and returns to this service. */
async function signIn() {
  const { authorization_url, cookie } = await start();
  const callback = await op.visit(authorization_url);
  return { cookie, callback, answer: await finish(callback, cookie) };
}

const finish = (callback: object, cookie?: string) =>
  server.post('/user/login/upstream/finish', { ...callback }, cookie ? { cookie } : {});

const register = (registration_ticket: string, cookie: string, fields: object = {}) =>
  server.post(
    '/user/register/upstream',
    { registration_ticket, nickname: 'Ada', ...fields },
    { cookie },
  );

async function prove(email: string, login_ticket: string, cookie: string) {
  const validate_code = await server.codeTo(email);
  const body = { email, login_ticket, method: 'EMAIL', validate_code };
  return server.post('/user/login/2fa', body, { cookie });
}

/** Creates the account of a registration with the mailed code, and signs in with the same. */
async function verify(email: string, register_ticket: string, cookie: string) {
  const validate_code = await server.codeTo(email);
  const body = { email, register_ticket, validate_code };
  const verified = await server.post('/user/register/verify', body, { cookie, ...BROWSER });
  if (verified.statusCode !== 200) return verified;
  const { login_ticket } = verified.json();
  const proof = { email, login_ticket, method: 'EMAIL', validate_code };
  return server.post('/user/login/2fa', proof, { cookie });
}

/** A new account with a linked account of the provider. */
async function signUp(fields: object = {}) {
  const person = newPerson(fields);
  const { answer, cookie } = await signIn();
  const { registration_ticket } = answer.json();
  const { register_ticket } = (await register(registration_ticket, cookie)).json();
  const { access_token } = (await verify(person.email, register_ticket, cookie)).json();
  const { sid, userId, amr } = JSON.parse(access_token);
  const headers = server.headersOf({ userId, email: person.email, password: '' }, sid);
  return { ...person, userId, sid, amr, headers };
}

async function countUsers(email: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'select count(*)::int as count from app_user where email = $1',
    [email],
  );
  return rows[0]?.count ?? 0;
}

const identitiesOf = async (headers: Record<string, string>) =>
  (await server.get('/me/upstream-identities', headers)).json().identities;

describe('sign-in', () => {
  beforeAll(() => setUp());

  test('a new person gets an account without a password, and signs in again', async () => {
    const person = newPerson();
    const first = await signIn();
    expect(first.answer.json()).toEqual({
      next: 'registration',
      registration_ticket: expect.any(String),
      email: person.email,
      name: 'Ada',
    });
    const { registration_ticket } = first.answer.json();
    const registered = await register(registration_ticket, first.cookie);
    expect(registered.json()).toEqual({
      email: person.email,
      register_ticket: expect.any(String),
    });
    // What the provider says of the mailbox creates nothing.
    expect(await countUsers(person.email)).toBe(0);
    const done = await verify(person.email, registered.json().register_ticket, first.cookie);
    const { amr, userId, sid } = JSON.parse(done.json().access_token);
    expect(amr).toEqual(['fed', 'email', 'mfa']);
    expect((await server.mailTo(person.email))?.body).toContain('your account at Other can be');
    const headers = server.headersOf({ userId, email: person.email, password: '' }, sid);
    const factors = await server.get('/me/second-factors', headers);
    expect(factors.json()).not.toHaveProperty('money_frozen_until');
    const [identity] = await identitiesOf(headers);
    expect(identity).toMatchObject({ name: 'Other', issuer: op.issuer, email: person.email });
    // The address at the provider may change: the subject names the account.
    op.person = { ...op.person, email: 'changed@example.test', email_verified: false };
    const again = await signIn();
    expect(again.answer.json()).toMatchObject({ next: 'second_factor', email: person.email });
    const second = await prove(person.email, again.answer.json().login_ticket, again.cookie);
    expect(JSON.parse(second.json().access_token).userId).toBe(userId);
    const events = await server.get('/me/security-events?current=1&size=20', headers);
    const log = events.json().records;
    expect(log.filter(({ type }: { type: string }) => type === 'upstream_linked')).toHaveLength(1);
  });

  test('an account with the same address is linked by its second factor only', async () => {
    const person = await server.signIn(await server.register());
    newPerson({ email: person.email.toUpperCase() });
    const { answer, cookie } = await signIn();
    expect(answer.json()).toMatchObject({ next: 'second_factor', email: person.email });
    expect(await identitiesOf(person.headers)).toEqual([]);
    expect((await prove(person.email, answer.json().login_ticket, cookie)).statusCode).toBe(200);
    expect(await identitiesOf(person.headers)).toHaveLength(1);
  });

  test('an address that the provider has not verified opens and creates no account', async () => {
    const person = await server.register();
    for (const email_verified of [false, undefined, 'false']) {
      for (const email of [person.email, 'new-one@example.test', 'not an address', undefined]) {
        newPerson({ email, email_verified });
        expect((await signIn()).answer.json()).toMatchObject({
          status: 403,
          code: 'upstream_email_unverified',
        });
      }
    }
  });

  test('the second factor of the provider counts where the operator says so', async () => {
    const person = await signUp({ amr: ['pwd'] });
    await setUp({ secondFactorAmr: ['mfa', 'hwk'] });
    op.person = { ...op.person, amr: ['pwd'] };
    expect((await signIn()).answer.json().next).toBe('second_factor');
    op.person = { ...op.person, amr: ['pwd', 'hwk'] };
    const { answer } = await signIn();
    expect(answer.json()).toMatchObject({ next: 'signed_in', email: person.email });
    expect(JSON.parse(answer.json().access_token)).toMatchObject({ userId: person.userId });
    // An account that is not linked yet needs the factor of this service.
    const owner = await server.register();
    newPerson({ email: owner.email, amr: ['hwk'] });
    expect((await signIn()).answer.json().next).toBe('second_factor');
    await setUp();
  });

  test('an account that has an authenticator asks for it', async () => {
    const person = await server.signIn(await server.register());
    const { secret } = await server.enrol(person);
    newPerson({ email: person.email });
    const { answer, cookie } = await signIn();
    expect(answer.json().two_factor_methods).toEqual(['AUTHENTICATOR']);
    const body = { email: person.email, login_ticket: answer.json().login_ticket };
    const proof = { method: 'AUTHENTICATOR', authenticator_code: server.totpOf(secret) };
    expect(
      (await server.post('/user/login/2fa', { ...body, ...proof }, { cookie })).statusCode,
    ).toBe(200);
  });

  test('a referral code, a name, and a taken address', async () => {
    const referrer = await server.register();
    const { rows } = await database.query<{ referral_code: string }>(
      'select referral_code from app_user where id = $1',
      [referrer.userId],
    );
    newPerson();
    const { answer, cookie } = await signIn();
    const { registration_ticket: ticket } = answer.json();
    expect((await register(ticket, cookie, { referral_code: 'NONE' })).json()).toMatchObject({
      code: 'invalid_parameter',
    });
    expect((await register(ticket, cookie, { nickname: ' ' })).json()).toMatchObject({
      code: 'invalid_parameter',
    });
    const referral_code = rows[0]?.referral_code.toLowerCase();
    const registered = await register(ticket, cookie, { referral_code });
    expect(registered.statusCode).toBe(202);
    const { email, register_ticket } = registered.json();
    expect((await verify(email, register_ticket, cookie)).statusCode).toBe(200);
    const { rows: users } = await database.query<{ referrer_id: number }>(
      'select referrer_id from app_user where email = $1',
      [email],
    );
    expect(users).toEqual([{ referrer_id: referrer.userId }]);
    expect((await register(ticket, cookie)).json()).toMatchObject({ code: 'invalid_ticket' });
  });

  test('a provider may send the browser back by a form', async () => {
    await setUp({ responseMode: 'form_post' });
    const person = newPerson();
    const { authorization_url, cookie } = await start();
    const { code, state, iss } = await op.visit(authorization_url);
    const post = (form: Record<string, string>) =>
      server.http.inject({
        ...{ method: 'POST', url: '/sign-in/upstream/other' },
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(form).toString(),
      });
    const answer = await post({ code, state, iss, user: '{"name":"Ada"}' });
    expect(answer.statusCode).toBe(303);
    const { pathname, searchParams } = new URL(String(answer.headers.location), config.BASE_URL);
    expect(pathname).toBe('/sign-in/upstream/other');
    expect([...searchParams.keys()]).toEqual(['state', 'code', 'iss']);
    const callback = { provider: 'other', ...Object.fromEntries(searchParams) };
    expect((await finish(callback, cookie)).json()).toMatchObject({ email: person.email });
    const refused = await post({ error: 'user_cancelled_authorize', state });
    expect(refused.headers.location).toContain('error=user_cancelled_authorize');
    expect((await post({ code: 'x'.repeat(20_000) })).statusCode).toBe(413);
    await setUp();
  });

  test('a disabled account stays out, a disabled provider is not offered', async () => {
    const person = await signUp();
    await setUp({ secondFactorAmr: ['hwk'] });
    op.person = { ...op.person, amr: ['hwk'] };
    await database.query("update app_user set status = 'disabled' where id = $1", [person.userId]);
    expect((await signIn()).answer.json()).toMatchObject({ code: 'account_disabled' });
    await setUp({ isEnabled: false });
    expect((await start()).answer.json()).toMatchObject({ code: 'not_found' });
    expect((await server.get('/user/login/upstream')).json()).toEqual({ providers: [] });
    await setUp();
    expect((await server.get('/user/login/upstream')).json()).toEqual({
      providers: [{ id: 'other', label: 'Other' }],
    });
  });
});

describe('attacks', () => {
  beforeAll(() => setUp());

  test('a callback counts in the browser that started, once, for 15 minutes', async () => {
    newPerson();
    const { authorization_url, cookie } = await start();
    const callback = await op.visit(authorization_url);
    const foreign = `edge-sign-in=${'A'.repeat(43)}`;
    for (const other of [undefined, foreign])
      expect((await finish(callback, other)).json()).toMatchObject({ code: 'invalid_ticket' });
    expect((await finish(callback, cookie)).json().next).toBe('registration');
    expect((await finish(callback, cookie)).json()).toMatchObject({ code: 'upstream_refused' });
    const late = await start();
    const lateCallback = await op.visit(late.authorization_url);
    server.clock.advance(901_000);
    expect((await finish(lateCallback, late.cookie)).json()).toMatchObject({
      code: 'invalid_ticket',
    });
  });

  test('a code of another request, of another issuer, and a forged state', async () => {
    newPerson();
    const [one, two] = [await start(), await start()];
    const [a, b] = [await op.visit(one.authorization_url), await op.visit(two.authorization_url)];
    // PKCE and the nonce bind a code to its request.
    expect((await finish({ ...a, code: b.code }, one.cookie)).json()).toMatchObject({
      status: 401,
      code: 'upstream_refused',
    });
    const iss = 'https://attacker.test';
    expect((await finish({ ...b, iss }, two.cookie)).json()).toMatchObject({
      code: 'upstream_refused',
    });
    for (const state of ['x', 'A'.repeat(400), `${a.state.slice(0, -4)}AAAA`])
      expect((await finish({ ...a, state }, one.cookie)).json()).toMatchObject({
        code: 'invalid_ticket',
      });
  });

  test('a subject, an address or a name that no account may have', async () => {
    const long = 'x'.repeat(256);
    for (const sub of [long, 'a\u0000b', 'ä']) {
      newPerson({ sub });
      expect((await signIn()).answer.json()).toMatchObject({ code: 'upstream_refused' });
    }
    for (const email of ['a\u0000@example.test', `${long}@example.test`, '\ud800@example.test']) {
      const person = await signUp();
      op.person = { ...op.person, email };
      const { answer, cookie } = await signIn();
      const { login_ticket } = answer.json();
      expect((await prove(person.email, login_ticket, cookie)).statusCode).toBe(200);
      const [identity] = await identitiesOf(person.headers);
      expect(identity).not.toHaveProperty('email');
    }
    newPerson({ name: `<b>\u202e${'n'.repeat(5000)}` });
    const { answer } = await signIn();
    expect(answer.json().name).toHaveLength(200);
  });

  test('a registration ticket counts in its browser, and only there', async () => {
    newPerson();
    const { answer, cookie } = await signIn();
    const { registration_ticket } = answer.json();
    const foreign = `edge-sign-in=${'A'.repeat(43)}`;
    expect((await register(registration_ticket, foreign)).json()).toMatchObject({
      code: 'invalid_ticket',
    });
    // One kind of token is not another one.
    expect(
      (await finish({ provider: 'other', state: registration_ticket, code: 'x' }, cookie)).json(),
    ).toMatchObject({
      code: 'invalid_ticket',
    });
  });

  test('an account of the provider belongs to one account here', async () => {
    const owner = await signUp();
    const other = await server.signIn(await server.register());
    const headers = { ...other.headers, ...BROWSER };
    const started = await server.post(
      '/me/upstream-identities/start',
      { provider: 'other' },
      headers,
    );
    const cookie = String(started.headers['set-cookie']).split(';')[0] ?? '';
    const callback = await op.visit(started.json().authorization_url);
    const link = (person: { headers: Record<string, string> }) =>
      server.post('/me/upstream-identities', { ...callback }, { ...person.headers, cookie });
    // Another session cannot use what this one started.
    expect((await link(owner)).json()).toMatchObject({ code: 'invalid_ticket' });
    // A link is no sign-in.
    expect((await finish(callback, cookie)).json()).toMatchObject({ code: 'invalid_ticket' });
    expect((await link(other)).json()).toMatchObject({
      status: 409,
      code: 'upstream_identity_taken',
    });
  });

  test('a provider that is gone, or does not know the client', async () => {
    newPerson();
    await setUp({ id: 'wrong', credential: { secret: 'a wrong secret' } });
    const { authorization_url, cookie } = await start(BROWSER, 'wrong');
    const callback = await op.visit(authorization_url);
    expect((await finish(callback, cookie)).json()).toMatchObject({ code: 'upstream_refused' });
    const person = await server.signIn(await server.register());
    const link = (callback: object, own: string) =>
      server.post('/me/upstream-identities', { ...callback }, { ...person.headers, cookie: own });
    const startLink = (provider: string) =>
      server.post(
        '/me/upstream-identities/start',
        { provider },
        { ...person.headers, ...BROWSER, cookie },
      );
    const refused = await op.visit((await startLink('wrong')).json().authorization_url);
    expect((await link(refused, cookie)).json()).toMatchObject({ code: 'upstream_refused' });
    expect((await startLink('unknown')).json()).toMatchObject({ code: 'not_found' });
    // The operator removes the provider meanwhile.
    const [late, lateLink] = [await start(BROWSER, 'wrong'), await startLink('wrong')];
    await database.query("delete from upstream_provider where id = 'wrong'");
    const lateBack = await op.visit(late.authorization_url);
    expect((await finish(lateBack, late.cookie)).json()).toMatchObject({ code: 'not_found' });
    const linkBack = await op.visit(lateLink.json().authorization_url);
    expect((await link(linkBack, cookie)).json()).toMatchObject({ code: 'not_found' });
    const gone = await startUpstreamOp(...redirectUris);
    await database.query(
      `insert into upstream_provider select 'gone', label, $1, client_id, null, scopes,
         second_factor_amr, response_mode, true, created_at, updated_at
       from upstream_provider where id = 'other'`,
      [gone.issuer],
    );
    const waiting = await start(BROWSER, 'gone');
    const back = await gone.visit(waiting.authorization_url);
    const linkGone = await gone.visit((await startLink('gone')).json().authorization_url);
    await gone.close();
    expect((await link(linkGone, cookie)).json()).toMatchObject({ code: 'upstream_unreachable' });
    expect((await finish(back, waiting.cookie)).json()).toMatchObject({
      status: 503,
      code: 'upstream_unreachable',
    });
    server.clock.advance(3600_000);
    const { headers } = await server.signIn(person);
    const again = await server.post(
      '/me/upstream-identities/start',
      { provider: 'gone' },
      { ...headers, ...BROWSER },
    );
    expect(again.json()).toMatchObject({ code: 'upstream_unreachable' });
    expect((await start(BROWSER, 'gone')).answer.json()).toMatchObject({
      code: 'upstream_unreachable',
    });
  });
});

describe('links', () => {
  beforeAll(() => setUp());

  test('are made and ended after a fresh proof, and the last way in stays', async () => {
    const person = await signUp();
    const [identity] = await identitiesOf(person.headers);
    const unlink = () =>
      server.post(`/me/upstream-identities/${identity.id}/delete`, {}, person.headers);
    expect((await unlink()).json()).toMatchObject({ status: 409, code: 'last_sign_in_method' });
    expect(await identitiesOf(person.headers)).toHaveLength(1);
    await database.query("update app_user set password_hash = 'x' where id = $1", [person.userId]);
    expect((await unlink()).statusCode).toBe(204);
    expect((await unlink()).json()).toMatchObject({ code: 'not_found' });
    const headers = { ...person.headers, ...BROWSER };
    const begin = (own: Record<string, string>) =>
      server.post('/me/upstream-identities/start', { provider: 'other' }, own);
    const started = await begin(headers);
    const cookie = String(started.headers['set-cookie']).split(';')[0] ?? '';
    const callback = await op.visit(started.json().authorization_url);
    const linked = await server.post(
      '/me/upstream-identities',
      { ...callback },
      { ...headers, cookie },
    );
    expect(linked.json().identities).toHaveLength(1);
    server.clock.advance(3600_000);
    const old = new Date(server.clock.now().getTime() - 3600_000);
    const stale = {
      ...server.headersOf({ ...person, password: '' }, person.sid, old),
      ...BROWSER,
    };
    for (const answer of [
      await begin(stale),
      await server.post(`/me/upstream-identities/${identity.id}/delete`, {}, stale),
    ])
      expect(answer.json()).toMatchObject({ code: 'reauthentication_required' });
  });
});
