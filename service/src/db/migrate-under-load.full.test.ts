import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmptyServerDatabase, ENGINES } from '../../test/support/databases.ts';
import { type Database, migrate, openEmbedded, openServer, transaction } from './index.ts';
import type { Migration } from './migrations.ts';

function fake(name: string, ...statements: string[]): Migration {
  const files = statements.map((sql, index) => ({ path: `${name}/${index}.sql`, sql }));
  return { name, files, checksum: statements.join('\n') };
}

const ROWS = 25;
const first = fake(
  '0001_first',
  'create table item (id int primary key, doubled int)',
  `insert into item (id) select generate_series(1, ${ROWS})`,
);
const backfill = fake(
  '0002_doubled_backfill',
  `update item set doubled = id * 2
   where id in (select id from item where doubled is null order by id limit 10)`,
);
const index = fake(
  '0003_doubled_concurrently',
  'drop index concurrently if exists item_doubled_idx',
  'create index concurrently item_doubled_idx on item (doubled)',
);

describe.each(ENGINES)('kinds of migrations, on %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database =
      engine === 'server'
        ? await openServer({
            url: await createEmptyServerDatabase(),
            poolSize: 3,
            onError: () => {},
          })
        : await openEmbedded({});
  });
  afterAll(() => database.close());

  test('a backfill runs in batches, an index is built outside a transaction', async () => {
    expect(await migrate(database, [first, backfill, index])).toEqual([
      first.name,
      backfill.name,
      index.name,
    ]);
    const { rows } = await database.query<{ filled: number; batches: number }>(
      `select count(*)::int as filled, count(distinct xmin::text)::int as batches
       from item where doubled = id * 2`,
    );
    expect(rows[0]).toEqual({ filled: ROWS, batches: 3 });
    const { rows: indexes } = await database.query<{ indisvalid: boolean }>(
      "select indisvalid from pg_index where indexrelid = 'item_doubled_idx'::regclass",
    );
    expect(indexes).toEqual([{ indisvalid: true }]);
  });

  test('a backfill that was interrupted continues', async () => {
    const third = fake(
      '0004_tripled_backfill',
      `update item set doubled = id * 3
       where id in (select id from item where doubled <> id * 3 order by id limit 10)`,
    );
    await database.query('update item set doubled = id * 3 where id <= 10');
    expect(await migrate(database, [first, backfill, index, third])).toEqual([third.name]);
    const { rowCount } = await database.query('select from item where doubled = id * 3');
    expect(rowCount).toBe(ROWS);
  });
});

describe('a table that a transaction reads for long', () => {
  let database: Database;
  let url: string;
  beforeAll(async () => {
    url = await createEmptyServerDatabase();
    database = await openServer({ url, poolSize: 4, onError: () => {} });
    await migrate(database, [first]);
  });
  afterAll(() => database.close());

  test('is written to while a migration waits, and migrated when the reader ends', async () => {
    const change = fake('0002_change', 'alter table item add column more text');
    const migrator = await openServer({ url, poolSize: 2, onError: () => {} });
    let migrated: Promise<string[]> | undefined;
    await transaction(database, async (tx) => {
      await tx.query('select from item');
      migrated = migrate(migrator, [first, change]);
      // Each waits behind the migration for at most as long as the migration waits, and runs.
      for (let writes = 0; writes < 40; writes++) {
        await database.query('update item set doubled = $1 where id = 1', [writes]);
        await database.query('select pg_sleep(0.05)');
      }
      const { rows } = await database.query(
        "select from pg_attribute where attrelid = 'item'::regclass and attname = 'more'",
      );
      expect(rows).toHaveLength(0);
    });
    expect(await migrated).toEqual([change.name]);
    await migrator.close();
  });
});
