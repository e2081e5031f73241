import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  copyRow,
  dropGuards,
  openTamperedLedger,
  type TamperedLedger,
} from '../../../test/ledger/tampering-fixture.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import type { Database, Transaction } from '../../db/index.ts';
import { createMasterKey } from '../../master-key.ts';
import { installLedger, postTransfers, signHead, verifyLedger } from '../index.ts';

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
  jsonb: (c) => `jsonb_set(${c}, '{changed}', 'true')`,
  text: (c) => `coalesce(${c}, '') || 'x'`,
  bytea: (c) => `set_byte(${c}, 0, get_byte(${c}, 0) # 1)`,
  date: (c) => `${c} + 1`,
  'timestamp with time zone': (c) => `coalesce(${c}, now()) + interval '1 microsecond'`,
};
/** What a column of each type can hold though no posting ever writes it. */
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
  seal: 'shard, position',
  account: 'wallet_id, currency_id',
  ledger_shard: 'shard',
  earning_day: 'user_id, day',
  earning_total: 'user_id',
  entry_block: 'wallet_id, block',
  ledger_head: 'day',
  ledger_key: 'kid',
  wallet_kind: 'id',
};
/** Say when the row was stored; the signed body of a head says it too, and of a key only which is the newest hangs on it. */
const FREE = new Set(['ledger_head.created_at', 'ledger_key.created_at']);
/** Tells the next batch only that somebody changed the row: whatever else it says makes that batch read it first. */
const STAMPS = new Set(['account.version']);

describe.each(RUN_ENGINES)('verifying on %s', (engine) => {
  let database: Database;
  let ledger: TamperedLedger;
  let columns: Column[] = [];
  const after: TamperedLedger['after'] = (tamper) => ledger.after(tamper);
  beforeAll(async () => {
    ledger = await openTamperedLedger(engine);
    ({ database } = ledger);
    const { rows } = await database.query<Column>(
      `select table_name as table, column_name as column, data_type as type, is_nullable = 'YES' as "isNullable" from information_schema.columns
       where table_schema = 'public' and table_name = any($1) order by table_name, ordinal_position`,
      [Object.keys(TABLES)],
    );
    columns = rows.filter(({ table, column }) => !FREE.has(`${table}.${column}`));
  });
  afterAll(() => database.close());

  test('an untouched ledger agrees with itself', async () => {
    expect(await verifyLedger(database)).toMatchObject({ findings: [], transfers: 364, heads: 1 });
  });

  /** What verify says once a column of some rows was set by hand, past every guard. */
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
            `update ${table} set ${column} = ${value} where ${column} is distinct from ${value} and ${where}`,
          )
        ).rowCount,
      ).toBeGreaterThan(0);
    });
  }

  function oneRow(table: string): string {
    const key = TABLES[table];
    return table === 'ledger_shard'
      ? 'shard = 0'
      : `(${key}) = (select ${key} from ${table} order by ${key} offset (select count(*) / 2 from ${table}) limit 1)`;
  }

  test('every field of every table, changed by hand, is found', { timeout: 180_000 }, async () => {
    expect(columns.length).toBeGreaterThan(70);
    for (const { table, column, type } of columns) {
      if (STAMPS.has(`${table}.${column}`)) continue;
      const change = CHANGES[type]?.(column);
      if (change === undefined) throw new Error(`no way to change ${table}.${column}, a ${type}`);
      const found = await afterSetting(table, column, change, oneRow(table));
      expect({ field: `${table}.${column}`, found: found.length > 0 }).toEqual({
        field: `${table}.${column}`,
        found: true,
      });
    }
  });

  test('values that no posting writes are found, and never end the check', {
    timeout: 300_000,
  }, async () => {
    const missed: unknown[] = [];
    const cases = columns.flatMap((column) =>
      [...(EXTREMES[column.type] ?? []), ...(column.isNullable ? [] : ['null'])].map((value) => ({
        ...column,
        value,
      })),
    );
    // Both engines are PostgreSQL: the slower one tries every third.
    for (const { table, column, value } of cases.filter(
      (_, i) => engine === 'server' || i % 3 === 0,
    )) {
      const found = await afterSetting(table, column, value, oneRow(table)).catch(
        (error: unknown) => error,
      );
      if (!Array.isArray(found) || found.length === 0)
        missed.push({ field: `${table}.${column} = ${value}`, found });
    }
    expect(missed).toEqual([]);
  });

  test('rows with such values are named', async () => {
    const first = async (sql: string) => (await after((tx) => tx.query(sql)))[0];
    expect(await first("update transfer set event_at = 'infinity' where id = 17")).toBe(
      'transfer 17 does not agree with seal 0/1',
    );
    expect(await first("update transfer set amount = 'NaN' where id = 17")).toBe(
      'transfer 17 does not agree with seal 0/1',
    );
    expect(
      await first('update transfer set debit_wallet = 9223372036854775807 where id = 17'),
    ).toBe('transfer 17 does not agree with seal 0/1');
    expect(
      await first("update batch_seal set created_at = 'infinity' where shard = 0 and position = 2"),
    ).toBe('seal 0/2 was changed');
    expect(
      await first(
        "update entry set balance_after = 'NaN' where (wallet_id, position) = (select credit_wallet, credit_position from transfer where id = 17)",
      ),
    ).toMatch(/^entry \d+\/2 does not agree with seal 0\/1$/);
    expect(await first("update hold set expires_at = 'infinity' where id = 1")).toMatch(
      /^hold_step 1 or hold 1 does not agree with seal 0\/\d+$/,
    );
    expect(await first('update hold set expires_at = null where id = 1')).toMatch(
      /^hold_step 1 or hold 1 does not agree with seal 0\/\d+$/,
    );
  });

  test('the row is named', async () => {
    const { rows } = await database.query<{ id: number; wallet: number; position: number }>(
      'select id, credit_wallet as wallet, credit_position as position from transfer order by id offset 100 limit 1',
    );
    const row = rows[0];
    if (!row) throw new Error('there is no transfer');
    expect(
      (
        await after((tx) =>
          tx.query('update transfer set amount = amount + 1 where id = $1', [row.id]),
        )
      )[0],
    ).toMatch(`transfer ${row.id} `);
    expect(
      (
        await after((tx) =>
          tx.query("update transfer set remark = 'other' where id = $1", [row.id]),
        )
      )[0],
    ).toMatch(`transfer ${row.id} `);
    for (const column of ['debit_wallet', 'debit_position', 'credit_wallet', 'credit_position'])
      expect(
        (
          await after((tx) =>
            tx.query(`update transfer set ${column} = ${column} + 7000 where id = $1`, [row.id]),
          )
        )[0],
      ).toMatch(`transfer ${row.id} `);
    const entry = `entry ${row.wallet}/${row.position} `;
    const change = (set: string) =>
      after((tx) =>
        tx.query(`update entry set ${set} where wallet_id = $1 and position = $2`, [
          row.wallet,
          row.position,
        ]),
      );
    expect((await change('balance_after = balance_after + 1'))[0]).toMatch(entry);
    expect((await change('amount = amount + 1'))[0]).toMatch(entry);
    expect((await change('seq = seq + 1'))[0]).toMatch(entry);
    expect((await change('position = position + 7000'))[0]).toMatch(entry);
    expect((await after((tx) => tx.query('delete from transfer where id = $1', [row.id])))[0]).toBe(
      `transfer ${row.id} is missing`,
    );
    expect(
      (
        await after((tx) =>
          tx.query('delete from entry where wallet_id = $1 and position = $2', [
            row.wallet,
            row.position,
          ]),
        )
      )[0],
    ).toMatch(entry);
    expect(
      (
        await after((tx) =>
          tx.query('update batch_seal set mac = leaves where shard = 0 and position = 3'),
        )
      )[0],
    ).toBe('seal 0/3 was changed');
    expect(
      (await after((tx) => tx.query('delete from batch_seal where shard = 0 and position = 3')))[0],
    ).toBe('seal 0/3 is missing');
    expect((await after((tx) => tx.query('delete from hold where id = 1')))[0]).toBe(
      'hold 1 is missing',
    );
    expect((await after((tx) => tx.query('delete from hold_step where id = 17')))[0]).toBe(
      'hold_step 17 is missing',
    );
  });

  test('a key that is published in the place of the one that signs is named', async () => {
    const { kid } = await signHead(database);
    const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    const swapped = await after((tx) =>
      tx.query(
        "update ledger_key set public_jwk = jsonb_set(public_jwk, '{x}', to_jsonb($1::text))",
        [x],
      ),
    );
    expect(swapped).toEqual([
      `ledger_key ${kid} was changed: what is published is not the public part of its private one`,
    ]);
    const sealed = await after((tx) =>
      tx.query("update ledger_key set sealed_private_key = 'AAAA'"),
    );
    expect(sealed[0]).toBe(`ledger_key ${kid} was changed: its private part does not open`);
  });

  test('a kind of wallet whose code or side was changed is named', async () => {
    const swap = (one: string, other: string) =>
      after(async (tx) => {
        await dropGuards(tx, 'wallet_kind');
        await tx.query(
          'update wallet_kind set code = case code when $1 then $2 else $1 end where code in ($1, $2)',
          [one, other],
        );
      });
    expect(await swap('adjustment', 'treasury')).toEqual([
      'wallet_kind 37 was changed: it is adjustment',
      'wallet_kind 40 was changed: it is treasury',
    ]);
    expect(await swap('asset', 'bonus')).toEqual([
      'wallet_kind 1 was changed: it is asset',
      'wallet_kind 2 was changed: it is bonus',
    ]);
    expect(await swap('savings', 'fees')).toEqual([
      'wallet_kind 3 was changed: it is savings',
      'wallet_kind 39 was changed: it is fees',
    ]);
    const alter = (sql: string) =>
      after((tx) => dropGuards(tx, 'wallet_kind').then(() => tx.query(sql)));
    expect(await alter("update wallet_kind set code = 'pension' where id = 3")).toEqual([
      'wallet_kind 3 was changed: it is savings',
    ]);
    expect(await alter('delete from wallet_kind where id = 3')).toEqual([
      'wallet_kind 3 is missing: it is savings',
    ]);
    expect(await alter('update wallet_kind set is_house = true where id = 3')).toEqual([
      'wallet_kind 3 was changed: it is on the wrong side',
    ]);
  });

  test('currencies and types of business are named when anything of them was changed, used or not', async () => {
    const found = await after(async (tx) => {
      for (const table of ['currency', 'transaction_type']) await dropGuards(tx, table);
      await tx.query("update currency set scale = scale + 1 where code in ('EDGE', 'LTC')");
      await tx.query("update currency set code = 'BTC' where code = 'ETH'");
      const set = (code: string, change: string) =>
        tx.query(`update transaction_type set ${change} where code = $1`, [code]);
      await set('withdrawal', 'credit_sign = 1');
      await set('package_refund', "reversed_as = 'gift'");
      await set('adjustment', "counter = 'deposited'");
      await set('conversion_in', 'is_earning = true');
      await set('withdrawal_fee', "code = 'present'");
      await tx.query("delete from transaction_type where code = 'gift'");
    });
    const rows = [
      'currency 1',
      'currency 3',
      'currency 4',
      'transaction_type 3',
      'transaction_type 5',
      'transaction_type 7',
      'transaction_type 10',
      'transaction_type 12',
    ];
    for (const row of rows)
      expect(found.filter((line) => line.startsWith(`${row} was changed: it is `))).toHaveLength(1);
    expect(found).toContain(
      'transaction_type 13 is missing: it is gift, an earning, counts 1 as nothing, reversed as itself',
    );
  });

  test('inserted rows are found', async () => {
    const copy = (table: string, changed: Record<string, string>) =>
      after((tx) => dropGuards(tx, table).then(() => copyRow(tx, table, changed)));
    expect(await copy('transfer', { id: '16001', idempotencyKey: "'forged'" })).toContain(
      'transfer 16001 was never sealed',
    );
    expect(await copy('hold_step', { id: '16001', idempotencyKey: "'forged'" })).toContain(
      'hold_step 16001 was never sealed',
    );
    expect(await copy('hold', { id: '16001' })).toContain('hold 16001 was never placed');
    expect((await copy('batch_seal', { position: '1000' }))[0]).toMatch(
      /^seal \d+\/1000 was never sealed$/,
    );
    expect(await copy('entry', { position: '100000' })).not.toEqual([]);
    expect(await copy('account', { wallet_id: '-1', kind_id: '40', seq: '0' })).not.toEqual([]);
    expect(await copy('earning_day', { day: "'2020-01-01'" })).not.toEqual([]);
  });

  test('a forger without the key cannot make a seal that fits', async () => {
    installLedger(database, {
      clock: ledger.clock,
      masterKey: createMasterKey(Buffer.alloc(32, 9)),
    });
    const found = await after(async (tx) =>
      postTransfers(tx, [ledger.reward(2000)]).then(() =>
        installLedger(database, { clock: ledger.clock, masterKey: testMasterKey }),
      ),
    );
    expect(found[0]).toMatch(/^seal 0\/\d+ was changed$/);
  });

  test('a tail that was cut off with all its traces is found against an exported head', async () => {
    const cut = async (tx: Transaction): Promise<void> => {
      // The perfect crime: a whole copy of the tables from before the last batch.
      const tables = [
        'transfer',
        'entry',
        'account',
        'batch_seal',
        'ledger_shard',
        'earning_day',
        'earning_total',
        'entry_count_block',
      ];
      for (const table of tables)
        await tx.query(`create temp table old_${table} on commit drop as table ${table}`);
      await postTransfers(tx, [ledger.reward(3000)]);
      const head = await signHead(tx);
      for (const table of tables) {
        await tx.query(`alter table ${table} disable trigger user`);
        await tx.query(`delete from ${table}`);
        await tx.query(`insert into ${table} select * from old_${table}`);
      }
      expect((await verifyLedger(tx)).findings).toEqual([]);
      const { findings } = await verifyLedger(tx, [head]);
      expect(findings[0]).toMatchObject({
        check: 'heads',
        row: expect.stringMatching(/^seal 0\/\d+$/),
        detail: expect.stringContaining('cut off'),
      });
      expect(
        (await verifyLedger(tx, [{ ...head, body: head.body.replace('"shard":0', '"shard":1') }]))
          .findings[0]?.detail,
      ).toBe('was not signed by this ledger');
    };
    await after(cut);
  });
});
