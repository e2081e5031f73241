/** The schema is ready for cells: ids have room for a cell, and every key is considered. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import { idInShard, readWalletId, SHARDS, toHouseWalletId } from '../../src/ledger/wallet-ids.ts';
import { openTestDatabase, RUN_ENGINES } from '../support/databases.ts';
import { findCrossingFiles, mayCross } from './find-crossing-joins.ts';
import {
  CELL_BITS,
  CELL_COLUMNS,
  CELL_ID_TABLES,
  CROSSING,
  CROSSING_JOINS,
  ID_BITS,
  KEYS,
  NO_CELL_COLUMNS,
  type Placement,
  SAME_USER,
  TABLES,
} from './placement.ts';

const UNIQUE_KEYS = `select t.relname as "table", k.relname as name,
    array(select a.attname::text from unnest(i.indkey::int2[]) key
      join pg_attribute a on a.attrelid = t.oid and a.attnum = key) as columns
  from pg_index i join pg_class k on k.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
  where i.indisunique and t.relnamespace = 'public'::regnamespace order by 1, 2`;

const FOREIGN_KEYS = `select c.conname as name, t.relname as "table", r.relname as target,
    array(select a.attname::text from unnest(c.conkey) key
      join pg_attribute a on a.attrelid = t.oid and a.attnum = key) as columns
  from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class r on r.oid = c.confrelid
  where c.contype = 'f' order by 1`;

interface Key {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
}

const PLACES = new Map(
  Object.entries(TABLES).flatMap(([place, tables]) =>
    tables.map((table) => [table, place as Placement] as const),
  ),
);

const namesCell = ({ table, columns }: Key): boolean =>
  columns.some(
    (column) => CELL_COLUMNS.has(column) && !NO_CELL_COLUMNS.has(`${table}.${column}`),
  ) ||
  (columns.includes('id') && CELL_ID_TABLES.has(table));

test('each file with SQL that may join users of two cells is listed with its substitute', () => {
  expect(CROSSING_JOINS.flatMap(({ files }) => files).toSorted()).toEqual(findCrossingFiles());
});

test.each([
  ['a join by the referrer', 'select 1 from app_user a join app_user u on u.id = a.referrer_id'],
  ['members with users', 'select 1 from community_member m join app_user u on u.id = m.user_id'],
  ['counters with users', 'select 1 from rate_limit r join app_user u on u.email_key = r.subject'],
  [
    'a ranking by address',
    'select row_number() over (partition by p.address) from device_presence p',
  ],
  ['users with one key', 'select 1 from device d where key_thumbprint = :key'],
] as const)('the rule finds %s', (_, text) => {
  expect(mayCross(`const A = \`${text}\`;`)).toBe(true);
  expect(mayCross(`// ${text}\nconst A = 1;`)).toBe(false);
});

test('the rule passes what stays with one user', () => {
  const text = 'select 1 from device d join app_user u on u.id = d.user_id where u.id = :user_id';
  expect(mayCross(`const A = \`${text}\`;`)).toBe(false);
});

describe.each(RUN_ENGINES)('cells on %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  test('each table belongs to one place', async () => {
    const { rows } = await database.query<{ table: string }>(
      `select relname as "table" from pg_class
       where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
    );
    const placed = Object.values(TABLES).flat();
    expect(placed.toSorted()).toEqual(rows.map(({ table }) => table).toSorted());
  });

  test('each unique key contains a cell, or is listed with the reason why it holds', async () => {
    const { rows } = await database.query<Key>(UNIQUE_KEYS);
    const places: readonly unknown[] = ['user', 'cell'];
    const open = rows.filter((key) => places.includes(PLACES.get(key.table)) && !namesCell(key));
    expect(Object.values(KEYS).flat().toSorted()).toEqual(open.map(({ name }) => name).toSorted());
  });

  test('each foreign key stays in its cell, or is listed with its substitute', async () => {
    const { rows } = await database.query<Key & { target: string }>(FOREIGN_KEYS);
    const staysInCell = ({ name, table, target, columns }: (typeof rows)[number]): boolean => {
      const [from, to] = [PLACES.get(table), PLACES.get(target)];
      if (from === to && from !== 'user') return true;
      if (to === 'reference') return from === 'user' || from === 'cell';
      if (to === 'cell') return from === 'user';
      const isOwner = columns.includes('user_id') || columns.includes('device_id');
      return from === 'user' && to === 'user' && (isOwner || SAME_USER.includes(name));
    };
    const crossing = rows.filter((key) => !staysInCell(key)).map(({ name }) => name);
    expect(crossing.filter((name) => !(name in CROSSING))).toEqual([]);
    const names = rows.map(({ name }) => name);
    expect([...SAME_USER, ...Object.keys(CROSSING)].filter((key) => !names.includes(key))).toEqual(
      [],
    );
  });

  test('cell 0 never gives an id with the bits of a cell', async () => {
    const largest = async (table: string): Promise<number> => {
      const { rows } = await database.query<{ max: number }>(
        `select seqmax as max from pg_sequence
         where seqrelid = pg_get_serial_sequence($1, 'id')::regclass`,
        [table],
      );
      return rows[0]?.max ?? 0;
    };
    expect(await largest('app_user')).toBe(2 ** (ID_BITS.user - CELL_BITS) - 1);
    expect(await largest('device')).toBe(2 ** (ID_BITS.device - CELL_BITS) - 1);
    const most = 2 ** (ID_BITS.transfer - CELL_BITS) / SHARDS - 1;
    expect(idInShard(most - 1, SHARDS - 1)).toBeLessThan(2 ** (ID_BITS.transfer - CELL_BITS));
    for (const column of ['transfers', 'steps', 'refusals']) {
      const count = (value: number) =>
        database.query(`update ledger_shard set ${column} = $1 where shard = 0`, [value]);
      await expect(count(most + 1)).rejects.toThrow('ledger_shard_ids_check');
    }
  });

  test('house wallets of each cell have ids that name kind and shard', async () => {
    const { rows } = await database.query<{ type: string }>(
      `select atttypid::regtype::text as type from pg_attribute
       where attrelid = 'wallet_kind'::regclass and attname = 'id'`,
    );
    expect(rows).toEqual([{ type: 'smallint' }]);
    const kinds = [32, 33, 2 ** 15 - 1];
    const ofCell = 2 ** (ID_BITS.houseWallet - CELL_BITS);
    const ids = [0, 1, 2 ** CELL_BITS - 1].flatMap((cell) =>
      kinds.flatMap((kindId) =>
        Array.from({ length: SHARDS }, (_, shard) => {
          const id = toHouseWalletId(kindId, shard) - cell * ofCell;
          expect(readWalletId(id)).toEqual({ kindId, shard, userId: null });
          expect(Math.floor((-id - 1) / ofCell)).toBe(cell);
          return id;
        }),
      ),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => Number.isSafeInteger(id) && id < 0)).toBe(true);
    expect(() => toHouseWalletId(32, SHARDS)).toThrow(RangeError);
  });

  test('wallet ids and bill ids with a cell are exact numbers', () => {
    expect(2 ** ID_BITS.user * 32 + 31).toBeLessThan(2 ** 53);
    expect(2 ** ID_BITS.transfer * 2 - 1).toBeLessThan(2 ** 53);
    expect(2 ** ID_BITS.device).toBeLessThanOrEqual(2 ** 53);
  });
});
