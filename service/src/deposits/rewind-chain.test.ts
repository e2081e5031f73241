/** What a reorganisation reverses when the money was moved before; without a chain. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  clock,
  createDepositBench,
  type DepositBench,
  NETWORK,
  type Person,
} from '../../test/support/chains/deposit-bench.ts';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { transaction } from '../db/index.ts';
import { postTransfers, reverseTransfers, verifyLedger } from '../ledger/index.ts';
import { rewindTo } from './rewind-chain.ts';

describe.each(ENGINES)('reversing deposits on %s', (engine) => {
  let bench: DepositBench;
  let person: Person;
  beforeAll(async () => {
    bench = createDepositBench(await openTestDatabase(engine));
    await bench.configure(['http://127.0.0.1:1']);
    person = await bench.addPerson();
  });
  afterAll(() => bench.database.close());

  /** A credited deposit of USDT; returns the id of its transfer. */
  async function credit(height: number, amount: bigint): Promise<number> {
    const { rows } = await bench.database.query<{ id: number }>(
      `insert into deposit (network, tx_hash, ordinal, user_id, address_id, currency,
         raw_amount, decimals, amount, block_number, block_hash, required_confirmations,
         status, epoch, detected_at, confirmed_at, credited_at)
       select $1, 'hash' || $2, 0, user_id, id, 'USDT', $3::numeric, 6, $3::numeric,
         $2::bigint, 'block', 3, 'credited', 1, $4, $4, $4
       from deposit_address where user_id = $5 returning id`,
      [NETWORK, height, amount, clock.now(), person.userId],
    );
    const [result] = await postTransfers(bench.database, [
      {
        idempotencyKey: `deposit/${rows[0]?.id}/1`,
        debit: { house: 'deposit_clearing' },
        credit: { userId: person.userId, wallet: 'asset' },
        currency: 'USDT',
        amount,
        businessId: 'deposit',
        eventAt: clock.now(),
      },
    ]);
    return result?.status === 'posted' ? result.transferId : 0;
  }

  const rewind = (height: number) =>
    transaction(bench.database, (tx) => rewindTo(tx, clock, NETWORK, { height, hash: 'before' }));

  test('an undone credit is not reversed again, and a lowered sum stops nothing', async () => {
    await credit(5, 500n);
    const undone = await credit(10, 100n);
    await reverseTransfers(bench.database, [{ idempotencyKey: 'by hand', transferId: undone }]);
    await rewind(9);
    expect(await bench.balance(person.userId, 'USDT')).toBe(500n);
    const wallet = { userId: person.userId, wallet: 'asset' };
    const taken = {
      debit: wallet,
      credit: { house: 'deposit_clearing' },
      currency: 'USDT',
      amount: 50n,
      businessId: 'deposit_reversal',
      eventAt: clock.now(),
    };
    expect(
      (await postTransfers(bench.database, [{ idempotencyKey: 'taken', ...taken }]))[0]?.status,
    ).toBe('posted');
    await rewind(4);
    expect(await bench.balance(person.userId, 'USDT')).toBe(-50n);
    expect((await bench.deposits()).map(({ status }) => status)).toEqual(['reversed', 'reversed']);
    expect((await verifyLedger(bench.database)).findings).toEqual([]);
  });
});
