import { createHash } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { testConfig, testMasterKey } from '../../test/support/test-config.ts';
import { readConfig } from '../config.ts';
import { createMasterKey } from '../master-key.ts';
import { checkPasswordChoice, createPasswords, readHashCost } from './passwords.ts';

const COST = readHashCost(testConfig());
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

test('a stored hash is argon2id at the configured cost, and depends on the pepper', async () => {
  const passwords = createPasswords(testMasterKey, COST);
  const stored = await passwords.hash(md5('secret words').toUpperCase());
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.verify(stored, md5('secret words'))).toBe(true);
  expect(await passwords.verify(stored, md5('other words'))).toBe(false);
  expect(
    await createPasswords(createMasterKey(Buffer.alloc(32, 8)), COST).verify(
      stored,
      md5('secret words'),
    ),
  ).toBe(false);
});

test('checklist 11: without a stored hash the same work is done, and it is refused', async () => {
  const verify = vi.fn(async () => true);
  const passwords = createPasswords(testMasterKey, COST, {
    hash: async () => 'dummy hash',
    verify,
    verifyImported: async () => true,
  });
  expect(await passwords.verify(undefined, md5('anything'))).toBe(false);
  expect(verify).toHaveBeenCalledExactlyOnceWith('dummy hash', expect.any(String));
});

test('the cost is 64 MiB and three passes unless it is configured', () => {
  expect(readHashCost(readConfig({}))).toEqual({ memoryCost: 65_536, timeCost: 3, parallelism: 1 });
});

test('hashes of a lower cost are recognised', async () => {
  const passwords = createPasswords(testMasterKey, COST);
  expect(passwords.isOutdated(await hash('x', { ...COST, timeCost: 1 }))).toBe(true);
  expect(passwords.isOutdated(await hash('x', COST))).toBe(false);
});

test.each(['123456', 'password', 'Password123', 'qwerty', 'iloveyou1', '', 'P@ssw0rd'])(
  'checklist 14: refuses the common password %j',
  (text) => {
    expect(() => checkPasswordChoice(md5(text), [])).toThrow('common password');
    expect(() => checkPasswordChoice(md5(text).toUpperCase(), [])).toThrow('common password');
  },
);

test('refuses one’s own address, its local part and nickname; takes other passwords', () => {
  for (const own of ['Ada@Example.test', 'ada@example.test', 'Ada', 'Countess']) {
    expect(() => checkPasswordChoice(md5(own), ['Ada@Example.test', 'Countess'])).toThrow(
      'the user’s name',
    );
  }
  expect(() =>
    checkPasswordChoice(md5('correct horse battery staple'), ['Ada@Example.test']),
  ).not.toThrow();
});
