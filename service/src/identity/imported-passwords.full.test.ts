/** Passwords of another system: verified at the first sign-in, then replaced. */
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import {
  createIdentityServer,
  type IdentityServer,
  md5,
} from '../../test/support/identity-server.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { type Database, transaction } from '../db/index.ts';
import { createMasterKey } from '../master-key.ts';
import { createPasswordImport, type PasswordInput } from './imported-passwords.ts';
import { importUsers } from './register/import-users.ts';

const PASSWORD = 'an old pass phrase';
/** Of the MD5 of the password in lower case; computed by libxcrypt and by Python's hashlib. */
const HASHES = {
  bcrypt: '$2b$05$abcdefghijklmnopqrstuug2nbxuTxb4IkLn0bEcN1lAdHvPjnPOu',
  scrypt:
    '$scrypt$ln=14,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$7zeCT74d0zA7rGq7QP74o4oFN5h1Te/GoRTCnDw5M/I',
  'pbkdf2-sha256':
    '$pbkdf2-sha256$29000$MDEyMzQ1Njc4OWFiY2RlZg$mJj8pphT.5mZpUxq9B.1ayxdw0ngwUaHQftgeGULJYY',
  'pbkdf2-sha512':
    '$pbkdf2-sha512$25000$MDEyMzQ1Njc4OWFiY2RlZg$' +
    'BrlatGb8mcJOTQA1Y9VH5OrxV5dqtPhjmNNOKSx1iIpnFwX8J0wZeUPemBSOj6vSFycYoCiqW.RjIQRPLKMf.w',
};
const passwords = createPasswordImport(testMasterKey);

describe.each(RUN_ENGINES)('imported passwords on %s', (engine) => {
  let database: Database;
  let server: IdentityServer;
  let users = 0;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    server = createIdentityServer(database);
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  async function addUser(text: string, input: PasswordInput): Promise<string> {
    const email = `old${++users}@example.test`;
    const user = {
      ...{ userId: users, email, nickname: 'Old', referrerId: null, referralCode: null },
      ...{ passwordHash: passwords.read(text, input)?.stored ?? null, status: 'active' as const },
      createdAt: '2020-01-01T00:00:00Z',
    };
    await transaction(database, (tx) => importUsers(tx, [user]));
    return email;
  }
  const signIn = async (email: string, password: string): Promise<number> =>
    (await server.post('/user/login-with-password', { email, login_password: md5(password) }))
      .statusCode;
  const readHash = async (email: string): Promise<string | null> =>
    (
      await database.query<{ password_hash: string | null }>(
        'select password_hash from app_user where email_key = $1',
        [email],
      )
    ).rows[0]?.password_hash ?? null;

  const FORMS: readonly (readonly [name: string, make: () => string | Promise<string>])[] = [
    ['MD5', () => md5(PASSWORD)],
    ['MD5 in capitals', () => md5(PASSWORD).toUpperCase()],
    ['argon2id', () => hash(md5(PASSWORD))],
    ...Object.entries(HASHES).map(([name, text]) => [name, () => text] as const),
  ];
  test.each(FORMS)('%s signs in, and is replaced by the default hash', async (_, make) => {
    const text = await make();
    const email = await addUser(text, 'md5');
    expect(await readHash(email)).toMatch(/^imported\$/);
    expect(await readHash(email)).not.toContain(md5(PASSWORD));
    expect(await signIn(email, 'another pass phrase')).toBe(401);
    expect(await readHash(email)).toMatch(/^imported\$/);
    expect(await signIn(email, PASSWORD)).toBe(200);
    expect(await readHash(email)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await signIn(email, PASSWORD)).toBe(200);
  });

  test('a user without a password signs in after a reset', async () => {
    const email = await addUser(HASHES.bcrypt, 'plain');
    expect(await readHash(email)).toBeNull();
    expect(await signIn(email, PASSWORD)).toBe(401);
    expect(await server.mailTo(email)).toMatchObject({ subject: 'Choose a new password' });
    const started = await server.post('/user/password/reset', { email });
    const { reset_ticket } = started.json<{ reset_ticket: string }>();
    const validate_code = await server.codeTo(email);
    await server.post('/user/password/reset/verify', { email, reset_ticket, validate_code });
    const login_password = md5('a new pass phrase');
    const done = { email, reset_ticket, login_password };
    expect((await server.post('/user/password/reset/complete', done)).statusCode).toBe(204);
    expect(await signIn(email, 'a new pass phrase')).toBe(200);
  });
});

test.each([
  ['text', 'md5'],
  ['$2b$04$tooshort', 'md5'],
  [HASHES.bcrypt.replace('$05$', '$31$'), 'md5'],
  [HASHES.scrypt.replace('ln=14', 'ln=24'), 'md5'],
  [HASHES['pbkdf2-sha256'].replace('29000', '99999999'), 'md5'],
  ['$argon2id$v=19$m=99999999,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA', 'md5'],
  [HASHES.bcrypt, 'peppered_md5'],
  ['imported$text', 'peppered_md5'],
  ['imported$md5$text', 'peppered_md5'],
  [`imported${HASHES.bcrypt.replace('$05$', '$31$')}`, 'peppered_md5'],
  ['$argon2id$v=19$m=99999999,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA', 'peppered_md5'],
] as const)('refuses %s', (text, input) => {
  expect(passwords.read(text, input)).toBeUndefined();
});

test('hashes of an export need the same master key', () => {
  const { pepperId } = passwords;
  const same = createPasswordImport(testMasterKey, pepperId);
  const other = createPasswordImport(createMasterKey(Buffer.alloc(32, 9)), pepperId);
  const md5 = `imported$md5$${'a'.repeat(64)}`;
  const own = '$argon2id$v=19$m=65536,t=3,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA';
  for (const stored of [own, own.replace('65536', '1048576'), md5, `imported${HASHES.scrypt}`]) {
    expect(same.read(stored, 'peppered_md5')).toEqual({ kind: 'hash', stored });
    expect(other.read(stored, 'peppered_md5')).toEqual({ kind: 'reset', stored: null });
  }
});
