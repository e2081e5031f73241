import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  createIdentityServer,
  type IdentityServer,
  md5,
  type Person,
} from '../../../test/support/identity-server.ts';
import { createSoftPasskey } from '../../../test/support/soft-passkey.ts';
import type { Database } from '../../db/index.ts';
import { isMoneyFrozen } from '../index.ts';

const DAY_MS = 86_400_000;

describe.each(RUN_ENGINES)('password reset on %s', (engine) => {
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

  const begin = async (email: string): Promise<string> =>
    (await server.post('/user/password/reset', { email })).json<{ reset_ticket: string }>()
      .reset_ticket;
  const verify = async ({ email }: Person, reset_ticket: string) =>
    server.post('/user/password/reset/verify', {
      email,
      reset_ticket,
      validate_code: await server.codeTo(email),
    });
  const complete = (
    { email }: Person,
    reset_ticket: string,
    password: string,
    fields: Record<string, unknown> = {},
  ) =>
    server.post('/user/password/reset/complete', {
      email,
      reset_ticket,
      login_password: md5(password),
      ...fields,
    });

  test('a reset by email alone ends every session and freezes money for a day', async () => {
    const person = await server.signIn(await server.register());
    const ticket = await begin(person.email);
    expect((await complete(person, ticket, 'brand new password')).json()).toMatchObject({
      code: 'invalid_ticket',
    });
    expect((await verify(person, ticket)).json()).toEqual({
      need_two_factor: false,
      two_factor_methods: [],
    });
    expect((await complete(person, ticket, 'password')).json()).toMatchObject({
      status: 400,
      errors: [{ code: 'common_password' }],
    });
    expect((await complete(person, ticket, 'brand new password')).statusCode).toBe(204);
    expect((await complete(person, ticket, 'another new password')).json()).toMatchObject({
      code: 'invalid_ticket',
    });
    const { rows } = await database.query(
      'select end_reason from user_session where user_id = $1',
      [person.userId],
    );
    expect(rows).toEqual([{ end_reason: 'password_reset' }]);
    expect(await isMoneyFrozen(database, server.clock, person.userId)).toBe(true);
    const old = await server.post('/user/login-with-password', {
      email: person.email,
      login_password: md5(person.password),
    });
    expect(old.json()).toMatchObject({ code: 'invalid_credentials' });
    const back = await server.signIn({ ...person, password: 'brand new password' });
    expect((await server.get('/me/second-factors', back.headers)).json()).toMatchObject({
      money_frozen_until: expect.any(String),
    });
    server.clock.advance(DAY_MS + 1);
    expect(await isMoneyFrozen(database, server.clock, person.userId)).toBe(false);
  });

  test('a weak new password is refused before the factor, and the code stays usable', async () => {
    const signedIn = await server.signIn(await server.register());
    await server.enrol(signedIn);
    const reset_ticket = await begin(signedIn.email);
    const validate_code = await server.codeTo(signedIn.email);
    const [name = ''] = signedIn.email.split('@');
    const verifyWith = (code: string, password: string) =>
      server.post('/user/password/reset/verify', {
        email: signedIn.email,
        reset_ticket,
        validate_code: code,
        login_password: md5(password),
      });
    const wrong = validate_code === '000000' ? '111111' : '000000';
    // A caller without the mailbox learns nothing about the names of the account.
    expect((await verifyWith(wrong, name)).json()).toMatchObject({ code: 'invalid_code' });
    expect((await verifyWith(validate_code, 'password')).json()).toMatchObject({
      status: 400,
      errors: [{ code: 'common_password' }],
    });
    expect((await verifyWith(validate_code, name)).json()).toMatchObject({
      status: 400,
      errors: [{ code: 'guessable_password' }],
    });
    expect((await verifyWith(validate_code, 'brand new password')).json()).toEqual({
      need_two_factor: true,
      two_factor_methods: ['AUTHENTICATOR'],
    });
  });

  test('a passkey proves a reset', async () => {
    const signedIn = await server.signIn(await server.register());
    const passkey = createSoftPasskey();
    await passkey.enrol(database, signedIn.userId);
    const reset_ticket = await begin(signedIn.email);
    expect((await verify(signedIn, reset_ticket)).json()).toMatchObject({
      need_two_factor: true,
      two_factor_methods: ['PASSKEY'],
    });
    const options = await server.post('/user/password/reset/passkey-options', {
      email: signedIn.email,
      reset_ticket,
    });
    const { challenge } = options.json<{ challenge: string }>();
    const proof = { method: 'PASSKEY', passkey_credential: passkey.assert(challenge) };
    const done = await complete(signedIn, reset_ticket, 'brand new password', proof);
    expect(done.statusCode).toBe(204);
    expect(await isMoneyFrozen(database, server.clock, signedIn.userId)).toBe(false);
  });

  test('checklist 10: a reset needs the second factor too, and freezes no money', async () => {
    const signedIn = await server.signIn(await server.register());
    const { secret, recoveryCodes } = await server.enrol(signedIn);
    await server.post('/me/email-factor', { enabled: true }, signedIn.headers);
    const ticket = await begin(signedIn.email);
    const code = await server.codeTo(signedIn.email);
    expect((await verify(signedIn, ticket)).json()).toEqual({
      need_two_factor: true,
      two_factor_methods: ['AUTHENTICATOR'],
    });
    expect((await complete(signedIn, ticket, 'brand new password')).json()).toMatchObject({
      status: 400,
      code: 'method_unavailable',
    });
    expect(
      (
        await complete(signedIn, ticket, 'brand new password', {
          method: 'EMAIL',
          validate_code: code,
        })
      ).json(),
    ).toMatchObject({
      code: 'method_unavailable',
    });
    const wrong = server.totpOf(secret) === '000000' ? '111111' : '000000';
    expect(
      (
        await complete(signedIn, ticket, 'brand new password', {
          method: 'AUTHENTICATOR',
          authenticator_code: wrong,
        })
      ).json(),
    ).toMatchObject({
      code: 'invalid_code',
    });
    const proof = { method: 'AUTHENTICATOR', recovery_code: recoveryCodes[3] };
    expect((await complete(signedIn, ticket, 'brand new password', proof)).statusCode).toBe(204);
    expect(await isMoneyFrozen(database, server.clock, signedIn.userId)).toBe(false);
    const login = () =>
      server.post('/user/login-with-password', {
        email: signedIn.email,
        login_password: md5('brand new password'),
      });
    // The owner enabled EMAIL, but right after a reset by email the mailbox would be both factors.
    expect((await login()).json()).toMatchObject({ two_factor_methods: ['AUTHENTICATOR'] });
    server.clock.advance(DAY_MS + 1);
    expect((await login()).json()).toMatchObject({
      two_factor_methods: ['EMAIL', 'AUTHENTICATOR'],
    });
  });

  test('checklist 11: an unknown address gets the same answers', async () => {
    const known = await server.register();
    const [real, decoy] = [await begin(known.email), await begin('unknown@example.test')];
    expect([real.length, decoy.length]).toEqual([43, 43]);
    expect(await server.mailTo('unknown@example.test')).toBeUndefined();
    for (const [email, reset_ticket] of [
      [known.email, real],
      ['unknown@example.test', decoy],
    ]) {
      const guess = (await server.codeTo(known.email)) === '123456' ? '654321' : '123456';
      const answer = await server.post('/user/password/reset/verify', {
        email,
        reset_ticket,
        validate_code: guess,
      });
      expect(answer.json()).toMatchObject({ status: 401, code: 'invalid_code', tries_left: 4 });
      const options = await server.post('/user/password/reset/passkey-options', {
        email,
        reset_ticket,
      });
      expect(options.json()).toMatchObject({ status: 401, code: 'invalid_ticket' });
    }
  });

  test('of parallel proofs with one code and parallel completions exactly one wins', async () => {
    const person = await server.register();
    const ticket = await begin(person.email);
    const proofs = await Promise.all(Array.from({ length: 4 }, () => verify(person, ticket)));
    expect(proofs.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const other = await begin(person.email);
    await verify(person, other);
    const done = await Promise.all(
      ['first password', 'second password', 'third password'].map((password) =>
        complete(person, other, password),
      ),
    );
    expect(done.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1);
  });

  test('wrong codes are counted over all resets of an account', async () => {
    const person = await server.register();
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) {
      const reset_ticket = await begin(person.email);
      const validate_code = (await server.codeTo(person.email)) === '000000' ? '111111' : '000000';
      for (let guess = 0; guess < 5; guess++)
        statuses.push(
          (
            await server.post('/user/password/reset/verify', {
              email: person.email,
              reset_ticket,
              validate_code,
            })
          ).statusCode,
        );
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.slice(-10)).toEqual(Array(10).fill(429));
  });
});
