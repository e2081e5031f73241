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

describe.each(RUN_ENGINES)('findings on %s', (engine) => {
  let database: Database;
  let ledger: TamperedLedger;
  const after: TamperedLedger['after'] = (tamper) => ledger.after(tamper);
  beforeAll(async () => {
    ledger = await openTamperedLedger(engine);
    ({ database } = ledger);
  });
  afterAll(() => database.close());

  test('rows with invalid values are named', async () => {
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
        `update entry set balance_after = 'NaN' where (wallet_id, position) = (select credit_wallet,
          credit_position from transfer where id = 17)`,
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
      `select id, credit_wallet as wallet, credit_position as position from transfer
        order by id offset 100 limit 1`,
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
    const { rows: refusals } = await database.query<{ id: number }>(
      'select id from refused_posting order by created_at, id',
    );
    expect(refusals).toHaveLength(2);
    for (const { id } of refusals) {
      const name = `refused_posting ${id}`;
      expect(
        (await after((tx) => tx.query('delete from refused_posting where id = $1', [id])))[0],
      ).toBe(`${name} is missing`);
      expect(
        (
          await after((tx) =>
            tx.query("update refused_posting set code = 'other' where id = $1", [id]),
          )
        )[0],
      ).toMatch(`${name} does not agree with seal 0/`);
    }
    expect((await after((tx) => tx.query('delete from hold where id = 1')))[0]).toBe(
      'hold 1 is missing',
    );
    expect((await after((tx) => tx.query('delete from hold_step where id = 17')))[0]).toBe(
      'hold_step 17 is missing',
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
    expect(await copy('refused_posting', { id: '16001', idempotency_key: "'forged'" })).toContain(
      'refused_posting 16001 was never sealed',
    );
    expect(await copy('hold', { id: '16001' })).toContain('hold 16001 was never placed');
    expect((await copy('batch_seal', { position: '1000' }))[0]).toMatch(
      /^seal \d+\/1000 was never sealed$/,
    );
    expect(await copy('entry', { position: '100000' })).not.toEqual([]);
    expect(await copy('account', { wallet_id: '-1', kind_id: '40', seq: '0' })).not.toEqual([]);
    expect(await copy('earning_day', { day: "'2020-01-01'" })).not.toEqual([]);
  });

  test('without the key no valid seal can be forged', async () => {
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

  test('a chain whose end was removed is detected by an exported head', async () => {
    const cut = async (tx: Transaction): Promise<void> => {
      // The undetectable case within the database: a complete copy of the tables from before the
      // last batch.
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
