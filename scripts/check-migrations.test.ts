import { describe, expect, test } from 'vitest';
import { checkMigration } from './check-migrations.ts';

const check = (sql: string, name = '0030_words'): Promise<string[]> =>
  checkMigration({ name, files: [{ path: `${name}.sql`, sql }], checksum: '' });

describe('refused', () => {
  test.each([
    ['create index a_idx on transfer (event_at)', /create it _concurrently/],
    ['alter table entry add column x text not null', /has no default/],
    ['alter table entry add column x uuid default gen_random_uuid()', /rewrites/],
    ['alter table entry add column x bigint generated always as identity', /rewrites/],
    ['alter table entry add column x bigint references app_user (id)', /by itself/],
    ['alter table entry add constraint c check (amount > 0)', /not valid/],
    ['alter table entry add constraint c foreign key (a) references b (id)', /not valid/],
    ['alter table entry add constraint c unique (amount)', /using index/],
    ['alter table entry alter column amount type text', /type of a column/],
    ['alter table entry alter column amount set not null', /not null/],
    ['alter table entry drop column amount', /_contract/],
    ['alter table entry drop constraint c', /_contract/],
    [
      'alter table entry drop constraint c; alter table mail add constraint c check (a) not valid',
      /_contract/,
    ],
    ['alter table entry rename column amount to sum', /renames/],
    ['alter table entry rename to entries', /renames/],
    ['drop table entry', /_contract/],
    ['drop index entry_idx', /_contract/],
    ['update app_user set nickname = null', /_backfill/],
    ['delete from mail where id < 5', /_backfill/],
    ['truncate mail', /empties/],
    ["insert into transaction_type (code) values ('airdrop')", /on conflict/],
    ['lock table mail', /locks/],
    ['create index concurrently a_idx on transfer (event_at)', /must end with _concurrently/],
  ])('%s', async (sql, reason) => {
    expect(await check(sql)).toEqual([expect.stringMatching(reason)]);
  });

  test('a backfill of all rows at once, or of two statements', async () => {
    const name = '0030_names_backfill';
    expect(await check('update app_user set nickname = null', name)).toEqual([
      expect.stringMatching(/needs a limit/),
    ]);
    expect(await check('select 1; select 2', name)).toEqual([
      expect.stringMatching(/one statement/),
    ]);
  });
});

describe('accepted', () => {
  test.each([
    ['create table new (a int); create index new_idx on new (a); update new set a = 1'],
    ['alter table entry add column x text'],
    ["alter table entry add column x text not null default 'none'"],
    ['alter table entry add constraint c check (amount > 0) not valid'],
    ['alter table entry validate constraint c'],
    ['alter table entry drop constraint c; alter table entry add constraint c check (a) not valid'],
    ['alter table entry add constraint c unique using index entry_c_idx'],
    ['update network set poll_ms = 1000'],
    ["insert into transaction_type (code) values ('a') on conflict (code) do nothing"],
    ["create or replace function f() returns int language sql as 'select 1'"],
    ['create index concurrently a_idx on transfer (event_at)', '0030_event_at_concurrently'],
    ['alter table entry drop column x', '0030_entry_x_contract'],
    [
      'update app_user set a = 1 where id in (select id from app_user where a is null limit 1000)',
      '0030_a_backfill',
    ],
  ])('%s', async (sql, name = '0030_words') => {
    expect(await check(sql, name)).toEqual([]);
  });
});
