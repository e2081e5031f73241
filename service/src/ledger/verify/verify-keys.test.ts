import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  copyRow,
  dropGuards,
  openTamperedLedger,
  type TamperedLedger,
} from '../../../test/ledger/tampering-fixture.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import type { Transaction } from '../../db/index.ts';

/** Keys of the tables that verify reads, with the name of the duplicated row. */
const KEYS: readonly (readonly [
  table: string,
  columns: readonly string[],
  where: string,
  row: string,
])[] = [
  ['transfer', ['id'], 'id = 17', 'transfer 17'],
  ['entry', ['wallet_id', 'position'], 'wallet_id = -513 and position = 7', 'entry -513/7'],
  ['hold', ['id'], 'id = 1', 'hold 1'],
  ['hold_step', ['id'], 'id = 17', 'hold_step 17'],
  ['refused_posting', ['id', 'idempotency_key'], 'id = 1', 'refused_posting 1'],
  ['batch_seal', ['shard', 'position'], 'shard = 0 and position = 3', 'batch_seal 0/3'],
  ['ledger_shard', ['shard'], 'shard = 5', 'ledger_shard 5'],
  ['account', ['wallet_id', 'currency_id'], 'wallet_id = -513', 'account -513/1'],
  ['app_user', ['id'], 'id = 1', 'app_user 1'],
  ['currency', ['id', 'code'], "code = 'ETH'", 'currency 3'],
  ['transaction_type', ['id', 'code'], "code = 'reward'", 'transaction_type 8'],
  ['wallet_kind', ['id', 'code'], "code = 'fees'", 'wallet_kind 39'],
  [
    'earning_day',
    ['user_id', 'day', 'currency_id', 'reward_type', 'node_id'],
    'true',
    'earning_day 1/2026-11-10/1/TASK/n',
  ],
  [
    'earning_total',
    ['user_id', 'kind_id', 'currency_id', 'reward_type'],
    'true',
    'earning_total 1/1/1/TASK',
  ],
  [
    'entry_count_block',
    ['wallet_id', 'block', 'currency_id', 'business_id', 'direction'],
    'wallet_id = -513 and business_id = 8',
    'entry_count_block -513/0/1/8/2',
  ],
  ['ledger_head', ['day'], 'true', 'ledger_head 2026-11-09'],
  ['ledger_key', ['kid'], 'true', 'ledger_key '],
  ['reference_data_version', [], 'true', 'reference_data_version'],
];

async function dropAllGuards(tx: Transaction): Promise<void> {
  for (const [table] of KEYS) await dropGuards(tx, table);
}

async function allowNull(tx: Transaction, table: string, column: string): Promise<void> {
  await tx.query(`alter table ${table} alter column ${column} drop identity if exists`);
  await tx.query(`alter table ${table} alter column ${column} drop not null`);
}

describe.each(RUN_ENGINES)('keys on %s', (engine) => {
  let ledger: TamperedLedger;
  beforeAll(async () => {
    ledger = await openTamperedLedger(engine);
  });
  afterAll(() => ledger.database.close());

  test('a duplicate of any row is found, even if nothing else is wrong', async () => {
    const found = await ledger.after(async (tx) => {
      await dropAllGuards(tx);
      for (const [table, , where] of KEYS) await copyRow(tx, table, {}, where);
    });
    const missed = KEYS.filter(
      ([, , , row]) =>
        !found.some((line) => line.startsWith(row) && line.endsWith(' stands there 2 times')),
    );
    expect(missed).toEqual([]);
  });

  test('a duplicate in an inheriting table, past existing constraints, is found', async () => {
    const found = await ledger.after(async (tx) => {
      await tx.query('create table ghost () inherits (transfer)');
      await tx.query('insert into ghost select * from only transfer where id = 17');
    });
    expect(found[0]).toBe('transfer 17 stands there 2 times');
  });

  test.each(['before', 'behind'])(
    'a forged twin that stands %s the true row is found first',
    async (place) => {
      const twin = (table: string, changed: Record<string, string>, where: string) =>
        ledger.after(async (tx) => {
          await dropGuards(tx, table);
          // The row that is inserted last is read last.
          if (place === 'before')
            await tx.query(
              `create temp table kept on commit drop as select * from ${table} where ${where}`,
            );
          await copyRow(tx, table, changed, where);
          if (place === 'behind') return;
          await tx.query(
            `delete from ${table} where ctid = (select min(ctid) from ${table} where ${where})`,
          );
          await tx.query(`insert into ${table} overriding system value select * from kept`);
        });
      expect(
        (await twin('transfer', { amount: 'amount + 7', remark: "'forged'" }, 'id = 17'))[0],
      ).toBe('transfer 17 stands there 2 times');
      expect((await twin('hold', { reference: "'forged'" }, 'id = 1'))[0]).toBe(
        'hold 1 stands there 2 times',
      );
      expect((await twin('app_user', { status: "'closed'" }, 'true'))[0]).toBe(
        'app_user 1 stands there 2 times',
      );
    },
  );

  test('rows without a key are found', async () => {
    const keys = KEYS.flatMap(([table, columns, where]) =>
      columns.map((column) => ({ table, column, where })),
    );
    const found = await ledger.after(async (tx) => {
      await dropAllGuards(tx);
      for (const { table, column } of keys) await allowNull(tx, table, column);
      for (const { table, column, where } of keys)
        await copyRow(tx, table, { [column]: 'null' }, where);
    });
    const named = new RegExp(`^(${KEYS.map(([table]) => table).join('|')}) .*null.* has no key$`);
    expect(found.filter((line) => named.test(line))).toHaveLength(keys.length);
  });

  test.each([
    ['a transfer', 'r7', /^refused_posting 160001 has the key of transfer \d+$/],
    ['a step of a hold', 's1', /^refused_posting 160001 has the key of hold_step \d+$/],
  ])('a refused key that also stands for %s is found', async (_name, key, expected) => {
    const changed = { id: '160001', idempotency_key: `'${key}'` };
    const found = await ledger.after((tx) => copyRow(tx, 'refused_posting', changed));
    expect(found).toContainEqual(expect.stringMatching(expected));
  });

  test('rows that do not belong to the ledger are found', async () => {
    const first = async (table: string, tamper: (tx: Transaction) => Promise<unknown>) =>
      (await ledger.after((tx) => dropGuards(tx, table).then(() => tamper(tx))))[0];
    expect(
      await first('ledger_shard', (tx) => tx.query('insert into ledger_shard (shard) values (16)')),
    ).toBe('ledger_shard 16 is none of the ledger');
    expect(
      await first('batch_seal', (tx) => copyRow(tx, 'batch_seal', { shard: '16', position: '1' })),
    ).toBe('seal 16/1 was never sealed');
    expect(
      await first('currency', (tx) => copyRow(tx, 'currency', { id: '9' }, "code = 'EDGE'")),
    ).toBe('currency EDGE stands there 2 times');
    expect(
      await first('transaction_type', (tx) =>
        copyRow(tx, 'transaction_type', { id: '99' }, "code = 'reward'"),
      ),
    ).toBe('transaction_type reward stands there 2 times');
    expect(
      await first('reference_data_version', (tx) => tx.query('delete from reference_data_version')),
    ).toBe('reference_data_version stands there 0 times');
    const stranger = 'is not what its owner, kind and currency say';
    const account = {
      debits: '0',
      credits: '0',
      held: '0',
      deposited: '0',
      withdrawn: '0',
      seq: '0',
      posted_at: "'epoch'",
    };
    expect(
      await first('account', (tx) =>
        copyRow(tx, 'account', { ...account, currency_id: '77' }, 'wallet_id = 33'),
      ),
    ).toBe(`account 33/77 ${stranger}`);
    expect(await first('app_user', (tx) => tx.query('delete from app_user'))).toBe(
      `account 33/1 ${stranger}`,
    );
  });
});
