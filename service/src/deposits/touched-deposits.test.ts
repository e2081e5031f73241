/**
 * What a reorganisation does to deposits that were changed before: nothing is taken or given twice,
 * and other deposits are not delayed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  clock,
  createDepositBench,
  type DepositBench,
  NETWORK,
} from '../../test/support/chains/deposit-bench.ts';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { reverseOne } from '../../test/support/reverse-one.ts';
import { type Database, transaction } from '../db/index.ts';
import { findTransferNamed, postTransfers, readBalances, verifyLedger } from '../ledger/index.ts';
import { creditDeposits } from './credit-deposits.ts';
import type { FoundTransfer } from './find-transfers.ts';
import { reviewDeposit } from './review-deposit.ts';
import { rewindTo } from './rewind-chain.ts';
import { storeTransfers } from './store-transfers.ts';

const HUNDRED = 100_000_000n;
const CONTRACT = '0x00000000000000000000000000000000000000aa';
const START = { height: 10, hash: '0xa' };

describe.each(ENGINES)('deposits that were changed before, on %s', (engine) => {
  let database: Database;
  let bench: DepositBench;
  let payments = 0;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    bench = createDepositBench(database);
    await bench.configure(['http://127.0.0.1:1'], { requiredConfirmations: 1 });
    await bench.addToken('USDT', CONTRACT, 6);
  });
  afterAll(async () => {
    expect((await verifyLedger(database)).findings).toEqual([]);
    await database.close();
  });

  /** A user, and a payment to them that a block may contain. */
  async function newPayment() {
    const { userId, address } = await bench.addPerson();
    const { rows } = await database.query<{ id: number }>(
      'select id from deposit_address where user_id = $1',
      [userId],
    );
    const found = {
      addressId: rows[0]?.id ?? 0,
      userId,
      txHash: `0x${++payments}`,
      ordinal: 0,
      to: address,
      from: undefined,
      amount: HUNDRED,
    };
    return { userId, found: { ...found, contract: CONTRACT, confirmationsMin: 0 } };
  }
  type Payment = Awaited<ReturnType<typeof newPayment>>;

  /** Reads a block above the start with these payments, and credits due deposits. */
  async function read(hash: string, ...held: Payment[]): Promise<void> {
    const block = { height: START.height + 1, hash };
    const network = await bench.network();
    await transaction(database, async (tx) => {
      await tx.query(
        'update chain_state set cursor_height = $2, cursor_hash = $3 where network = $1',
        [NETWORK, block.height, hash],
      );
      await tx.query(
        "insert into chain_block (network, height, hash, parent_hash) values ($1, $2, $3, '')",
        [NETWORK, block.height, hash],
      );
      const found = held.map(
        (payment): FoundTransfer => ({ ...payment.found, height: block.height, blockHash: hash }),
      );
      await storeTransfers(tx, { network, clock }, found);
    });
    await creditDeposits(
      database,
      { network, clock },
      { cursor: block, finalizedHeight: undefined },
      [hash],
    );
  }
  const replace = () => transaction(database, (tx) => rewindTo(tx, clock, NETWORK, START));

  const depositOf = async ({ userId }: Payment) =>
    (await bench.deposits()).find((row) => row.user_id === userId);
  const balanceOf = ({ userId }: Payment) => bench.balance(userId, 'USDT');
  async function creditOf(payment: Payment): Promise<number> {
    return (await findTransferNamed(database, `deposit/${(await depositOf(payment))?.id}/1`)) ?? 0;
  }

  test('a credit that an operator had undone is neither reversed nor credited again', async () => {
    const [reversed, richer, other] = [await newPayment(), await newPayment(), await newPayment()];
    await read('0xc1', reversed, richer, other);
    const more = {
      debit: { house: 'deposit_clearing' },
      currency: 'USDT',
      amount: HUNDRED,
      businessId: 'deposit',
      eventAt: clock.now(),
    } as const;
    await postTransfers(database, [
      { ...more, idempotencyKey: 'more', credit: { userId: richer.userId, wallet: 'asset' } },
    ]);
    for (const one of [reversed, richer])
      await reverseOne(database, {
        idempotencyKey: `old/${one.userId}`,
        transferId: await creditOf(one),
      });
    await replace();
    expect([await balanceOf(reversed), await balanceOf(richer), await balanceOf(other)]).toEqual([
      0n,
      HUNDRED,
      0n,
    ]);
    expect(await depositOf(reversed)).toMatchObject({
      status: 'reversed',
      reason: 'An operator has taken it back.',
    });
    await read('0xc2', reversed, richer, other);
    expect([await balanceOf(reversed), await balanceOf(richer), await balanceOf(other)]).toEqual([
      0n,
      HUNDRED,
      HUNDRED,
    ]);
    expect(await depositOf(reversed)).toMatchObject({
      status: 'rejected',
      reason: 'An operator has taken it back.',
      epoch: 1,
    });
    await reviewDeposit(database, clock, (await depositOf(reversed))?.id ?? 0, {
      decision: 'release',
    });
    await replace();
    await read('0xc3', reversed, richer, other);
    expect([await balanceOf(reversed), (await depositOf(reversed))?.epoch]).toEqual([HUNDRED, 2]);
    await replace();
  });

  test('a reversal that the ledger refuses waits for an operator', async () => {
    const [refused, other] = [await newPayment(), await newPayment()];
    await read('0xd1', refused, other);
    const nothing = {
      debit: { house: 'fees' },
      credit: { house: 'adjustment' },
      currency: 'USDT',
      amount: 1n,
      businessId: 'adjustment',
    } as const;
    const name = `deposit_reversal/${(await depositOf(refused))?.id}/1`;
    await postTransfers(database, [{ ...nothing, idempotencyKey: name, eventAt: clock.now() }]);
    await replace();
    const reason = expect.stringContaining('refused to take it back: idempotency_key_reused');
    expect(await depositOf(refused)).toMatchObject({ status: 'orphaned', reason });
    expect([await balanceOf(refused), await balanceOf(other)]).toEqual([HUNDRED, 0n]);
    expect(await bench.eventTypes()).toContain('chain.deposit_not_taken_back');
    await read('0xd2', refused, other);
    expect(await depositOf(refused)).toMatchObject({ status: 'on_hold', reason, epoch: 1 });
    expect([await balanceOf(refused), await balanceOf(other)]).toEqual([HUNDRED, HUNDRED]);
    await replace();
  });

  test('an amount that was spent becomes a debt, whatever the account has counted', async () => {
    const payment = await newPayment();
    await read('0xe1', payment);
    const spend = {
      debit: { userId: payment.userId, wallet: 'asset' },
      currency: 'USDT',
      eventAt: clock.now(),
    } as const;
    const fees = {
      ...spend,
      credit: { house: 'fees' },
      amount: 30_000_000n,
      businessId: 'withdrawal_fee',
    } as const;
    const paid = {
      ...spend,
      credit: { house: 'withdrawal_clearing' },
      amount: 50_000_000n,
      businessId: 'withdrawal',
    } as const;
    const converted = {
      ...spend,
      credit: { house: 'conversion' },
      amount: 20_000_000n,
      businessId: 'conversion_out',
    } as const;
    const results = await postTransfers(database, [
      { ...fees, idempotencyKey: 'fees' },
      { ...paid, idempotencyKey: 'paid' },
      { ...converted, idempotencyKey: 'converted' },
    ]);
    expect(results.map(({ status }) => status)).toEqual(['posted', 'posted', 'posted']);
    await replace();
    expect(await depositOf(payment)).toMatchObject({ status: 'reversed' });
    const balances = await readBalances(database, payment.userId, 'asset');
    expect(balances.find(({ currency }) => currency === 'USDT')).toMatchObject({
      balance: -HUNDRED,
      deposited: 0n,
    });
  });
});
