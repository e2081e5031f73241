/** Types and currencies of operators, between those of the baseline and of later migrations. */
import { expect, test } from 'vitest';
import { migrate, openServer } from '../../src/db/index.ts';
import { readMigrations } from '../../src/db/migrations.ts';
import { installLedger, verifyLedger } from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { createEmptyServerDatabase } from '../support/databases.ts';
import { testMasterKey } from '../support/test-config.ts';

test('later migrations may add names behind those of an operator', async () => {
  const url = await createEmptyServerDatabase();
  const database = await openServer({ url, poolSize: 2, onError: () => {} });
  await migrate(database, readMigrations().slice(0, 1));
  await database.query("insert into transaction_type (code) values ('gift')");
  await database.query("insert into currency (code, scale) values ('LTC', 8)");
  await migrate(database);
  const clock = createManualClock('2026-11-01T00:00:00Z');
  installLedger(database, { clock, masterKey: testMasterKey });
  expect((await verifyLedger(database)).findings).toEqual([]);
  await database.close();
});
