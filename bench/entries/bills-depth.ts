import type { Database } from '../../service/src/db/index.ts';
import { type BillFilter, postTransfers, readBills } from '../../service/src/ledger/index.ts';
import type { BenchEntry } from '../harness/entry.ts';
import { openLedgerLab, someReward } from '../support/ledger-lab.ts';

const BILLS = 1_000_000;
const DEEP = 50_000;
const SIZE = 20;
const CALLS = 300;

/**
 * A million bills of one person, written as the ledger would, without its time. Seals are left out:
 * nothing reads them here.
 */
async function fill(database: Database, userId: number): Promise<void> {
  const [first] = await postTransfers(database, [{ ...someReward([userId]), currency: 'EDGE' }]);
  if (first?.status !== 'posted') throw new Error('the first bill was refused');
  const wallet = userId * 32 + 2;
  await database.query(
    `insert into entry (wallet_id, position, seq, transfer_id, created_at, currency_id, business_id,
      direction, amount, balance_after)
     select $1, n, n, n * 16 + 1, timestamptz '2024-01-01' + n * interval '1 minute', 1,
       case when n % 1000 = 0 then 6 else 8 end, case when n % 5 = 0 then 2 else 1 end, 1, n
     from generate_series(2, ${BILLS}) n`,
    [wallet],
  );
  await database.query(
    `insert into transfer (id, debit_wallet, debit_position, credit_wallet, credit_position,
      event_at, created_at, currency_id, business_id, may_overdraw, amount, request_hash,
        idempotency_key)
     select transfer_id, -1, position, $1, position, created_at, created_at, 1, business_id, false,
       1, '', 'depth:' || position from entry where wallet_id = $1 and position > 1`,
    [wallet],
  );
  await database.query(
    `update entry set created_at = (select created_at from entry where wallet_id = $1
      and position = 2) where wallet_id = $1 and position = 1`,
    [wallet],
  );
  await database.query(
    `insert into entry_count_block select wallet_id, (position - 1) / 256, currency_id, business_id,
      direction, count(*) from entry
     where wallet_id = $1 and position <= ${BILLS} / 256 * 256 group by 1, 2, 3, 4, 5`,
    [wallet],
  );
  await database.query(
    `update account set seq = ${BILLS} where wallet_id = $1 and currency_id = 1`,
    [wallet],
  );
  await database.query('vacuum analyze entry, transfer, entry_count_block');
}

const entry: BenchEntry = {
  name: 'bills-depth',
  summary: 'page 50,000 beside page 1 of the bills of an account with a million of them',
  unit: 'ms',
  goal: { ratio: 1.5, is: 'at most' },
  rounds: 5,
  async open() {
    const lab = await openLedgerLab(10);
    const userId = lab.userIds[0] ?? 0;
    await fill(lab.database, userId);
    const measure = async (filter: BillFilter, current: number, calls = CALLS): Promise<number> => {
      const start = performance.now();
      for (let i = 0; i < calls; i++) {
        const { bills } = await readBills(lab.database, { userId, wallet: 'bonus' }, filter, {
          current,
          size: SIZE,
        });
        if (bills.length !== SIZE) throw new Error(`page ${current} has ${bills.length} bills`);
      }
      return (performance.now() - start) / calls;
    };
    const both = async (filter: BillFilter, deep: number): Promise<string> =>
      `page 1 ${(await measure(filter, 1, 50)).toFixed(2)} ms, page ${deep} ` +
      `${(await measure(filter, deep, 50)).toFixed(2)} ms`;
    return {
      ours: () => measure({}, DEEP),
      anchor: () => measure({}, 1),
      further: async () => ({
        'debits only': await both({ direction: 2 }, 9_000),
        'one business in a thousand': await both({ businessId: 'package_purchase' }, 45),
        'one currency, a range of dates': await both(
          { currency: 'EDGE', from: new Date('2024-03-01'), before: new Date('2025-03-01') },
          25_000,
        ),
      }),
      close: lab.close,
    };
  },
};

export default entry;
