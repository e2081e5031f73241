import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  dropGuards,
  openTamperedLedger,
  type TamperedLedger,
} from '../../../test/ledger/tampering-fixture.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import type { Database } from '../../db/index.ts';
import { signHead } from '../index.ts';

describe.each(RUN_ENGINES)('reference data on %s', (engine) => {
  let database: Database;
  let ledger: TamperedLedger;
  const after: TamperedLedger['after'] = (tamper) => ledger.after(tamper);
  beforeAll(async () => {
    ledger = await openTamperedLedger(engine);
    ({ database } = ledger);
  });
  afterAll(() => database.close());

  test('a key that is published in place of the signing key is named', async () => {
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

  test('a wallet kind whose code or side was changed is named', async () => {
    const swap = (one: string, other: string) =>
      after(async (tx) => {
        await dropGuards(tx, 'wallet_kind');
        await tx.query(
          `update wallet_kind set code = case code when $1 then $2 else $1 end
            where code in ($1, $2)`,
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

  test('a changed currency or transaction type is named, used or not', async () => {
    const { rows: added } = await database.query<{ id: number }>(
      "select id from transaction_type where code = 'gift'",
    );
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
      `transaction_type ${added[0]?.id} is missing: ` +
        'it is gift, an earning, counts 1 as nothing, reversed as itself',
    );
  });
});
