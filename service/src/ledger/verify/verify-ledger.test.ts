import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  dropGuards,
  openTamperedLedger,
  type TamperedLedger,
} from '../../../test/ledger/tampering-fixture.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { sized } from '../../../test/support/scale.ts';
import type { Database } from '../../db/index.ts';
import { verifyLedger } from '../index.ts';

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly isNullable: boolean;
}

/** How a column of each type is changed by hand. */
const CHANGES: Readonly<Record<string, (column: string) => string>> = {
  bigint: (c) => `coalesce(${c}, 0) + 1`,
  smallint: (c) => `${c} + 1`,
  integer: (c) => `${c} + 1`,
  numeric: (c) => `${c} + 1`,
  boolean: (c) => `not ${c}`,
  json: (c) => `(coalesce(${c}::jsonb, '{}') || '{"changed": true}')::json`,
  jsonb: (c) => `jsonb_set(${c}, '{changed}', 'true')`,
  text: (c) => `coalesce(${c}, '') || 'x'`,
  bytea: (c) => `set_byte(${c}, 0, get_byte(${c}, 0) # 1)`,
  date: (c) => `${c} + 1`,
  'timestamp with time zone': (c) => `coalesce(${c}, now()) + interval '1 microsecond'`,
};
/** Values that a column of each type can hold although no posting writes them. */
const EXTREMES: Readonly<Record<string, readonly string[]>> = {
  bigint: ['9223372036854775807', '-9223372036854775808'],
  smallint: ['32767'],
  integer: ['2147483647'],
  numeric: ["'NaN'"],
  bytea: ["''"],
  date: ["'infinity'", "'-infinity'"],
  'timestamp with time zone': ["'infinity'", "'-infinity'", "'294276-12-31T23:59:59Z'"],
};
const TABLES: Readonly<Record<string, string>> = {
  transfer: 'id',
  entry: 'wallet_id, position',
  hold: 'id',
  hold_step: 'id',
  batch_seal: 'shard, position',
  refused_posting: 'id',
  account: 'wallet_id, currency_id',
  ledger_shard: 'shard',
  earning_day: 'user_id, day',
  earning_total: 'user_id',
  entry_count_block: 'wallet_id, block',
  ledger_head: 'day',
  ledger_key: 'kid',
  wallet_kind: 'id',
};
/**
 * Columns of the time when the row was stored: the signed body of a head contains it too, and of a
 * key it only decides which is the newest.
 */
const FREE = new Set(['ledger_head.created_at', 'ledger_key.created_at']);

/** Every nth extreme value is tried. */
const EXTREME_STRIDE = sized({ quick: 3, full: 1, soak: 1 });

describe.each(RUN_ENGINES)('verifying on %s', (engine) => {
  let database: Database;
  let ledger: TamperedLedger;
  let columns: Column[] = [];
  const after: TamperedLedger['after'] = (tamper) => ledger.after(tamper);
  beforeAll(async () => {
    ledger = await openTamperedLedger(engine);
    ({ database } = ledger);
    const { rows } = await database.query<Column>(
      `select table_name as table, column_name as column,
        data_type as type, is_nullable = 'YES' as "isNullable" from information_schema.columns
       where table_schema = 'public' and table_name = any($1) order by table_name,
         ordinal_position`,
      [Object.keys(TABLES)],
    );
    expect(new Set(rows.map(({ table }) => table))).toEqual(new Set(Object.keys(TABLES)));
    columns = rows.filter(({ table, column }) => !FREE.has(`${table}.${column}`));
  });
  afterAll(() => database.close());

  test('an unchanged ledger has no findings', async () => {
    expect(await verifyLedger(database)).toMatchObject({ findings: [], transfers: 364, heads: 1 });
  });

  /** The findings of verify after a column of some rows was changed by hand, past all guards. */
  function afterSetting(
    table: string,
    column: string,
    value: string,
    where: string,
  ): Promise<string[]> {
    return after(async (tx) => {
      await dropGuards(tx, table);
      if (value === 'null')
        await tx.query(`alter table ${table} alter column ${column} drop not null`);
      expect(
        (
          await tx.query(
            `update ${table} set ${column} = ${value} where ${column}::text is distinct from
              (${value})::text and ${where}`,
          )
        ).rowCount,
      ).toBeGreaterThan(0);
    });
  }

  test('every field of the step that cancelled a hold is found', async () => {
    const missed: string[] = [];
    for (const { table, column, type } of columns.filter((one) => one.table === 'hold_step')) {
      const change = CHANGES[type]?.(column) ?? '';
      const found = await afterSetting(table, column, change, "kind = 'cancel'");
      if (found.length === 0) missed.push(column);
    }
    expect(missed).toEqual([]);
  });

  function oneRow(table: string): string {
    const key = TABLES[table];
    return table === 'ledger_shard'
      ? 'shard = 0'
      : `(${key}) = (select ${key} from ${table} order by ${key} offset (select count(*) / 2
        from ${table}) limit 1)`;
  }

  test('every field of every table, changed by hand, is found', { timeout: 180_000 }, async () => {
    expect(columns.length).toBeGreaterThan(70);
    for (const { table, column, type } of columns) {
      const change = CHANGES[type]?.(column);
      if (change === undefined) throw new Error(`no way to change ${table}.${column}, a ${type}`);
      const found = await afterSetting(table, column, change, oneRow(table));
      expect({ field: `${table}.${column}`, found: found.length > 0 }).toEqual({
        field: `${table}.${column}`,
        found: true,
      });
    }
  });

  test('values that no posting writes are found, and never abort the check', {
    timeout: 300_000,
  }, async () => {
    const missed: unknown[] = [];
    const cases = columns.flatMap((column) =>
      [...(EXTREMES[column.type] ?? []), ...(column.isNullable ? [] : ['null'])].map((value) => ({
        ...column,
        value,
      })),
    );
    for (const { table, column, value } of cases.filter((_, i) => i % EXTREME_STRIDE === 0)) {
      const found = await afterSetting(table, column, value, oneRow(table)).catch(
        (error: unknown) => error,
      );
      if (!Array.isArray(found) || found.length === 0)
        missed.push({ field: `${table}.${column} = ${value}`, found });
    }
    expect(missed).toEqual([]);
  });
});
