import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, transaction } from '../db/index.ts';
import { startOfDay } from '../lib/calendar.ts';
import { createManualClock } from '../lib/clock.ts';
import {
  findCurrency,
  installLedger,
  MERGED_MAX,
  type Posting,
  postTransfers,
  readBills,
  readHouseBalances,
  readHouseStatement,
  readStatement,
  type Statement,
} from './index.ts';

// Only the server posts in several shards at once.
const clock = createManualClock('2026-11-01T12:00:00Z');
const BATCH = 500;
let database: Database;
let userId: number;

function posting(n: number): Posting {
  const isPayment = n % 5 !== 0;
  const [house, person] = [{ house: 'reward_pool' }, { userId, wallet: 'bonus' }] as const;
  return {
    idempotencyKey: `merged-${n}`,
    debit: isPayment ? house : person,
    credit: isPayment ? person : house,
    currency: n % 10 === 3 ? 'USDT' : 'EDGE',
    amount: BigInt(n + 1),
    businessId: 'reward',
    eventAt: clock.now(),
    rewardType: 'TASK',
    mayOverdraw: true,
  };
}

async function read(current: number, size: number, range = {}): Promise<Statement | undefined> {
  const currency = await findCurrency(database, 'EDGE');
  if (!currency) throw new Error('no currency');
  return readHouseStatement(database, 'reward_pool', { ...range, currency, current, size });
}

/** A batch takes the first free shard: the shards before it are locked meanwhile. */
async function postInShard(shard: number, postings: readonly Posting[]): Promise<void> {
  await transaction(database, async (tx) => {
    await tx.query('select from ledger_shard where shard < $1 for update', [shard]);
    await postTransfers(database, postings);
  });
}

beforeAll(async () => {
  database = await openTestDatabase('server');
  installLedger(database, { clock, masterKey: testMasterKey });
  userId = await insertUser(database);
  for (let day = 0; day < 3; day++) {
    for (let batch = 0; batch < 8; batch++) {
      const first = (day * 8 + batch) * BATCH;
      const postings = Array.from({ length: BATCH }, (_, n) => posting(first + n));
      await postInShard(batch % 4, postings);
    }
    clock.advance(86_400_000);
  }
});
afterAll(() => database.close());

test('pages of a whole account are consecutive, down to the last one', async () => {
  const { rows } = await database.query('select from entry where wallet_id < 0 group by wallet_id');
  expect(rows.length).toBe(4);
  const [first, deep, next] = await Promise.all([
    read(1, 20),
    read(MERGED_MAX / 20 - 1, 20),
    read(MERGED_MAX / 20, 20),
  ]);
  expect(first?.total).toBe(3 * 8 * BATCH * 0.9);
  const balance = (await readHouseBalances(database)).find(
    ({ account, currency }) => account === 'reward_pool' && currency === 'EDGE',
  )?.balance;
  expect([first?.opening, first?.closing, first?.bills[0]?.balanceAfter]).toEqual([
    0n,
    balance,
    balance,
  ]);
  const bills = [...(deep?.bills ?? []), ...(next?.bills ?? [])];
  expect(bills).toHaveLength(40);
  for (const [n, bill] of bills.slice(0, -1).entries()) {
    const before = bill.balanceAfter - (bill.direction === 1 ? bill.amount : -bill.amount);
    expect(bills[n + 1]?.balanceAfter).toBe(before);
  }
  expect(await read(MERGED_MAX / 20 + 1, 20)).toBeUndefined();
  expect(await read(1_000_000, 20)).toMatchObject({ bills: [], total: first?.total });
});

test('the closing balance of a day is the opening balance of the next', async () => {
  const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map(startOfDay);
  const statements = await Promise.all(
    [0, 1, 2].map((n) => read(1, 1, { from: days[n], before: days[n + 1] })),
  );
  expect(statements.map((one) => one?.total)).toEqual([3600, 3600, 3600]);
  expect(statements.slice(1).map((one) => one?.opening)).toEqual(
    statements.slice(0, -1).map((one) => one?.closing),
  );
  expect(statements[2]?.closing).toBe((await read(1, 1))?.closing);
});

test.each(['EDGE', 'USDT'])('pages of one shard in %s are those of its bills', async (code) => {
  const currency = await findCurrency(database, code);
  if (!currency) throw new Error('no currency');
  const house = { house: 'reward_pool' };
  const days = { from: startOfDay('2026-11-02'), before: startOfDay('2026-11-03') };
  for (const range of [{}, days]) {
    for (const current of [1, 2, 15, 16, 50, 90]) {
      const page = { current, size: 20, shard: 1 };
      const filter = { ...range, currency: code };
      const { bills, total } = await readBills(database, house, filter, page);
      const statement = await readStatement(database, house, { ...range, ...page, currency });
      expect(statement.bills).toEqual(bills);
      expect(statement.total).toBe(total);
    }
  }
});
