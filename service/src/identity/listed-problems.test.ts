/** Problems that the API lists for an operation, and that no test of its own causes there. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import {
  createIdentityServer,
  type IdentityServer,
  type SignedIn,
} from '../../test/support/identity-server.ts';
import { createSoftPasskey } from '../../test/support/soft-passkey.ts';
import { testConfig } from '../../test/support/test-config.ts';
import type { Database } from '../db/index.ts';

let database: Database;
let server: IdentityServer;
beforeAll(async () => {
  database = await openTestDatabase('server');
  server = createIdentityServer(database, { config: testConfig({ CHALLENGE: 'off' }) });
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const newUser = async (): Promise<SignedIn> => server.signIn(await server.register());
const codeOf = async (url: string, body: object, headers = {}): Promise<string> =>
  (await server.post(url, body as Record<string, unknown>, headers)).json().code;
async function reauthenticate({ password, headers }: SignedIn): Promise<string> {
  const body = { login_password: server.md5(password) };
  return (await server.post('/me/reauthenticate', body, headers)).json().login_ticket;
}

test('a method that the user does not have', async () => {
  const user = await newUser();
  const { email, headers } = user;
  const login_ticket = await server.ticketOf(user);
  const own = await reauthenticate(user);
  expect(await codeOf('/user/login/passkey-options', { email, login_ticket })).toBe(
    'method_unavailable',
  );
  const begun = await server.post('/user/password/reset', { email });
  const { reset_ticket } = begun.json();
  const validate_code = await server.codeTo(email);
  await server.post('/user/password/reset/verify', { email, reset_ticket, validate_code });
  expect(await codeOf('/user/password/reset/passkey-options', { email, reset_ticket })).toBe(
    'method_unavailable',
  );
  expect(await codeOf('/me/reauthenticate/passkey-options', { login_ticket: own }, headers)).toBe(
    'method_unavailable',
  );
  const withCode = { login_ticket: own, method: 'AUTHENTICATOR', authenticator_code: '123456' };
  expect(await codeOf('/me/reauthenticate/2fa', withCode, headers)).toBe('method_unavailable');
});

test('a code by mail for a user whose authenticator has replaced it', async () => {
  const user = await newUser();
  await server.enrol(user);
  const { email, headers } = user;
  const login_ticket = await server.ticketOf(user);
  expect(await codeOf('/user/login/email-code', { email, login_ticket })).toBe(
    'method_unavailable',
  );
  const own = await reauthenticate(user);
  expect(await codeOf('/me/reauthenticate/email-code', { login_ticket: own }, headers)).toBe(
    'method_unavailable',
  );
});

test('a wrong code of a reauthentication, and more codes than are mailed', async () => {
  const user = await newUser();
  const login_ticket = await reauthenticate(user);
  const right = await server.codeTo(user.email);
  const validate_code = right === '000000' ? '000001' : '000000';
  const wrong = { login_ticket, method: 'EMAIL', validate_code };
  expect(await codeOf('/me/reauthenticate/2fa', wrong, user.headers)).toBe('invalid_code');
  await expect
    .poll(() => codeOf('/me/reauthenticate/email-code', { login_ticket }, user.headers))
    .toBe('rate_limited');
});

test('an account that was disabled meanwhile', async () => {
  const user = await newUser();
  const login_ticket = await reauthenticate(user);
  const validate_code = await server.codeTo(user.email);
  const { email } = user;
  const { reset_ticket } = (await server.post('/user/password/reset', { email })).json();
  const reset = { email, reset_ticket, validate_code: await server.codeTo(email) };
  await database.query(`update app_user set status = 'disabled' where id = $1`, [user.userId]);
  const own = { login_ticket, method: 'EMAIL', validate_code };
  expect(await codeOf('/me/reauthenticate/2fa', own, user.headers)).toBe('account_disabled');
  const login_password = server.md5('another long password');
  await server.post('/user/password/reset/verify', reset);
  expect(
    await codeOf('/user/password/reset/complete', { email, reset_ticket, login_password }),
  ).toBe('account_disabled');
});

test('a second authenticator', async () => {
  const user = await newUser();
  await server.post('/me/authenticator', {}, user.headers);
  await server.enrol(user);
  const authenticator_code = '123456';
  expect(await codeOf('/me/authenticator/confirm', { authenticator_code }, user.headers)).toBe(
    'already_enrolled',
  );
});

test('a token of a user who does not exist', async () => {
  const unknown = { userId: 999_999, email: 'unknown@example.test', password: 'none' };
  const headers = server.headersOf(unknown, 'no-session');
  const login_password = server.md5('a password');
  const changed = { login_password, new_login_password: server.md5('another password') };
  expect(await codeOf('/me/password', changed, headers)).toBe('not_found');
  expect(await codeOf('/me/close', { login_password }, headers)).toBe('not_found');
});

test('a passkey that is enrolled already, by this user or another', async () => {
  const passkey = createSoftPasskey();
  async function add({ headers }: SignedIn) {
    const options = await server.post('/me/passkeys/options', {}, headers);
    const { challenge } = options.json<{ challenge: string }>();
    const passkey_credential = passkey.register(challenge);
    return (await server.post('/me/passkeys', { name: 'Key', passkey_credential }, headers)).json();
  }
  const [user, other] = [await newUser(), await newUser()];
  expect(await add(user)).not.toHaveProperty('code');
  // A browser would refuse it by the list of excluded credentials.
  for (const caller of [user, other])
    expect(await add(caller)).toMatchObject({ status: 409, code: 'already_enrolled' });
});
