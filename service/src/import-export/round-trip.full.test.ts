/** An export that is imported again gives equal totals, and the same files. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Engine, openTestDatabase } from '../../test/support/databases.ts';
import { createImportFolder, type ImportFolder } from '../../test/support/import-folder.ts';
import {
  BALANCES,
  findProblems,
  PEOPLE,
  readBalances,
  readState,
  writeSource,
} from '../../test/support/import-source.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import type { Database } from '../db/index.ts';
import { createMasterKey } from '../master-key.ts';
import { type ExportFormat, runExport } from './run-export.ts';
import { FILE_NAMES } from './schemas.ts';

let folders: ImportFolder[];
let databases: Database[];
beforeEach(() => {
  folders = [];
  databases = [];
  return undefined;
});
afterEach(async () => {
  for (const folder of folders) folder.remove();
  for (const database of databases) await database.close();
});

async function open(engine: Engine): Promise<Database> {
  const database = await openTestDatabase(engine, { isOwner: true });
  databases.push(database);
  return database;
}

function newFolder(): ImportFolder {
  const folder = createImportFolder();
  folders.push(folder);
  return folder;
}

async function exportAll(
  database: Database,
  format: ExportFormat,
  hasBills: boolean,
): Promise<ImportFolder> {
  const folder = newFolder();
  rmSync(folder.path, { recursive: true });
  await runExport(database, testMasterKey, { folder: folder.path, format, hasBills });
  return folder;
}

/** Users of a source, one who registered here, and texts that spreadsheets would change. */
async function fill(database: Database): Promise<void> {
  const source = newFolder();
  writeSource(source);
  const odd = '"  a, ""b""\nc\t=1+1"';
  source.write(
    'people.csv',
    `${PEOPLE}30,odd@example.test,@odd,,,12,,2020-01-01T00:00:00Z,disabled\n`,
  );
  source.write('balances.csv', `${BALANCES}30,asset,ETH,0.000000000000000001\n`);
  source.write(
    'bills.csv',
    'id,user_id,wallet,currency,amount_direction,business_id,amount,event_at,remark,reference\n' +
      `1,30,asset,ETH,1,deposit,2,2020-01-01T00:00:00Z,${odd},0x${TRANSACTION}\n` +
      `2,30,asset,ETH,1,deposit,2,2020-01-01T00:00:00Z,to ${TRANSACTION},${TRANSACTION}\n` +
      `3,30,asset,ETH,1,deposit,2,2020-01-01T00:00:00Z,,${'r'.repeat(256)}\n`,
  );
  rmSync(join(source.path, 'bills.jsonl'));
  const { rejected } = await source.run(database);
  expect([...rejected]).toEqual([]);
  await database.query(
    `insert into app_user (email, email_key, nickname, referral_code, referrer_id, created_at)
     values ('new@example.test', 'new@example.test', 'new', 'NEW', 12, '2021-01-01')`,
  );
}

/** The hash of a transaction has the form of a private key. */
const TRANSACTION = '9'.padEnd(64, '1');

const read = (folder: ImportFolder, file: string): string =>
  readFileSync(join(folder.path, file), 'utf8');

test.each([
  ['embedded', 'server', 'csv'],
  ['server', 'embedded', 'jsonl'],
] as const)('from %s to %s as %s', async (from, to, format) => {
  const [first, second] = [await open(from), await open(to)];
  await fill(first);
  const exported = await exportAll(first, format, true);
  const { rejected, certificate } = await exported.run(second);
  expect([...rejected]).toEqual([]);
  expect(certificate?.content.agrees).toBe(true);
  expect(await readBalances(second)).toEqual(await readBalances(first));
  expect(await findProblems(second)).toEqual([]);
  const again = await exportAll(second, format, true);
  // Ids of bills are those of the ledger that posted them.
  const withoutIds = (text: string): string => text.replaceAll(/^(\d+|\{"id":"\d+")/gm, '');
  for (const name of FILE_NAMES) {
    const file = `${name}.${format}`;
    const [one, other] = [read(exported, file), read(again, file)];
    if (name === 'bills') expect(withoutIds(other)).toBe(withoutIds(one));
    else expect(other).toBe(one);
  }
});

test('without the history the balances are the same', async () => {
  const [first, second] = [await open('server'), await open('server')];
  await fill(first);
  const exported = await exportAll(first, 'csv', false);
  await exported.run(second);
  expect(await readBalances(second)).toEqual(await readBalances(first));
  expect(await findProblems(second)).toEqual([]);
});

test('passwords of an export need the master key that they were stored with', async () => {
  const [first, second] = [await open('server'), await open('server')];
  await fill(first);
  const exported = await exportAll(first, 'csv', false);
  const masterKey = createMasterKey(Buffer.alloc(32, 9));
  const { certificate } = await exported.run(second, { masterKey });
  expect(certificate?.content.passwords).toEqual({ md5: 0, hash: 0, reset: 5 });
});

test('an export that was not copied whole is refused, unless that is meant', async () => {
  const [first, second] = [await open('server'), await open('server')];
  await fill(first);
  const exported = await exportAll(first, 'csv', false);
  const before = await readState(second);
  const balances = read(exported, 'balances.csv');
  exported.write('balances.csv', `${balances.split('\n').slice(0, 3).join('\n')}\n`);
  await expect(exported.run(second)).rejects.toThrow('balances is not the file of manifest.json');
  rmSync(join(exported.path, 'balances.csv'));
  await expect(exported.run(second)).rejects.toThrow('balances is not the file of manifest.json');
  expect(await readState(second)).toEqual(before);
  const manifest = JSON.parse(read(exported, 'manifest.json'));
  const files = manifest.files.filter(({ name }: { name: string }) => name !== 'balances');
  exported.write('manifest.json', JSON.stringify({ ...manifest, files }));
  await exported.run(second);
  expect(exported.problems()).toEqual([]);
  expect(await readBalances(second)).toEqual([]);
});

test('an export does not write over files', async () => {
  const database = await open('server');
  const folder = newFolder();
  folder.write('people.csv', '');
  const options = { folder: folder.path, format: 'csv', hasBills: true } as const;
  await expect(runExport(database, testMasterKey, options)).rejects.toThrow('is not empty');
});
