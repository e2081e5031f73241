import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import { startOfDay } from '../lib/calendar.ts';
import { createManualClock } from '../lib/clock.ts';
import {
  type Bill,
  type BillFilter,
  installLedger,
  type Posting,
  postTransfers,
  readBills,
  streamBills,
} from './index.ts';

const DAYS = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'];
const CURRENCIES = ['EDGE', 'USDT'];
const BUSINESSES = ['reward', 'package_purchase', 'withdrawal_fee', 'adjustment'];
/**
 * Over two full blocks of 256, so that counts, both ends and the page across a border all matter.
 */
const BILLS = 600;

interface FilterCase<V> {
  readonly values: readonly V[];
  selects(bill: Bill, value: V): boolean;
}

type FilterCases = { readonly [K in keyof BillFilter]-?: FilterCase<Required<BillFilter>[K]> };

/** Of each filter: values, and the bills that they select. A filter without does not compile. */
const FILTERS: FilterCases = {
  currency: { values: CURRENCIES, selects: (bill, currency) => bill.currency === currency },
  direction: { values: [1, 2], selects: (bill, direction) => bill.direction === direction },
  businessId: { values: BUSINESSES, selects: (bill, code) => bill.businessId === code },
  from: {
    values: ['2026-11-02', '2026-11-04'].map(startOfDay),
    selects: (bill, from) => bill.createdAt >= from,
  },
  before: {
    values: ['2026-11-02', '2026-11-04', '2026-12-01'].map(startOfDay),
    selects: (bill, before) => bill.createdAt < before,
  },
};
const NAMES = Object.keys(FILTERS) as (keyof BillFilter)[];

/** Every combination of the filters, each absent or one of its values; no empty range. */
function combinations(): BillFilter[] {
  let found: BillFilter[] = [{}];
  for (const name of NAMES)
    found = found.flatMap((filter) => [
      filter,
      ...FILTERS[name].values.map((value) => ({ ...filter, [name]: value })),
    ]);
  return found.filter(({ from, before }) => !from || !before || before > from);
}

function matches(bill: Bill, filter: BillFilter): boolean {
  const cases: Record<keyof BillFilter, FilterCase<unknown>> = FILTERS;
  return NAMES.every(
    (name) => filter[name] === undefined || cases[name].selects(bill, filter[name]),
  );
}

describe.each(RUN_ENGINES)('bills on %s', (engine) => {
  let database: Database;
  let user: number;
  let all: Bill[] = [];
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    user = await insertUser(database);
    const clock = createManualClock('2026-11-01T00:00:00Z');
    installLedger(database, { clock, masterKey: testMasterKey });
    for (let posted = 0; posted < BILLS; ) {
      const day = DAYS[Math.floor((posted / BILLS) * DAYS.length)] ?? '';
      clock.set(new Date(Math.max(clock.now().getTime(), startOfDay(day).getTime())));
      const count = Math.min(37, BILLS - posted);
      await postTransfers(
        database,
        Array.from({ length: count }, (_, i) => posting(user, posted + i)),
      );
      clock.advance(1000);
      posted += count;
    }
    all = await readAll({});
  });
  afterAll(() => database.close());

  function posting(userId: number, n: number): Posting {
    const mine = { userId, wallet: 'asset' } as const;
    const house = { house: 'adjustment' } as const;
    const isCredit = (n * 7) % 5 > 1;
    return {
      idempotencyKey: `bill-${n}`,
      debit: isCredit ? house : mine,
      credit: isCredit ? mine : house,
      currency: CURRENCIES[(n * 3) % CURRENCIES.length] ?? '',
      amount: BigInt(n + 1),
      // One type is rare: its pages are spread over many blocks.
      businessId:
        n % 97 === 0
          ? 'withdrawal_fee'
          : (['reward', 'package_purchase', 'adjustment'][n % 3] ?? ''),
      eventAt: new Date('2026-10-01T00:00:00Z'),
      mayOverdraw: true,
    };
  }

  async function readAll(filter: BillFilter): Promise<Bill[]> {
    const records: Bill[] = [];
    for (let current = 1; ; current++) {
      const { bills, total } = await readBills(
        database,
        { userId: user, wallet: 'asset' },
        filter,
        { current, size: 20 },
      );
      records.push(...bills);
      if (bills.length === 0) {
        expect(records.length).toBe(total);
        return records;
      }
    }
  }

  test('without a filter every bill is listed once, newest first', () => {
    expect(all.length).toBe(BILLS);
    expect(all.map((bill) => bill.amount)).toEqual(
      Array.from({ length: BILLS }, (_, i) => BigInt(BILLS - i)),
    );
  });

  test('every combination of filters agrees with a naive oracle on four pages', async () => {
    for (const filter of combinations()) {
      const expected = all.filter((bill) => matches(bill, filter));
      const pages = Math.ceil(expected.length / 20);
      for (const current of new Set([
        1,
        Math.max(1, Math.floor(pages / 2)),
        Math.max(1, pages),
        pages + 1,
      ])) {
        const { bills, total } = await readBills(
          database,
          { userId: user, wallet: 'asset' },
          filter,
          { current, size: 20 },
        );
        expect({ filter, current, total, ids: bills.map((bill) => bill.id) }).toEqual({
          filter,
          current,
          total: expected.length,
          ids: expected.slice((current - 1) * 20, current * 20).map((bill) => bill.id),
        });
      }
    }
  });

  test('a stream gives what the pages give, with every combination of filters', async () => {
    for (const filter of combinations()) {
      const streamed: Bill[] = [];
      const account = { userId: user, wallet: 'asset' } as const;
      for await (const piece of streamBills(database, account, filter)) streamed.push(...piece);
      expect({ filter, bills: streamed }).toEqual({
        filter,
        bills: all.filter((bill) => matches(bill, filter)),
      });
    }
  });

  test('reading page by page gives the same as reading all at once', async () => {
    expect((await readAll({ businessId: 'withdrawal_fee' })).map((bill) => bill.id)).toEqual(
      all.filter((bill) => bill.businessId === 'withdrawal_fee').map((bill) => bill.id),
    );
  });

  test("the house's own account is listed by currency, too", async () => {
    const mine = all.filter((bill) => bill.currency === 'EDGE');
    const house = await readBills(
      database,
      { house: 'adjustment' },
      { currency: 'EDGE' },
      { current: 2, size: 20, shard: 0 },
    );
    expect(house.total).toBe(mine.length);
    expect(house.bills.map((bill) => bill.amount)).toEqual(
      mine.slice(20, 40).map((bill) => bill.amount),
    );
    expect(
      house.bills.every(
        (bill, i) =>
          bill.direction !== mine[20 + i]?.direction && bill.counterparty === `user:${user}`,
      ),
    ).toBe(true);
  });
});
