/** Ends of days of accounts of the house: kept once a day is over, and equal to the entries. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, queryNamed, transaction } from '../db/index.ts';
import { addDays, startOfDay } from '../lib/calendar.ts';
import { createManualClock } from '../lib/clock.ts';
import { keepHouseBalances, readHouseBalanceDays } from './house-balance-days.ts';
import { readHouseBalancesAt } from './house-balances-at.ts';
import { ensureCurrency, installLedger, postTransfers, verifyLedger } from './index.ts';

const DAY_MS = 86_400_000;

describe.each(RUN_ENGINES)('ends of days on %s', (engine) => {
  const clock = createManualClock('2026-11-10T12:00:00Z');
  let database: Database;
  let userId: number;
  let count = 0;
  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    installLedger(database, { clock, masterKey: testMasterKey });
    userId = await insertUser(database);
  });
  afterAll(() => database.close());

  const pay = async (house: string, currency: string, amount: bigint): Promise<void> => {
    const [result] = await postTransfers(database, [
      {
        idempotencyKey: `p${count++}`,
        debit: { house },
        credit: { userId, wallet: 'asset' },
        ...{ currency, amount, businessId: house === 'reward_pool' ? 'reward' : 'deposit' },
        eventAt: clock.now(),
      },
    ]);
    expect(result?.status).toBe('posted');
  };
  const countKept = async (): Promise<number> => {
    const { rows } = await database.query<{ count: number }>(
      'select count(distinct day)::int as count from house_balance_day',
    );
    return rows[0]?.count ?? 0;
  };
  const ofPool = async (days: readonly string[]) =>
    (await readHouseBalanceDays(database, 'reward_pool', days)).map((end) => end.get('EDGE'));

  test('the first run keeps what an overview shows, the next one what is new', async () => {
    await pay('reward_pool', 'EDGE', 5n);
    expect(await keepHouseBalances(database)).toBe(true);
    expect(await countKept()).toBe(31);
    expect(await keepHouseBalances(database)).toBe(false);
    clock.advance(3 * DAY_MS);
    expect(await keepHouseBalances(database)).toBe(true);
    expect(await countKept()).toBe(34);
  });

  test('a day is kept ten minutes after its end, when no posting of it can come', async () => {
    clock.advance(startOfDay('2026-11-14').getTime() - clock.now().getTime() + 599_999);
    expect(await keepHouseBalances(database)).toBe(false);
    clock.advance(1);
    expect(await keepHouseBalances(database)).toBe(true);
  });

  test('kept days and the others equal the entries, in every currency', async () => {
    clock.advance(DAY_MS / 2);
    await pay('reward_pool', 'EDGE', 7n);
    await ensureCurrency(database, 'LATER', 2);
    await pay('deposit_clearing', 'LATER', 3n);
    clock.advance(DAY_MS);
    await pay('reward_pool', 'EDGE', 11n);
    const days = ['2026-11-09', '2026-11-10', '2026-11-13', '2026-11-14', '2026-11-15'];
    for (const day of days)
      for (const account of ['reward_pool', 'deposit_clearing'] as const) {
        const [read] = await readHouseBalanceDays(database, account, [day]);
        const next = startOfDay(addDays(day, 1));
        const entries = await readHouseBalancesAt(database, account, next);
        for (const [currency, balance] of entries)
          expect(read?.get(currency) ?? 0n, `${account} ${day} ${currency}`).toBe(balance);
      }
    expect(await ofPool(days.slice(2))).toEqual([-5n, -12n, -23n]);
  });

  test('two instances at once keep each day once', async () => {
    clock.advance(5 * DAY_MS);
    await Promise.all([keepHouseBalances(database), keepHouseBalances(database)]);
    expect(await ofPool(['2026-11-15', '2026-11-18', '2026-11-19'])).toEqual([-23n, -23n, -23n]);
    expect((await verifyLedger(database)).findings).toEqual([]);
  });

  test('verify names an end of a day that was changed', async () => {
    const found: string[] = [];
    await transaction(database, async (tx) => {
      await queryNamed(
        tx,
        `update house_balance_day set balance = balance + 1
          where day = :day and kind_id = 32 and currency_id = 1`,
        { day: '2026-11-14' },
      );
      found.push(...(await verifyLedger(tx)).findings.map(({ row }) => row));
      throw new Error('undo');
    }).catch((error: Error) => expect(error.message).toBe('undo'));
    expect(found).toEqual(['house_balance_day 32/2026-11-14/1']);
  });
});
