/** `edge-account import` as it is called: exit codes, and what it leaves behind. */
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openServer } from '../src/db/index.ts';
import { createCommandEnvironment } from './support/databases.ts';
import { createImportFolder, type ImportFolder } from './support/import-folder.ts';
import { runCommandHere } from './support/run-command.ts';

const PEOPLE = 'id,email,created_at\n1,ann@example.test,2024-01-02T03:04:05Z\n';

let env: Record<string, string>;
let folder: ImportFolder;
let database: Database;
beforeEach(async () => {
  env = await createCommandEnvironment();
  folder = createImportFolder();
  const url = env.DATABASE_OWNER_URL ?? '';
  database = await openServer({ url, poolSize: 2, onError: () => {} });
});
afterEach(async () => {
  folder.remove();
  await database.close();
});

const runImport = (...args: string[]) => runCommandHere(['import', folder.path, ...args], env);
const rejectsPath = (): string => join(folder.path, 'rejects.jsonl');

test('exit codes: imported, rejected rows, could not run', async () => {
  folder.write('people.csv', PEOPLE);
  expect(await runImport()).toMatchObject({ code: 0 });
  expect(existsSync(join(folder.path, 'certificate.json'))).toBe(true);
  folder.write('people.csv', `${PEOPLE}2,no address,2024-01-02T03:04:05Z\n`);
  expect(await runImport()).toMatchObject({ code: 1 });
  folder.write('people.csv', `unknown,${PEOPLE}`);
  expect(await runImport()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"unknown" is unknown'),
  });
  expect(await runImport('--since', 'yesterday')).toMatchObject({ code: 2 });
});

test('has one entry in the audit log, and none for each posting; a dry run has none', async () => {
  const read = async (): Promise<object[]> => {
    const { rows } = await database.query<object>(
      `select operation, subject_kind as kind, subject_id as of from audit_entry
       where actor_kind = 'command' order by id`,
    );
    return rows;
  };
  folder.write('people.csv', PEOPLE);
  folder.write('balances.csv', 'user_id,wallet,currency,amount\n1,asset,USDT,12.5\n');
  expect(await runImport('--dry-run')).toMatchObject({ code: 0 });
  expect(await read()).toEqual([]);
  expect(await runImport()).toMatchObject({ code: 0 });
  expect((await database.query('select from transfer')).rowCount).toBe(1);
  const operation = 'import';
  expect(await read()).toEqual([
    { operation, kind: 'commands', of: operation },
    { operation, kind: 'transaction-types', of: 'opening_balance' },
    { operation, kind: 'wallets', of: 'opening_balance' },
  ]);
  const { rows } = await database.query(
    `select from audit_entry where subject_id = 'opening_balance' and actor_kind <> 'command'`,
  );
  expect(rows).toEqual([]);
});

test('the rejects are private, also in a file that was readable by all', async () => {
  folder.write('people.csv', `${PEOPLE}2,no address,2024-01-02T03:04:05Z\n`);
  folder.write('rejects.jsonl', 'of a run before\n');
  chmodSync(rejectsPath(), 0o644);
  await runImport('--dry-run');
  expect(statSync(rejectsPath()).mode & 0o777).toBe(0o600);
  expect(readFileSync(rejectsPath(), 'utf8')).toMatch(/^\{.*not_an_email.*\}\n$/);
});

test('migrate removes what a killed import left, and nothing of one that is running', async () => {
  const isThere = async (): Promise<boolean> =>
    (await database.query(`select from pg_class where relname = 'import_stage'`)).rowCount > 0;
  await database.query('create unlogged table import_stage (email_key text)');
  const unlock = await database.tryLock('import');
  expect(await runCommandHere(['migrate'], env)).toMatchObject({ code: 0 });
  expect(await isThere()).toBe(true);
  await unlock?.();
  expect(await runCommandHere(['migrate'], env)).toMatchObject({ code: 0 });
  expect(await isThere()).toBe(false);
});
