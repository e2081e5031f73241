import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import type { Database } from '../db/index.ts';
import { ensureBusiness, ensureCurrency } from './index.ts';

describe.each(ENGINES)('reference data of the ledger on %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
  });
  afterAll(() => database.close());

  test('adding an existing name uses no id', async () => {
    const first = await ensureCurrency(database, 'LTC', 8);
    await Promise.all([1, 2, 3].map(() => ensureCurrency(database, 'LTC', 8)));
    expect((await ensureCurrency(database, 'DOGE', 8)).id).toBe(first.id + 1);
    const gift = await ensureBusiness(database, 'gift', { isEarning: true });
    expect(await ensureBusiness(database, 'gift', { isEarning: false })).toEqual(gift);
    expect((await ensureBusiness(database, 'prize', { isEarning: true })).id).toBe(gift.id + 1);
  });

  test('existing names are returned when no id is left', async () => {
    await database.query(
      "select setval('currency_id_seq', 32767), setval('transaction_type_id_seq', 32767)",
    );
    expect(await ensureCurrency(database, 'EDGE', 6)).toMatchObject({ code: 'EDGE', scale: 18 });
    expect(await ensureBusiness(database, 'reward', { isEarning: true })).toMatchObject({
      code: 'reward',
    });
  });
});
