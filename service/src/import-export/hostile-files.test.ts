import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { createImportFolder, type ImportFolder } from '../../test/support/import-folder.ts';
import { AT } from '../../test/support/import-source.ts';
import type { Database } from '../db/index.ts';
import { FileError } from './file-error.ts';

const person = (id: number): string =>
  JSON.stringify({ id, email: `p${id}@example.test`, created_at: AT });

describe.each(RUN_ENGINES)('files of other systems on %s', (engine) => {
  let database: Database;
  let folder: ImportFolder;
  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
  });
  beforeEach(() => {
    folder = createImportFolder();
    return () => folder.remove();
  });
  afterAll(() => database.close());

  test('a byte order mark, other line ends and a huge line', async () => {
    const huge = `{"id":"${'9'.repeat(200_000)}"}`;
    folder.write('people.jsonl', `\ufeff${person(1)}\r\n\r\n${huge}\r\n${person(2)}`);
    const { certificate } = await folder.run(database);
    expect(folder.problems()).toEqual(['people 3 row too_long']);
    expect(certificate?.content.files).toMatchObject([{ accepted: 2, here: 2, rejected: 1 }]);
  });

  test.each(['people.csv', 'rejects.jsonl', 'certificate.json', 'manifest.json'])(
    'a link in the place of %s is not followed',
    async (name) => {
      const outside = createImportFolder();
      const target = join(outside.path, 'of another');
      writeFileSync(target, 'as it was');
      folder.write('people.jsonl', person(3));
      symlinkSync(target, join(folder.path, name));
      const refused = new FileError(`${name} is not a regular file`);
      await expect(folder.run(database)).rejects.toThrow(refused);
      expect(readFileSync(target, 'utf8')).toBe('as it was');
      outside.remove();
    },
  );

  test('a time that no posting may have, and words that cannot be stored', async () => {
    folder.write('people.jsonl', person(7));
    const bill = { user_id: 7, wallet: 'asset', currency: 'EDGE', amount_direction: 1 };
    const early = { ...bill, id: 'b', business_id: 'deposit', amount: 1 };
    folder.write('bills.jsonl', JSON.stringify({ ...early, event_at: '0021-01-01T00:00:00Z' }));
    const device = (words: string): string =>
      `{"user_id":7,"node_id":"n","device_type":"TERMINAL","created_at":"${AT}",` +
      `"capabilities":[${words}]}`;
    folder.write('devices.jsonl', ['"a\\u0000b"', '"\\ud800"'].map(device).join('\n'));
    const { certificate } = await folder.run(database);
    expect(folder.problems().toSorted()).toEqual([
      'bills 1 event_at too_early',
      'devices 1 capabilities not_a_list',
      'devices 2 capabilities not_a_list',
    ]);
    expect(certificate?.content.agrees).toBe(true);
  });

  test('an offset that no time zone has stops no import', async () => {
    const at = (id: number, offset: string): string =>
      person(id).replace(AT, `2024-01-02T03:04:05${offset}`);
    folder.write('people.jsonl', [at(30, '+23:59'), at(31, '-16:00'), at(32, '+15:59')].join('\n'));
    const { certificate } = await folder.run(database);
    expect(folder.problems()).toEqual(['people 1 created_at offset', 'people 2 created_at offset']);
    expect(certificate?.content.files).toMatchObject([{ accepted: 1, here: 1 }]);
  });

  test('texts that the API would refuse', async () => {
    folder.write('people.jsonl', person(33));
    const device = { user_id: 33, device_type: 'TERMINAL', created_at: AT };
    const devices = [
      { name: '\u202ereversed' },
      { browser: 'two\nlines' },
      { os: 'no\u200bwidth', extension_version: '\u0007' },
      { capabilities: '["a\u202eb"]' },
      { granted_categories: ['web', 'web'] },
    ].map((texts, i) => JSON.stringify({ ...device, node_id: `hostile-${i}`, ...texts }));
    folder.write('devices.jsonl', devices.join('\n'));
    const bill = { user_id: 33, wallet: 'asset', currency: 'EDGE', amount_direction: 1 };
    const bills = [
      { business_id: 'deposit', remark: 'a\u202eb' },
      { business_id: 'deposit', reference: 'two\nlines' },
      { business_id: 'deposit', node_id: '\u2066' },
      { business_id: 'deposit', remark: 'a tab\tand\nlines' },
      { business_id: 'reward' },
      { business_id: 'deposit', amount: '01' },
    ].map((fields, i) => JSON.stringify({ ...bill, id: i, amount: 1, event_at: AT, ...fields }));
    folder.write('bills.jsonl', bills.join('\n'));
    await folder.run(database);
    expect(folder.problems().toSorted()).toEqual([
      'bills 1 remark pattern',
      'bills 2 reference pattern',
      'bills 3 node_id pattern',
      'bills 5 reward_type required',
      'bills 6 amount pattern',
      'devices 1 name pattern',
      'devices 2 browser pattern',
      'devices 3 extension_version pattern',
      'devices 3 os pattern',
      'devices 4 capabilities not_a_list',
      'devices 5 granted_categories not_a_list',
    ]);
  });

  test('a member that JavaScript gives a meaning is unknown like any other', async () => {
    folder.write('people.jsonl', person(34).replace('{', '{"__proto__":"x",'));
    await folder.run(database);
    expect(folder.problems()).toEqual(['people 1 __proto__ additionalProperties']);
  });

  test.each(['balances.CSV', 'Balances.csv', 'balances.json', 'balances.csv.gz'])(
    '%s is not left out without a word',
    async (name) => {
      folder.write('people.jsonl', person(35));
      folder.write('people.csv.bak', '');
      folder.write('bills.schema.json', '{}');
      folder.write(name, '');
      await expect(folder.run(database)).rejects.toThrow(name);
    },
  );

  test('a manifest that is larger than any', async () => {
    folder.write('people.jsonl', person(36));
    folder.write('manifest.json', ' '.repeat(100_000));
    await expect(folder.run(database)).rejects.toThrow('manifest.json is too large');
  });

  test('a folder instead of a file', async () => {
    mkdirSync(join(folder.path, 'people.csv'));
    await expect(folder.run(database)).rejects.toThrow('people.csv is not a regular file');
  });

  test('a second import does not touch the first', async () => {
    folder.write('people.jsonl', [4, 5, 6].map(person).join('\n'));
    const both = await Promise.allSettled([folder.run(database), folder.run(database)]);
    const done = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const failed = both.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(failed).toEqual([new FileError('another import is running')]);
    expect(done[0]?.certificate?.content.agrees).toBe(true);
  });

  test('a dry run reports an address of another user', async () => {
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    await database.query(
      `with w as (insert into deposit_wallet (family, xpub, created_at)
         values ('evm', 'a key', now()) returning id)
       insert into deposit_address
         (user_id, wallet_id, family, derivation_index, address, address_key, created_at)
       select 1, id, 'evm', 0, $1, lower($1), now() from w`,
      [address],
    );
    folder.write(
      'deposit_addresses.csv',
      `user_id,network,address,created_at\n2,ETHEREUM,${address},${AT}\n1,ETHEREUM,${address},${AT}\n`,
    );
    await folder.run(database, { isDryRun: true });
    expect(folder.problems()).toEqual([
      'deposit_addresses 2 address taken',
      'deposit_addresses 3 address duplicate',
    ]);
  });
});
