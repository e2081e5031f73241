import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Catalogue, readCatalogue } from '../../test/support/catalogue.ts';
import {
  createEmptyServerDatabase,
  ENGINES,
  openTestDatabase,
} from '../../test/support/databases.ts';
import { type Database, migrate, openEmbedded, openServer } from './index.ts';
import { UnsupportedDatabase } from './migrate.ts';
import { type Migration, readMigrations } from './migrations.ts';

async function openEmpty(): Promise<Database> {
  return openServer({ url: await createEmptyServerDatabase(), poolSize: 2, onError: () => {} });
}

/** A migration of the given statements. */
function fake(name: string, ...statements: string[]): Migration {
  const files = statements.map((sql, index) => ({ path: `${name}/${index}.sql`, sql }));
  return { name, files, checksum: statements.join('\n') };
}

describe('the schema that the migrations create', () => {
  let expected: Catalogue;
  beforeAll(async () => {
    const database = await openEmpty();
    for (const { files } of readMigrations())
      for (const { sql } of files) await database.query(sql);
    expected = await readCatalogue(database);
    await database.close();
  });

  test.each(ENGINES)('the databases of tests have it, on %s', async (engine) => {
    const database = await openTestDatabase(engine, { isOwner: true });
    // The role of tests is data of the template.
    await database.query('delete from application_role');
    expect(await readCatalogue(database)).toEqual(expected);
    await database.close();
  });

  test('the first start of the embedded database creates it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'edge-account-first-'));
    const database = await openEmbedded({ directory });
    await migrate(database);
    expect(await readCatalogue(database)).toEqual(expected);
    await database.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test.each([
    ['columns', 'alter table mail alter column subject drop not null'],
    ['columns', 'alter table transfer alter column idempotency_key type text collate "default"'],
    ['constraints', 'alter table mail rename constraint mail_pkey to mail_primary'],
    ['indexes', 'drop index mail_pending_idx'],
    [
      'functions',
      'create or replace function has_refused_key(names text[]) returns boolean return false',
    ],
    ['triggers', 'alter table app_user disable trigger community_rename'],
    ['relations', 'alter table account set (fillfactor = 60)'],
    ['sequences', "select nextval('app_user_id_seq')"],
    ['rows', 'update network set poll_ms = poll_ms + 1'],
  ])('a difference in %s is seen: %s', async (kind, change) => {
    const database = await openTestDatabase('server', { isOwner: true });
    await database.query(change);
    expect((await readCatalogue(database))[kind]).not.toEqual(expected[kind]);
    await database.close();
  });
});

describe('the migration files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-migrations-'));
  const url = pathToFileURL(`${folder}/`);
  const put = (path: string, sql = 'select 1'): void => writeFileSync(join(folder, path), sql);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('a folder is one migration, files in order; numbers are unique, without gaps', () => {
    mkdirSync(join(folder, '0001_first'));
    put('0001_first/02_b.sql');
    put('0001_first/01_a.sql');
    put('0002_second.sql');
    const before = readMigrations(url);
    expect(before.map(({ name, files }) => [name, files.map(({ path }) => path)])).toEqual([
      ['0001_first', ['0001_first/01_a.sql', '0001_first/02_b.sql']],
      ['0002_second', ['0002_second.sql']],
    ]);
    put('0001_first/02_b.sql', 'select 2');
    const after = readMigrations(url);
    expect(after[0]?.checksum).not.toBe(before[0]?.checksum);
    expect(after[1]?.checksum).toBe(before[1]?.checksum);
    put('0002_other.sql');
    expect(() => readMigrations(url)).toThrow('0002_second must have the number 3');
    rmSync(join(folder, '0002_other.sql'));
    put('0004_fourth.sql');
    expect(() => readMigrations(url)).toThrow('0004_fourth must have the number 3');
    rmSync(join(folder, '0004_fourth.sql'));
    put('notes.txt');
    expect(() => readMigrations(url)).toThrow('not a migration: notes.txt');
  });

  test('every constraint has a name', () => {
    const kinds = [
      'primary key',
      'unique( nulls .*)? ?\\(',
      'unique,',
      'references ',
      'check ?\\(',
    ];
    const unnamed = new RegExp(`(?<!constraint \\w+ )\\b(${kinds.join('|')}|foreign)`, 'g');
    const find = (sql: string): string[] =>
      sql
        .replaceAll(/--.*$/gm, '')
        .replaceAll(/\s+/g, ' ')
        // One constraint.
        .replaceAll(/(foreign key \([^)]*\)) references /g, '$1 ')
        .match(unnamed) ?? [];
    expect(
      find('id int primary key, a int unique, b int references t, check (a > 0)'),
    ).toHaveLength(4);
    for (const { files } of readMigrations())
      for (const { path, sql } of files) expect([path, find(sql)]).toEqual([path, []]);
  });
});

describe('the runner', () => {
  const first = fake('0001_first', 'create table one (id int)', 'insert into one values (1)');
  const second = fake('0002_second', 'insert into one values (2)');
  let database: Database;
  const ids = async (): Promise<unknown> =>
    (await database.query('select id from one order by id')).rows;
  beforeAll(async () => {
    database = await openEmpty();
  });
  afterAll(() => database.close());

  test('applies each migration once, and only the missing ones', async () => {
    expect(await migrate(database, [first])).toEqual(['0001_first']);
    expect(await Promise.all([1, 2].map(() => migrate(database, [first, second])))).toEqual(
      expect.arrayContaining([['0002_second'], []]),
    );
    expect(await ids()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('refuses a migration that was edited after it was applied', async () => {
    const edited = fake(second.name, 'insert into one values (3)');
    await expect(migrate(database, [first, edited])).rejects.toThrow(
      'migration 0002_second was changed after it had been applied',
    );
    expect(await ids()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('names a file that failed, and keeps nothing of its migration', async () => {
    const broken = fake('0003_broken', 'insert into one values (3)', 'select 1/0');
    await expect(migrate(database, [first, second, broken])).rejects.toThrow(
      'migration 0003_broken/1.sql: division by zero',
    );
    expect(await ids()).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await migrate(database, [first, second])).toEqual([]);
  });

  test('accepts a newer database, because instances are replaced one by one', async () => {
    expect(await migrate(database, [first])).toEqual([]);
  });

  test('refuses a database of a development version', async () => {
    const old = await openEmpty();
    await migrate(old, [fake('0001_foundation.sql', 'create table idempotency (id int)')]);
    const before = await readCatalogue(old);
    const refused = migrate(old);
    await expect(refused).rejects.toBeInstanceOf(UnsupportedDatabase);
    await expect(refused).rejects.toThrow(/0001_foundation\.sql.*create an empty database/);
    expect(await readCatalogue(old)).toEqual(before);
    await old.close();
  });
});
