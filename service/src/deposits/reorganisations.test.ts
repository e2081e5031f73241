/** Blocks that are replaced, on a real node. */
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../test/support/chains/anvil.ts';
import { clock, NETWORK } from '../../test/support/chains/deposit-bench.ts';
import { CONFIRMATIONS, ONE_USDT, useEvmLab } from '../../test/support/chains/evm-lab.ts';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { transaction } from '../db/index.ts';
import { closeAccountsOf, lockAccountsOf, postTransfers } from '../ledger/index.ts';
import { haltByOperator, resumeChain } from './resume-chain.ts';
import { decideDeposit } from './review-deposit.ts';

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

  test('a moved transaction whose log gets another index stays one deposit, credited once', async () => {
    const hash = await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine();
    await lab.bench.settle();
    const [before] = await lab.bench.deposits();
    const raw = await lab.anvil.rawOf(hash);
    await lab.anvil.rollback(1);
    // Another log goes first, so that the block-wide index of ours changes.
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

  test('a deep reorganisation after the credit reverses it, re-inclusion credits it again, each once', async () => {
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

  test('a reversal may take a balance that was spent below zero', async () => {
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

  test('what arrives for a closed account waits for an operator; what was credited before is taken back all the same', async () => {
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
    await decideDeposit(lab.database, clock, late?.id ?? 0, 'reject', undefined);
    await lab.anvil.rollback(CONFIRMATIONS * 2);
    await lab.anvil.mine(CONFIRMATIONS * 2 + 1);
    await lab.bench.settle();
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
      'reversed',
      'orphaned',
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(0n);
  });

  test("an operator's word outlives a reorganisation", async () => {
    const hash = await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine();
    await lab.bench.settle();
    const [deposit] = await lab.bench.deposits();
    await decideDeposit(lab.database, clock, deposit?.id ?? 0, 'hold', 'source of funds');
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
    await decideDeposit(lab.database, clock, deposit?.id ?? 0, 'release', undefined);
    await lab.bench.settle();
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(5n * ONE_USDT);
  });

  test('a reorganisation beyond the window halts the network, credits nothing more, and resumes from a named block', async () => {
    const hash = await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine(WINDOW + 5);
    await lab.bench.settle();
    const height = await lab.anvil.height();
    const raw = await lab.anvil.rawOf(hash);
    await lab.anvil.rollback(WINDOW + 5);
    await lab.anvil.mine(2);
    await lab.anvil.sendRaw(raw);
    await lab.anvil.mine(WINDOW + 10);
    await lab.bench.settle();
    const halted = await lab.bench.state();
    expect(halted).toMatchObject({
      cursor_height: height,
      halted_reason: expect.stringContaining(`deeper than the ${WINDOW} blocks`),
    });
    await lab.anvil.mine(5);
    await lab.bench.settle();
    expect(await lab.bench.state()).toEqual(halted);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    const sure = await lab.anvil.call<{ hash: string }>('eth_getBlockByNumber', ['0x1', false]);
    const resume = async (named: { height: number; hash: string }) =>
      resumeChain(lab.database, clock, testMasterKey, await lab.bench.network(), named);
    // A mistyped digit moves nothing.
    await expect(resume({ height: 1, hash: `0x${'22'.repeat(32)}` })).rejects.toMatchObject({
      code: 'block_mismatch',
      message: expect.stringContaining(sure.hash),
    });
    await expect(resume({ height: 2, hash: sure.hash })).rejects.toMatchObject({
      code: 'block_mismatch',
    });
    await expect(resume({ height: height + 1, hash: sure.hash })).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
    expect(await lab.bench.state()).toEqual(halted);
    await resume({ height: 1, hash: sure.hash.toUpperCase().replace('0X', '0x') });
    await lab.bench.settle();
    expect(await lab.bench.state()).toMatchObject({
      cursor_height: await lab.anvil.height(),
      halted_reason: null,
    });
    expect(await lab.bench.deposits()).toMatchObject([{ status: 'credited', epoch: 2 }]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    const types = (await lab.bench.eventTypes()).filter((type) => type.startsWith('chain.'));
    expect(types).toEqual(['chain.halted', 'chain.resumed', 'chain.backfilled']);
    await expect(resume({ height: 1, hash: sure.hash })).rejects.toMatchObject({
      code: 'chain_not_halted',
    });
  });

  test('no block above a replaced deposit is believed on resuming; what may be unread is read, and the next small reorganisation is followed', async () => {
    const resume = async (named: { height: number; hash: string }) =>
      resumeChain(lab.database, clock, testMasterKey, await lab.bench.network(), named);
    const blockAt = async (height: number) => ({
      height,
      hash: (
        await lab.anvil.call<{ hash: string }>('eth_getBlockByNumber', [
          `0x${height.toString(16)}`,
          false,
        ])
      ).hash,
    });
    await lab.payUsdt(lab.alice.address, 2n * ONE_USDT);
    await lab.anvil.mine(6);
    const kept = (await lab.anvil.height()) - 5;
    await lab.payUsdt(lab.alice.address, 3n * ONE_USDT);
    await lab.anvil.mine(WINDOW + 5);
    await lab.bench.settle();
    const height = await lab.anvil.height();
    await lab.anvil.rollback(WINDOW + 8);
    await lab.payUsdt(lab.alice.address, 4n * ONE_USDT);
    await lab.anvil.mine(WINDOW + 12);
    await lab.bench.settle();
    const sure = await blockAt(kept);
    for (const at of [height, kept + 6]) {
      await expect(resume(await blockAt(at))).rejects.toMatchObject({
        code: 'block_mismatch',
        details: { extra: { replaced_height: kept + 6, sure_hash: sure.hash } },
      });
    }
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    // True, and above blocks that were replaced unseen: they are read.
    await resume(await blockAt(kept + 5));
    await lab.bench.settle();
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
      'credited',
      'reversed',
      'credited',
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(6n * ONE_USDT);
    // Nothing was wrong: halted by hand, resumed at the cursor, and a block is replaced.
    await haltByOperator(lab.database, clock, await lab.bench.network(), 'a look at the nodes');
    expect(await lab.bench.state()).toMatchObject({ halted_reason: 'a look at the nodes' });
    await resume(await blockAt(await lab.anvil.height()));
    await lab.anvil.mine(1);
    await lab.bench.settle();
    await lab.anvil.rollback(1);
    await lab.anvil.mine(2);
    await lab.bench.settle();
    expect(await lab.bench.state()).toMatchObject({
      cursor_height: await lab.anvil.height(),
      halted_reason: null,
    });
  });

  test('a chain that is shorter than what was read is a node behind, not a reorganisation', async () => {
    await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    await lab.anvil.rollback(CONFIRMATIONS);
    await lab.anvil.mine(1);
    expect(await lab.bench.settle()).toContain('the node is behind');
    expect(await lab.bench.deposits()).toMatchObject([{ status: 'credited' }]);
  });

  test('nothing is credited above the block that the chain calls final', async () => {
    await lab.bench.configure([lab.anvil.url], { usesFinalized: true, requiredConfirmations: 1 });
    await lab.payUsdt(lab.alice.address, 5n * ONE_USDT);
    await lab.anvil.mine(10);
    await lab.bench.settle();
    expect(await lab.bench.deposits()).toMatchObject([{ status: 'confirming' }]);
    // lab.anvil calls final what is two epochs of 32 blocks deep.
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
