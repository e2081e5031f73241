import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { createIdentityServer, type IdentityServer } from '../../test/support/identity-server.ts';
import { testConfig } from '../../test/support/test-config.ts';
import type { Database } from '../db/index.ts';
import { readEmail } from './emails.ts';
import { createMailDomains } from './mail-domains.ts';

const check = (address: string, env: Record<string, string> = {}) =>
  createMailDomains(testConfig(env)).check(readEmail(address));

test.each(['x@mailinator.com', 'x@MAILINATOR.com', 'x@sub.mailinator.com', 'x@0-mail.com'])(
  'refuses %s',
  (address) => expect(check(address)).rejects.toThrow('disposable'),
);

test.each([
  'x@example.test',
  'x@gmail.com',
  'x@qq.com',
  'x@mailinator.example.test',
  // Relays that hide the address of a person, who keeps it.
  'x@duck.com',
  'x@mozmail.com',
  'x@privaterelay.appleid.com',
])('takes %s', (address) => expect(check(address)).resolves.toBeUndefined());

test('the operator adds domains, removes some, or removes all', async () => {
  const added = { MAIL_DOMAINS_REFUSED: 'bad.example, worse.example' };
  await expect(check('x@worse.example', added)).rejects.toThrow('disposable');
  await expect(check('x@a.bad.example', added)).rejects.toThrow('disposable');
  const allowed = { ...added, MAIL_DOMAINS_ALLOWED: 'mailinator.com,a.bad.example' };
  await check('x@mailinator.com', allowed);
  await check('x@a.bad.example', allowed);
  const all = { ...added, DISPOSABLE_MAIL: 'accept' };
  await check('x@mailinator.com', all);
  await expect(check('x@bad.example', all)).rejects.toThrow('disposable');
});

describe.each(RUN_ENGINES)('disposable addresses on %s', (engine) => {
  let database: Database;
  let server: IdentityServer;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    server = await createIdentityServer(database);
  });
  afterAll(async () => {
    await server.http.close();
    await database.close();
  });

  test('no account registers with one, and no account changes to one', async () => {
    const address = 'x@mailinator.com';
    const refused = await server.post('/user/register', {
      email: address,
      login_password: server.md5('a long enough password'),
      nickname: 'X',
    });
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ field: 'email', code: 'disposable' }],
    });
    expect(await server.mailTo(address)).toBeUndefined();
    const signedIn = await server.signIn(await server.register());
    const moved = await server.post('/me/email', { email: address }, signedIn.headers);
    expect([moved.statusCode, moved.json()]).toMatchObject([
      400,
      { errors: [{ field: 'email', code: 'disposable' }] },
    ]);
  });
});
