/** The watcher on a real node, case by case. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Anvil, type Hex, startAnvil } from '../../test/support/chains/anvil.ts';
import { clock, createDepositBench, type DepositBench, type Person } from '../../test/support/chains/deposit-bench.ts';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import type { Database } from '../db/index.ts';
import { requestBackfill } from './request-backfill.ts';

const CONFIRMATIONS = 3;
const ONE_USDT = 1_000_000n;
const ONE_ETH = 10n ** 18n;

describe.each(ENGINES)('watching an EVM chain on %s', (engine) => {
  let database: Database;
  let anvil: Anvil;
  let bench: DepositBench;
  let usdt: Hex;
  let alice: Person;
  let genesis: string;

  beforeAll(async () => {
    anvil = await startAnvil();
    usdt = await anvil.deployToken('USDT', 6);
    genesis = await anvil.call<string>('evm_snapshot');
  });
  afterAll(() => anvil.stop());

  beforeEach(async () => {
    await anvil.call('anvil_dropAllTransactions');
    await anvil.call('evm_revert', [genesis]);
    genesis = await anvil.call<string>('evm_snapshot');
    database = await openTestDatabase(engine);
    bench = createDepositBench(database);
    await bench.configure([anvil.url]);
    await bench.addToken('USDT', usdt, 6, ONE_USDT);
    await bench.addToken('ETH', undefined, 18);
    alice = await bench.addPerson();
    return () => database.close();
  });

  const payUsdt = (to: Hex, amount: bigint) => anvil.send({ to: usdt, data: anvil.encode('pay', [to, amount]) });

  test('exact N confirmations: N - 1 do not credit, the Nth does, once', async () => {
    await payUsdt(alice.address, 5n * ONE_USDT);
    await anvil.mine();
    for (let confirmations = 1; confirmations < CONFIRMATIONS; confirmations++) {
      await bench.settle();
      expect(await bench.deposits()).toMatchObject([{ status: 'confirming', currency: 'USDT', amount: String(5n * ONE_USDT) }]);
      expect(await bench.balance(alice.userId, 'USDT')).toBe(0n);
      await anvil.mine();
    }
    await bench.settle();
    expect(await bench.deposits()).toMatchObject([{ status: 'credited', epoch: 1 }]);
    await anvil.mine(5);
    await bench.settle();
    expect(await bench.balance(alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    expect(await bench.eventTypes()).toEqual(['deposit.confirming', 'deposit.credited']);
    const { rows } = await database.query<{ data: string }>('select data from event order by id');
    expect(rows.map(({ data }) => JSON.parse(data))).toMatchObject([
      { status: 'confirming', confirmations: 1, amount: 5, user_id: alice.userId },
      { status: 'credited', confirmations: CONFIRMATIONS, amount: 5 },
    ]);
  });

  test('the coin itself, and a failed transaction that moved nothing', async () => {
    await anvil.send({ to: alice.address, value: 2n * ONE_ETH });
    await anvil.send({ to: usdt, data: anvil.encode('payAndRevert', [alice.address, 9n * ONE_USDT]) });
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    expect(await bench.deposits()).toMatchObject([{ status: 'credited', currency: 'ETH', ordinal: -1 }]);
    expect(await bench.balance(alice.userId, 'ETH')).toBe(2n * ONE_ETH);
  });

  test('two logs in one transaction are two deposits, named by their place in the receipt', async () => {
    const bob = await bench.addPerson();
    await payUsdt(bob.address, ONE_USDT);
    await anvil.send({
      to: usdt,
      data: anvil.encode('payMany', [
        [alice.address, bob.address, alice.address],
        [ONE_USDT, 2n * ONE_USDT, 3n * ONE_USDT],
      ]),
    });
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    const deposits = await bench.deposits();
    expect(deposits.map(({ ordinal, status }) => [ordinal, status])).toEqual([
      [0, 'credited'],
      [0, 'credited'],
      [1, 'credited'],
      [2, 'credited'],
    ]);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(4n * ONE_USDT);
    expect(await bench.balance(bob.userId, 'USDT')).toBe(3n * ONE_USDT);
  });

  test('zero value leaves no trace; below the minimum is shown and not credited', async () => {
    await payUsdt(alice.address, 0n);
    await payUsdt(alice.address, ONE_USDT - 1n);
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    expect(await bench.deposits()).toMatchObject([{ status: 'below_minimum', reason: 'The smallest deposit is 1 USDT.' }]);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(0n);
  });

  test('a look-alike token is shown as unsupported and its name is not repeated', async () => {
    const fake = await anvil.deployToken('USDT', 6);
    await anvil.send({ to: fake, data: anvil.encode('pay', [alice.address, 100n * ONE_USDT]) });
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    const [deposit] = await bench.deposits();
    expect(deposit).toMatchObject({ status: 'unsupported', currency: 'UNKNOWN' });
    expect(deposit?.reason?.toLowerCase()).toContain(fake);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(0n);
  });

  test('a disabled token that is enabled again credits what had arrived meanwhile', async () => {
    await bench.addToken('USDT', usdt, 6, ONE_USDT, false);
    await payUsdt(alice.address, 7n * ONE_USDT);
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    expect(await bench.deposits()).toMatchObject([{ status: 'unsupported', reason: expect.stringContaining('switched off') }]);
    await bench.addToken('USDT', usdt, 6, ONE_USDT, true);
    await bench.settle();
    expect(await bench.deposits()).toMatchObject([{ status: 'credited' }]);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(7n * ONE_USDT);
  });

  test('a token with other decimals is converted exactly; what cannot be expressed is held, never rounded', async () => {
    const wide = await anvil.deployToken('USDT', 18);
    const narrow = await anvil.deployToken('EDGE', 2);
    await bench.addToken('USDT', wide, 18, 0n);
    await bench.addToken('EDGE', narrow, 2, 0n);
    await anvil.send({ to: wide, data: anvil.encode('pay', [alice.address, 1_500_000_000_000_000_000n]) });
    await anvil.send({ to: wide, data: anvil.encode('pay', [alice.address, 1_500_000_000_000_000_001n]) });
    await anvil.send({ to: narrow, data: anvil.encode('pay', [alice.address, 125n]) });
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    expect((await bench.deposits()).map(({ status, currency }) => [status, currency])).toEqual([
      ['credited', 'USDT'],
      ['on_hold', 'USDT'],
      ['credited', 'EDGE'],
    ]);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(1_500_000n);
    expect(await bench.balance(alice.userId, 'EDGE')).toBe(1_250_000_000_000_000_000n);
  });

  test('an address issued after the block: a backfill finds it, and overlaps with the live watch without crediting twice', async () => {
    await payUsdt(alice.address, 3n * ONE_USDT);
    const late = '0x5a1e0000000000000000000000000000000000aa';
    await payUsdt(late, 4n * ONE_USDT);
    await anvil.mine(CONFIRMATIONS + 2);
    await bench.settle();
    expect(await bench.deposits()).toHaveLength(1);
    const bob = await bench.addPerson();
    await database.query('update deposit_address set address = $1, address_key = lower($1) where user_id = $2', [late, bob.userId]);
    await requestBackfill(database, clock, await bench.network(), 0);
    await payUsdt(alice.address, 5n * ONE_USDT);
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    expect(await bench.balance(bob.userId, 'USDT')).toBe(4n * ONE_USDT);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(8n * ONE_USDT);
    expect(await bench.deposits()).toHaveLength(3);
  });

  test('10,000 logs in one block are 10,000 deposits', { timeout: 120_000 }, async () => {
    await anvil.send({ to: usdt, data: anvil.encode('payTimes', [alice.address, ONE_USDT, 10_000]) });
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    expect(await bench.balance(alice.userId, 'USDT')).toBe(10_000n * ONE_USDT);
  });
});
