/** Replaced blocks, on a real node. */
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../test/support/chains/anvil.ts';
import { clock, NETWORK } from '../../test/support/chains/deposit-bench.ts';
import { CONFIRMATIONS, ONE_USDT, useEvmLab } from '../../test/support/chains/evm-lab.ts';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { transaction } from '../db/index.ts';
import { closeAccountsOf, lockAccountsOf, postTransfers } from '../ledger/index.ts';
import { reviewDeposit } from './review-deposit.ts';

const WINDOW = 20;

describe.each(RUN_ENGINES)('reorganisations on %s', (engine) => {
  const lab = useEvmLab({ engine, settings: { reorgWindow: WINDOW } });

  test('a dropped transaction is orphaned and never credited', async () => {
    await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine();
    await lab.bench.settle();
    await lab.anvil.rollback(1);
    await lab.anvil.mine(CONFIRMATIONS + 2);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([
      { status: 'orphaned', reason: expect.stringContaining('replaced') },
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(0n);
    expect(await lab.bench.eventTypes()).toEqual(['deposit.confirming', 'deposit.orphaned']);
  });

  test('a moved transaction whose log has another index is credited once', async () => {
    const hash = await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine();
    await lab.bench.settle();
    const [before] = await lab.bench.deposits();
    const raw = await lab.anvil.rawOf(hash);
    await lab.anvil.rollback(1);
    // Another log precedes it, so that the index of our log within the block changes.
    await lab.payUsdt(lab.usdt, ONE_USDT, { from: lab.anvil.accounts[1] as Hex });
    await lab.anvil.sendRaw(raw);
    await lab.anvil.mine(2);
    const receipt = await lab.anvil.call<{ logs: { logIndex: Hex }[] }>(
      'eth_getTransactionReceipt',
      [hash],
    );
    expect(receipt.logs[0]?.logIndex).toBe('0x1');
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([
      { id: before?.id, status: 'credited', ordinal: 0, tx_hash: hash },
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(5n * ONE_USDT);
  });

  test('a replaced transaction: the old payment is orphaned, the new one credited', async () => {
    const nonce = Number(
      await lab.anvil.call<string>('eth_getTransactionCount', [lab.anvil.accounts[0], 'latest']),
    );
    await lab.payUsdt(lab.alice.address, 5n * ONE_USDT, { nonce });
    await lab.anvil.mine();
    await lab.bench.settle();
    await lab.anvil.rollback(1);
    await lab.payUsdt(lab.alice.address, 2n * ONE_USDT, { nonce });
    await lab.anvil.mine(CONFIRMATIONS + 1);
    await lab.bench.settle();
    expect((await lab.bench.deposits()).map(({ status, amount }) => [status, amount])).toEqual([
      ['orphaned', String(5n * ONE_USDT)],
      ['credited', String(2n * ONE_USDT)],
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(2n * ONE_USDT);
  });

  test('a deep reorganisation after the credit reverses it, re-inclusion credits it', async () => {
    const hash = await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    const raw = await lab.anvil.rawOf(hash);
    await lab.anvil.rollback(CONFIRMATIONS);
    await lab.anvil.mine(CONFIRMATIONS + 1);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([{ status: 'reversed', epoch: 1 }]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(0n);
    await lab.anvil.sendRaw(raw);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([{ status: 'credited', epoch: 2 }]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    expect(await lab.bench.eventTypes()).toEqual([
      'deposit.confirming',
      'deposit.credited',
      'deposit.reversed',
      'deposit.confirming',
      'deposit.credited',
    ]);
  });

  test('a reversal may make a spent balance negative', async () => {
    await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    const spend = {
      idempotencyKey: 'spend',
      debit: { userId: lab.alice.userId, wallet: 'asset' },
      credit: { house: 'package_sales' },
      currency: 'USDT',
    } as const;
    await postTransfers(lab.database, [
      { ...spend, amount: 4n * ONE_USDT, businessId: 'package_purchase', eventAt: clock.now() },
    ]);
    await lab.anvil.rollback(CONFIRMATIONS);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(-4n * ONE_USDT);
  });

  test('deposits of a closed account wait for an operator, credits are reversed', async () => {
    await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    await transaction(lab.database, async (tx) => {
      await lockAccountsOf(tx, lab.alice.userId);
      await tx.query("update app_user set status = 'closed' where id = $1", [lab.alice.userId]);
      await closeAccountsOf(tx, lab.alice.userId);
    });
    await lab.payUsdt(lab.alice.address, 2n * ONE_USDT);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    const [, late] = await lab.bench.deposits();
    expect(late).toMatchObject({
      status: 'on_hold',
      reason: expect.stringContaining('account_closed'),
    });
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    await reviewDeposit(lab.database, clock, late?.id ?? 0, { decision: 'reject' });
    await lab.anvil.rollback(CONFIRMATIONS * 2);
    await lab.anvil.mine(CONFIRMATIONS * 2 + 1);
    await lab.bench.settle();
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
      'reversed',
      'orphaned',
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(0n);
  });

  test('the decision of an operator survives a reorganisation', async () => {
    const hash = await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine();
    await lab.bench.settle();
    const [deposit] = await lab.bench.deposits();
    await reviewDeposit(lab.database, clock, deposit?.id ?? 0, {
      decision: 'hold',
      reason: 'source of funds',
    });
    const raw = await lab.anvil.rawOf(hash);
    await lab.anvil.rollback(1);
    await lab.anvil.mine(1);
    await lab.bench.settle();
    await lab.anvil.sendRaw(raw);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([
      { status: 'on_hold', reason: 'source of funds' },
    ]);
    await reviewDeposit(lab.database, clock, deposit?.id ?? 0, { decision: 'release' });
    await lab.bench.settle();
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(5n * ONE_USDT);
  });

  test('a chain shorter than the cursor is an endpoint behind, not a reorganisation', async () => {
    await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    await lab.anvil.rollback(CONFIRMATIONS);
    await lab.anvil.mine(1);
    expect(await lab.bench.settle()).toContain('the RPC endpoint is behind');
    expect(await lab.bench.deposits()).toMatchObject([{ status: 'credited' }]);
  });

  test('nothing is credited above the block that the chain reports as final', async () => {
    await lab.bench.configure([lab.anvil.url], { usesFinalized: true, requiredConfirmations: 1 });
    await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine(10);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([{ status: 'confirming' }]);
    // lab.anvil reports blocks as final at a depth of two epochs of 32 blocks.
    await lab.anvil.mine(60);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([{ status: 'credited' }]);
    expect(
      (
        await lab.database.query('select finalized_height from chain_state where network = $1', [
          NETWORK,
        ])
      ).rows,
    ).toEqual([{ finalized_height: (await lab.anvil.height()) - 64 }]);
  });
});
