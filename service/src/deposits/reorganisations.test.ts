/** Blocks that are replaced, on a real node. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Anvil, type Hex, startAnvil } from '../../test/support/chains/anvil.ts';
import { clock, createDepositBench, type DepositBench, NETWORK, type Person } from '../../test/support/chains/deposit-bench.ts';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import type { Database } from '../db/index.ts';
import { postTransfers } from '../ledger/index.ts';
import { decideDeposit } from './decide-deposit.ts';
import { resumeChain } from './rewind-chain.ts';

const CONFIRMATIONS = 3;
const WINDOW = 20;
const ONE_USDT = 1_000_000n;

describe.each(ENGINES)('reorganisations on %s', (engine) => {
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
    await bench.configure([anvil.url], { reorgWindow: WINDOW, requiredConfirmations: CONFIRMATIONS });
    await bench.addToken('USDT', usdt, 6, ONE_USDT);
    alice = await bench.addPerson();
    return () => database.close();
  });

  const payUsdt = (to: Hex, amount: bigint, options: { nonce?: number; from?: Hex } = {}) =>
    anvil.send({ to: usdt, data: anvil.encode('pay', [to, amount]), gasPrice: 10n ** 11n, ...options });

  test('a dropped transaction is orphaned and never credited', async () => {
    await payUsdt(alice.address, 5n * ONE_USDT);
    await anvil.mine();
    await bench.settle();
    await anvil.rollback(1);
    await anvil.mine(CONFIRMATIONS + 2);
    await bench.settle();
    expect(await bench.deposits()).toMatchObject([{ status: 'orphaned', reason: expect.stringContaining('replaced') }]);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(0n);
    expect(await bench.eventTypes()).toEqual(['deposit.confirming', 'deposit.orphaned']);
  });

  test('a moved transaction whose log gets another index stays one deposit, credited once', async () => {
    const hash = await payUsdt(alice.address, 5n * ONE_USDT);
    await anvil.mine();
    await bench.settle();
    const [before] = await bench.deposits();
    const raw = await anvil.rawOf(hash);
    await anvil.rollback(1);
    // Another log goes first, so that the block-wide index of ours changes.
    await payUsdt(usdt, ONE_USDT, { from: anvil.accounts[1] as Hex });
    await anvil.sendRaw(raw);
    await anvil.mine(2);
    const receipt = await anvil.call<{ logs: { logIndex: Hex }[] }>('eth_getTransactionReceipt', [hash]);
    expect(receipt.logs[0]?.logIndex).toBe('0x1');
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    expect(await bench.deposits()).toMatchObject([{ id: before?.id, status: 'credited', ordinal: 0, tx_hash: hash }]);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(5n * ONE_USDT);
  });

  test('a replaced transaction: the old payment is orphaned, the new one credited', async () => {
    const nonce = Number(await anvil.call<string>('eth_getTransactionCount', [anvil.accounts[0], 'latest']));
    await payUsdt(alice.address, 5n * ONE_USDT, { nonce });
    await anvil.mine();
    await bench.settle();
    await anvil.rollback(1);
    await payUsdt(alice.address, 2n * ONE_USDT, { nonce });
    await anvil.mine(CONFIRMATIONS + 1);
    await bench.settle();
    expect((await bench.deposits()).map(({ status, amount }) => [status, amount])).toEqual([
      ['orphaned', String(5n * ONE_USDT)],
      ['credited', String(2n * ONE_USDT)],
    ]);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(2n * ONE_USDT);
  });

  test('a deep reorganisation after the credit reverses it, re-inclusion credits it again, each once', async () => {
    const hash = await payUsdt(alice.address, 5n * ONE_USDT);
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    expect(await bench.balance(alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    const raw = await anvil.rawOf(hash);
    await anvil.rollback(CONFIRMATIONS);
    await anvil.mine(CONFIRMATIONS + 1);
    await bench.settle();
    expect(await bench.deposits()).toMatchObject([{ status: 'reversed', epoch: 1 }]);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(0n);
    await anvil.sendRaw(raw);
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    expect(await bench.deposits()).toMatchObject([{ status: 'credited', epoch: 2 }]);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    expect(await bench.eventTypes()).toEqual(['deposit.confirming', 'deposit.credited', 'deposit.reversed', 'deposit.confirming', 'deposit.credited']);
  });

  test('a reversal may take a balance that was spent below zero', async () => {
    await payUsdt(alice.address, 5n * ONE_USDT);
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    const spend = { idem: 'spend', debit: { userId: alice.userId, wallet: 'asset' }, credit: { house: 'package_sales' }, currency: 'USDT' } as const;
    await postTransfers(database, [{ ...spend, amount: 4n * ONE_USDT, businessId: 'package_purchase', eventAt: clock.now() }]);
    await anvil.rollback(CONFIRMATIONS);
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    expect(await bench.balance(alice.userId, 'USDT')).toBe(-4n * ONE_USDT);
  });

  test("an operator's word outlives a reorganisation", async () => {
    const hash = await payUsdt(alice.address, 5n * ONE_USDT);
    await anvil.mine();
    await bench.settle();
    const [deposit] = await bench.deposits();
    await decideDeposit(database, clock, deposit?.id ?? 0, 'hold', 'source of funds');
    const raw = await anvil.rawOf(hash);
    await anvil.rollback(1);
    await anvil.mine(1);
    await bench.settle();
    await anvil.sendRaw(raw);
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    expect(await bench.deposits()).toMatchObject([{ status: 'on_hold', reason: 'source of funds' }]);
    await decideDeposit(database, clock, deposit?.id ?? 0, 'release', undefined);
    await bench.settle();
    expect(await bench.balance(alice.userId, 'USDT')).toBe(5n * ONE_USDT);
  });

  test('a reorganisation beyond the window halts the network, credits nothing more, and resumes from a named block', async () => {
    const hash = await payUsdt(alice.address, 5n * ONE_USDT);
    await anvil.mine(WINDOW + 5);
    await bench.settle();
    const height = await anvil.height();
    const raw = await anvil.rawOf(hash);
    await anvil.rollback(WINDOW + 5);
    await anvil.mine(2);
    await anvil.sendRaw(raw);
    await anvil.mine(WINDOW + 10);
    await bench.settle();
    const halted = await bench.state();
    expect(halted).toMatchObject({ cursor_height: height, halted_reason: expect.stringContaining(`deeper than the ${WINDOW} blocks`) });
    await anvil.mine(5);
    await bench.settle();
    expect(await bench.state()).toEqual(halted);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    const sure = await anvil.call<{ hash: string }>('eth_getBlockByNumber', ['0x1', false]);
    await resumeChain(database, clock, await bench.network(), { height: 1, hash: sure.hash });
    await bench.settle();
    expect(await bench.state()).toMatchObject({ cursor_height: await anvil.height(), halted_reason: null });
    expect(await bench.deposits()).toMatchObject([{ status: 'credited', epoch: 2 }]);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(5n * ONE_USDT);
    const types = (await bench.eventTypes()).filter((type) => type.startsWith('chain.'));
    expect(types).toEqual(['chain.halted', 'chain.resumed']);
    await expect(resumeChain(database, clock, await bench.network(), { height: 1, hash: sure.hash })).rejects.toMatchObject({ code: 'chain_not_halted' });
  });

  test('a chain that is shorter than what was read is a node behind, not a reorganisation', async () => {
    await payUsdt(alice.address, 5n * ONE_USDT);
    await anvil.mine(CONFIRMATIONS);
    await bench.settle();
    await anvil.rollback(CONFIRMATIONS);
    await anvil.mine(1);
    expect(await bench.settle()).toContain('the node is behind');
    expect(await bench.deposits()).toMatchObject([{ status: 'credited' }]);
  });

  test('nothing is credited above the block that the chain calls final', async () => {
    await bench.configure([anvil.url], { usesFinalized: true, requiredConfirmations: 1 });
    await payUsdt(alice.address, 5n * ONE_USDT);
    await anvil.mine(10);
    await bench.settle();
    expect(await bench.deposits()).toMatchObject([{ status: 'confirming' }]);
    // anvil calls final what is two epochs of 32 blocks deep.
    await anvil.mine(60);
    await bench.settle();
    expect(await bench.deposits()).toMatchObject([{ status: 'credited' }]);
    expect((await database.query('select finalized_height from chain_state where network = $1', [NETWORK])).rows).toEqual([
      { finalized_height: (await anvil.height()) - 64 },
    ]);
  });
});
