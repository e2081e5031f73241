/** Sign-in by a passkey alone, and attacks on it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  createIdentityServer,
  type IdentityServer,
  type Person,
} from '../../../test/support/identity-server.ts';
import { createSoftPasskey, type SoftPasskey } from '../../../test/support/soft-passkey.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import type { Database } from '../../db/index.ts';
import { userHandle } from '../second-factors/passkeys.ts';

const BROWSER = { 'sec-fetch-site': 'same-origin' };
const USER_PRESENT_ONLY = 0x01;

interface Started {
  readonly challenge: string;
  readonly options: { challenge: string; userVerification: string; allowCredentials?: unknown[] };
  readonly cookie: string;
}
type AssertOptions = Parameters<SoftPasskey['assert']>[1];

describe.each(RUN_ENGINES)('sign-in by passkey on %s', (engine) => {
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

  const handleOf = (userId: number): string =>
    Buffer.from(userHandle(testMasterKey, userId)).toString('base64url');

  async function newOwner(): Promise<Person & { passkey: SoftPasskey }> {
    const person = await server.register();
    const passkey = createSoftPasskey();
    await passkey.enrol(database, person.userId);
    return { ...person, passkey };
  }

  async function start(headers: Record<string, string> = BROWSER): Promise<Started> {
    const answer = await server.post('/user/login/passkey', {}, headers);
    expect(answer.statusCode).toBe(200);
    return {
      ...answer.json<Omit<Started, 'cookie'>>(),
      cookie: String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '',
    };
  }

  const send = ({ challenge, cookie }: Started, passkey_credential: object, own = cookie) =>
    server.post(
      '/user/login/passkey/finish',
      { challenge, passkey_credential },
      own === '' ? {} : { cookie: own },
    );

  const assert = (
    { userId, passkey }: Person & { passkey: SoftPasskey },
    { options }: Started,
    more: AssertOptions = {},
  ) => passkey.assert(options.challenge, { userHandle: handleOf(userId), ...more });

  async function eventsOf(userId: number): Promise<string[]> {
    const { rows } = await database.query<{ type: string }>(
      'select type from security_event where user_id = $1 order by id',
      [userId],
    );
    return rows.map(({ type }) => type);
  }

  test('opens a session without password or code', async () => {
    const owner = await newOwner();
    const started = await start();
    expect(started.options).toMatchObject({ userVerification: 'required', rpId: 'localhost' });
    expect(started.options.allowCredentials ?? []).toEqual([]);
    const answer = await send(started, assert(owner, started));
    expect(answer.json()).toMatchObject({ email: owner.email, expire: expect.any(Number) });
    const { access_token } = answer.json<{ access_token: string }>();
    expect(JSON.parse(access_token)).toMatchObject({
      userId: owner.userId,
      amr: ['hwk', 'user', 'mfa'],
    });
    expect(await eventsOf(owner.userId)).toContain('signed_in');
  });

  test('a program without a cookie can sign in by its own challenge', async () => {
    const owner = await newOwner();
    const started = await start({});
    expect(started.cookie).toBe('');
    expect((await send(started, assert(owner, started))).statusCode).toBe(200);
  });

  test('of parallel requests with one challenge exactly one gets tokens', async () => {
    const owner = await newOwner();
    const started = await start();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send(started, assert(owner, started))),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      200,
      ...Array(7).fill(401),
    ]);
    expect((await send(started, assert(owner, started))).json()).toMatchObject({
      code: 'invalid_ticket',
    });
  });

  test('a passkey that did not verify its user is one factor, and not enough', async () => {
    const owner = await newOwner();
    const started = await start();
    const answer = await send(started, assert(owner, started, { flags: USER_PRESENT_ONLY }));
    expect(answer.json()).toMatchObject({ status: 401, code: 'passkey_invalid' });
    expect(await eventsOf(owner.userId)).toContain('second_factor_failed');
    // The challenge is still there for another try.
    expect((await send(started, assert(owner, started))).statusCode).toBe(200);
  });

  test.each<[string, AssertOptions]>([
    ['another site', { origin: 'https://evil.test' }],
    ['another relying party', { rpId: 'evil.test' }],
  ])('an assertion for %s is refused', async (_what, options) => {
    const owner = await newOwner();
    const started = await start();
    const answer = await send(started, assert(owner, started, options));
    expect(answer.json()).toMatchObject({ status: 401, code: 'passkey_invalid' });
  });

  test('an assertion over another challenge, or with another key, is refused', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const [started, later] = [await start(), await start()];
    expect((await send(started, assert(owner, later))).json()).toMatchObject({
      code: 'passkey_invalid',
    });
    const stolen = { ...assert(other, started), id: owner.passkey.id, rawId: owner.passkey.id };
    stolen.response = { ...stolen.response, userHandle: handleOf(owner.userId) };
    expect((await send(started, stolen)).json()).toMatchObject({ code: 'passkey_invalid' });
  });

  test('a passkey that names no account, or another one, opens none', async () => {
    const [owner, victim] = [await newOwner(), await newOwner()];
    const started = await start();
    for (const answer of [
      await send(started, owner.passkey.assert(started.options.challenge)),
      await send(started, assert(owner, started, { userHandle: handleOf(victim.userId) })),
      await send(started, createSoftPasskey().assert(started.options.challenge)),
    ])
      expect(answer.json()).toMatchObject({ status: 401, code: 'passkey_unknown' });
  });

  test('a removed passkey opens nothing', async () => {
    const owner = await newOwner();
    const started = await start();
    await database.query('delete from passkey where user_id = $1', [owner.userId]);
    expect((await send(started, assert(owner, started))).json()).toMatchObject({
      code: 'passkey_unknown',
    });
  });

  test('a challenge is of its browser, and expires', async () => {
    const owner = await newOwner();
    const started = await start();
    for (const cookie of ['', (await start()).cookie])
      expect((await send(started, assert(owner, started), cookie)).json()).toMatchObject({
        status: 401,
        code: 'invalid_ticket',
      });
    // A page that an attacker has started has no use for the victim's browser either.
    const foreign = await start({});
    expect((await send(foreign, assert(owner, foreign), started.cookie)).json()).toMatchObject({
      code: 'invalid_ticket',
    });
    server.clock.advance(601_000);
    expect((await send(started, assert(owner, started))).json()).toMatchObject({
      code: 'invalid_ticket',
    });
  });

  test('a forged or foreign challenge is refused', async () => {
    const owner = await newOwner();
    const started = await start();
    // Of the last character some bits mean nothing.
    const first = started.challenge.startsWith('A') ? 'B' : 'A';
    const flipped = `${first}${started.challenge.slice(1)}`;
    for (const challenge of ['x', flipped, started.options.challenge])
      expect((await send({ ...started, challenge }, assert(owner, started))).json()).toMatchObject({
        code: 'invalid_ticket',
      });
  });

  test('a disabled account is not opened, and its challenge is not spent', async () => {
    const owner = await newOwner();
    const started = await start();
    await database.query("update app_user set status = 'disabled' where id = $1", [owner.userId]);
    expect((await send(started, assert(owner, started))).json()).toMatchObject({
      status: 403,
      code: 'account_disabled',
    });
    await database.query("update app_user set status = 'active' where id = $1", [owner.userId]);
    expect((await send(started, assert(owner, started))).statusCode).toBe(200);
  });

  test('a cloned authenticator, whose counter goes back, is refused', async () => {
    const owner = await newOwner();
    const [first, second] = [await start(), await start()];
    const earlier = assert(owner, second);
    expect((await send(first, assert(owner, first))).statusCode).toBe(200);
    expect((await send(second, earlier)).json()).toMatchObject({ code: 'passkey_invalid' });
  });

  test('wrong attempts of one address are limited', async () => {
    const owner = await newOwner();
    const started = await start();
    const from = { 'x-forwarded-for': '203.0.113.77', cookie: started.cookie };
    const attempt = async () =>
      (
        await server.http.inject({
          method: 'POST',
          url: '/user/login/passkey/finish',
          remoteAddress: '203.0.113.77',
          headers: from,
          payload: {
            challenge: started.challenge,
            passkey_credential: owner.passkey.assert(started.options.challenge),
          },
        })
      ).json<{ code: string }>().code;
    for (let i = 0; i < 100; i++) expect(await attempt()).toBe('passkey_unknown');
    expect(await attempt()).toBe('rate_limited');
  });
});
