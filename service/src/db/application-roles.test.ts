import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createEmptyServerDatabase,
  createServerDatabase,
  ownerUrl,
} from '../../test/support/databases.ts';
import { APPLICATION_ROLE } from '../../test/support/postgres-server.ts';
import { addApplicationRole, type Database, migrate, openServer, UnfitRole } from './index.ts';
import type { Migration } from './migrations.ts';
import { readMigrations } from './migrations.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

function open(url: string): Promise<Database> {
  return openServer({ url, poolSize: 2, onError: () => {} });
}

describe('an attacker with the connection of an instance', () => {
  let database: Database;
  let names: { protected: string[]; added: string[] };
  beforeAll(async () => {
    database = await open(await createServerDatabase());
    const { rows } = await database.query<{ name: string; may_update: boolean }>(
      'select name, may_update from protected_table order by name',
    );
    names = {
      protected: rows.map(({ name }) => name),
      added: rows.filter(({ may_update }) => !may_update).map(({ name }) => name),
    };
  });
  afterAll(() => database.close());

  const refused = (sql: string): Promise<void> =>
    expect(database.query(sql), sql).rejects.toMatchObject({ code: INSUFFICIENT_PRIVILEGE });

  test('deletes no money, no decision and no proof', async () => {
    expect(names.protected).toEqual(
      expect.arrayContaining(['account', 'entry', 'payout_decision', 'reward_line', 'transfer']),
    );
    for (const name of names.protected) {
      await refused(`delete from ${name}`);
      await refused(`truncate ${name} cascade`);
    }
  });

  test('changes no posting, no seal, no signed head and no decision', async () => {
    expect(names.added).toEqual(
      expect.arrayContaining(['batch_seal', 'entry', 'ledger_head', 'payout_decision', 'transfer']),
    );
    for (const name of names.added) {
      const { rows } = await database.query<{ column: string }>(
        `select quote_ident(attname) as column from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and attidentity = '' limit 1`,
        [name],
      );
      await refused(`update ${name} set ${rows[0]?.column} = ${rows[0]?.column}`);
    }
  });

  test.each([
    'alter table entry add column x int',
    'alter table app_user disable trigger community_rename',
    "set session_replication_role = 'replica'",
    'drop table entry',
    'drop trigger currency_is_frozen on currency',
    'create table stolen (id int)',
    'create function public.fold_for_search(x int) returns int language sql return 1',
    `create or replace function has_refused_key(names text[]) returns boolean
      language sql return false`,
    'create index stolen_idx on entry (amount)',
    'create trigger stolen before update on account for each row execute function count_payout()',
    'create rule stolen as on insert to entry do instead nothing',
    "insert into schema_migration (name, checksum) values ('9999_none', '')",
    'delete from schema_migration',
    "insert into application_role (name) values ('stolen')",
    'update protected_table set may_update = true',
    'insert into entry_pack select * from entry_pack',
    'update entry_pack set amounts = amounts',
    'alter table entry_pack drop constraint entry_pack_positions_check',
    'do $$ begin lock table entry in access exclusive mode; end $$',
    "select setval('app_user_id_seq', 1)",
    "copy entry to program 'true'",
    "select pg_read_file('/etc/hostname')",
    'create role stolen',
    'alter role current_user superuser',
    'alter table entry owner to current_user',
    "update pg_class set relname = 'stolen' where relname = 'entry'",
  ])('does not: %s', (sql) => refused(sql));

  test('refreshes statistics, which needs the owner otherwise', async () => {
    await expect(database.query("select refresh_statistics('currency')")).resolves.toBeDefined();
  });
});

describe('an application role', () => {
  let url: string;
  let owner: Database;
  let admin: pg.Client;
  const later: Migration = {
    name: '9001_later',
    files: [{ path: '9001_later.sql', sql: 'create table later (id int)' }],
    checksum: '',
  };
  beforeAll(async () => {
    url = await createEmptyServerDatabase();
    owner = await open(url);
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await migrate(owner);
  });
  afterAll(async () => {
    await admin.end();
    await owner.close();
  });

  test('must exist, must not own the schema, and must not create in it', async () => {
    await expect(addApplicationRole(owner, 'edge_missing')).rejects.toThrow(UnfitRole);
    await expect(addApplicationRole(owner, 'postgres')).rejects.toThrow(/superuser/);
    await admin.query('grant create on schema public to public');
    await expect(addApplicationRole(owner, APPLICATION_ROLE)).rejects.toThrow(/revoke create/);
    await admin.query('revoke create on schema public from public');
    expect((await owner.query('select from application_role')).rowCount).toBe(0);
  });

  test('is granted the tables of later migrations, and loses what becomes protected', async () => {
    await addApplicationRole(owner, APPLICATION_ROLE);
    await addApplicationRole(owner, APPLICATION_ROLE);
    expect(await migrate(owner, [...readMigrations(), later])).toEqual([later.name]);
    const application = new URL(url);
    application.username = APPLICATION_ROLE;
    const database = await open(application.href);
    await database.query('insert into later (id) values (1)');
    await database.query('update later set id = 2');
    await admin.query("insert into protected_table (name, may_update) values ('later', false)");
    await migrate(owner, [...readMigrations(), later]);
    await expect(database.query('update later set id = 3')).rejects.toMatchObject({
      code: INSUFFICIENT_PRIVILEGE,
    });
    await database.query('insert into later (id) values (3)');
    await database.close();
  });

  test('that is gone stops no migration', async () => {
    await admin.query("insert into application_role (name) values ('edge_gone')");
    expect(await migrate(owner, [...readMigrations(), later])).toEqual([]);
  });

  test('does not migrate', async () => {
    const database = await open(await createServerDatabase());
    await expect(migrate(database, [...readMigrations(), later])).rejects.toMatchObject({
      code: INSUFFICIENT_PRIVILEGE,
    });
    await database.close();
    const restored = await open(ownerUrl(url));
    expect(await migrate(restored, [...readMigrations(), later])).toEqual([]);
    await restored.close();
  });
});
