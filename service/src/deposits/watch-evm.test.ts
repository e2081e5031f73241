/** The watcher on a real node, case by case. */
import { describe, expect, test } from 'vitest';
import { clock } from '../../test/support/chains/deposit-bench.ts';
import { CONFIRMATIONS, ONE_USDT, useEvmLab } from '../../test/support/chains/evm-lab.ts';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { requestBackfill } from './request-backfill.ts';

const ONE_ETH = 10n ** 18n;

describe.each(RUN_ENGINES)('watching an EVM chain on %s', (engine) => {
  const lab = useEvmLab({ engine });

  test('exact N confirmations: N - 1 do not credit, the Nth does, once', async () => {
    await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine();
    for (let confirmations = 1; confirmations < CONFIRMATIONS; confirmations++) {
      await lab.bench.settle();
      expect(await lab.bench.deposits()).toMatchObject([
        { status: 'confirming', currency: 'USDT', amount: String(5n * ONE_USDT) },
      ]);
      expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(0n);
      await lab.anvil.mine();
    }
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([{ status: 'credited', epoch: 1 }]);
    await lab.anvil.mine(5);
    await lab.bench.settle();
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    expect(await lab.bench.eventTypes()).toEqual(['deposit.confirming', 'deposit.credited']);
    const { rows } = await lab.database.query<{ data: string }>(
      'select data from event order by id',
    );
    expect(rows.map(({ data }) => JSON.parse(data))).toMatchObject([
      { status: 'confirming', confirmations: 1, amount: 5, user_id: lab.alice.userId },
      { status: 'credited', confirmations: CONFIRMATIONS, amount: 5 },
    ]);
  });

  test('the coin of the chain, and a failed transaction that moved nothing', async () => {
    await lab.anvil.send({ to: lab.alice.address, value: 2n * ONE_ETH });
    await lab.anvil.send({
      to: lab.usdt,
      data: lab.anvil.encode('payAndRevert', [lab.alice.address, 9n * ONE_USDT]),
    });
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([
      { status: 'credited', currency: 'ETH', ordinal: -1 },
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'ETH')).toBe(2n * ONE_ETH);
  });

  test('two logs of one transaction are two deposits, with their own positions', async () => {
    const bob = await lab.bench.addPerson();
    await lab.payUsdt(bob.address, ONE_USDT);
    await lab.anvil.send({
      to: lab.usdt,
      data: lab.anvil.encode('payMany', [
        [lab.alice.address, bob.address, lab.alice.address],
        [ONE_USDT, 2n * ONE_USDT, 3n * ONE_USDT],
      ]),
    });
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    const deposits = await lab.bench.deposits();
    expect(deposits.map(({ ordinal, status }) => [ordinal, status])).toEqual([
      [0, 'credited'],
      [0, 'credited'],
      [1, 'credited'],
      [2, 'credited'],
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(4n * ONE_USDT);
    expect(await lab.bench.balance(bob.userId, 'USDT')).toBe(3n * ONE_USDT);
  });

  test('zero value leaves no row; below the minimum is shown and not credited', async () => {
    await lab.payUsdt(lab.alice.address, 0n);
    await lab.payUsdt(lab.alice.address, ONE_USDT - 1n);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([
      { status: 'below_minimum', reason: 'The smallest deposit is 1 USDT.' },
    ]);
    expect(await lab.bench.eventTypes()).toEqual(['deposit.below_minimum']);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(0n);
  });

  test('a look-alike token is shown as unsupported and its name is not repeated', async () => {
    const fake = await lab.anvil.deployToken('USDT', 6);
    await lab.anvil.send({
      to: fake,
      data: lab.anvil.encode('pay', [lab.alice.address, 100n * ONE_USDT]),
    });
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    const [deposit] = await lab.bench.deposits();
    expect(deposit).toMatchObject({ status: 'unsupported', currency: 'UNKNOWN' });
    expect(await lab.bench.eventTypes()).toEqual(['deposit.unsupported']);
    expect(deposit?.reason?.toLowerCase()).toContain(fake);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(0n);
  });

  test('a wrong coin can be corrected until a deposit was credited in it', async () => {
    await lab.anvil.send({ to: lab.alice.address, value: 10n ** 18n });
    await lab.anvil.mine();
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([{ status: 'confirming', currency: 'ETH' }]);
    await lab.bench.configure([lab.anvil.url], { identity: { coin: 'EDGE' } });
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([
      { status: 'unsupported', currency: 'UNKNOWN' },
    ]);
    await lab.bench.addToken('EDGE', undefined, 18);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([{ status: 'credited', currency: 'EDGE' }]);
    await expect(
      lab.bench.configure([lab.anvil.url], { identity: { coin: 'ETH' } }),
    ).rejects.toMatchObject({ details: { fields: [{ field: 'coin' }] } });
  });

  test('a disabled token that is enabled again credits what arrived in the meantime', async () => {
    await lab.bench.addToken('USDT', lab.usdt, 6, { minDeposit: ONE_USDT, isEnabled: false });
    await lab.payUsdt(lab.alice.address, 7n * ONE_USDT);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([
      { status: 'unsupported', reason: expect.stringContaining('switched off') },
    ]);
    await lab.bench.addToken('USDT', lab.usdt, 6, { minDeposit: ONE_USDT });
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([{ status: 'credited' }]);
    expect(await lab.bench.eventTypes()).toEqual([
      'deposit.unsupported',
      'deposit.confirming',
      'deposit.credited',
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(7n * ONE_USDT);
  });

  test('a token with other decimals is converted exactly; an inexact amount is held', async () => {
    const wide = await lab.anvil.deployToken('USDT', 18);
    const narrow = await lab.anvil.deployToken('EDGE', 2);
    await lab.bench.addToken('USDT', wide, 18);
    await lab.bench.addToken('EDGE', narrow, 2);
    await lab.anvil.send({
      to: wide,
      data: lab.anvil.encode('pay', [lab.alice.address, 1_500_000_000_000_000_000n]),
    });
    await lab.anvil.send({
      to: wide,
      data: lab.anvil.encode('pay', [lab.alice.address, 1_500_000_000_000_000_001n]),
    });
    await lab.anvil.send({ to: narrow, data: lab.anvil.encode('pay', [lab.alice.address, 125n]) });
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    expect((await lab.bench.deposits()).map(({ status, currency }) => [status, currency])).toEqual([
      ['credited', 'USDT'],
      ['on_hold', 'USDT'],
      ['credited', 'EDGE'],
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(1_500_000n);
    expect(await lab.bench.balance(lab.alice.userId, 'EDGE')).toBe(1_250_000_000_000_000_000n);
  });

  test('a backfill finds payments to a later address, and credits nothing twice', async () => {
    await lab.payUsdt(lab.alice.address, 3n * ONE_USDT);
    const late = '0x5a1e0000000000000000000000000000000000aa';
    await lab.payUsdt(late, 4n * ONE_USDT);
    await lab.anvil.mine(CONFIRMATIONS + 2);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toHaveLength(1);
    const bob = await lab.bench.addPerson();
    await lab.database.query(
      'update deposit_address set address = $1, address_key = lower($1) where user_id = $2',
      [late, bob.userId],
    );
    await requestBackfill(lab.database, { network: await lab.bench.network(), clock }, 0);
    await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    expect(await lab.bench.balance(bob.userId, 'USDT')).toBe(4n * ONE_USDT);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(8n * ONE_USDT);
    expect(await lab.bench.deposits()).toHaveLength(3);
  });

  test('10,000 logs in one block are 10,000 deposits', { timeout: 120_000 }, async () => {
    await lab.anvil.send({
      to: lab.usdt,
      data: lab.anvil.encode('payTimes', [lab.alice.address, ONE_USDT, 10_000]),
    });
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(10_000n * ONE_USDT);
  });
});
