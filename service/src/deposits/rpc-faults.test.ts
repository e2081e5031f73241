/** Nodes that answer late, wrongly, partly or not at all: nothing is missed, nothing is credited that is not there. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Anvil, type Hex, startAnvil } from '../../test/support/chains/anvil.ts';
import { createDepositBench, type DepositBench, type Person } from '../../test/support/chains/deposit-bench.ts';
import { type FaultProxy, HANG_UP, type Intercept, startFaultProxy } from '../../test/support/chains/fault-proxy.ts';
import { openTestDatabase } from '../../test/support/databases.ts';
import type { Database } from '../db/index.ts';

const CONFIRMATIONS = 3;
const ONE_USDT = 1_000_000n;

interface RawLog {
  data: string;
  blockHash: string;
  logIndex: string;
}

describe('faults of nodes', () => {
  let database: Database;
  let anvil: Anvil;
  let proxy: FaultProxy;
  let bench: DepositBench;
  let usdt: Hex;
  let alice: Person;
  let genesis: string;

  beforeAll(async () => {
    anvil = await startAnvil();
    usdt = await anvil.deployToken('USDT', 6);
    genesis = await anvil.call<string>('evm_snapshot');
    proxy = await startFaultProxy(anvil.url);
  });
  afterAll(async () => {
    await proxy.stop();
    await anvil.stop();
  });

  beforeEach(async () => {
    proxy.intercept(undefined);
    proxy.target(anvil.url);
    await anvil.call('anvil_dropAllTransactions');
    await anvil.call('evm_revert', [genesis]);
    genesis = await anvil.call<string>('evm_snapshot');
    database = await openTestDatabase('server');
    bench = createDepositBench(database);
    await bench.configure([proxy.url]);
    await bench.addToken('USDT', usdt, 6, ONE_USDT);
    alice = await bench.addPerson();
    return () => database.close();
  });

  const payUsdt = (to: Hex, amount: bigint) => anvil.send({ to: usdt, data: anvil.encode('pay', [to, amount]) });

  /** Applies `change` to the answers of one method. */
  const changing = (method: string, change: (result: unknown, params: readonly unknown[]) => unknown): Intercept => {
    return async (request, ask) => (request.method === method ? change(await ask(), request.params) : ask());
  };

  const changeAll = (list: unknown, fields: object): object[] => (list as object[]).map((item) => ({ ...item, ...fields }));

  /** Three payments in one block, deep enough. */
  async function payThree(): Promise<void> {
    for (const amount of [1n, 2n, 3n]) await payUsdt(alice.address, amount * ONE_USDT);
    await anvil.mine(CONFIRMATIONS);
  }
  const expectAllCredited = async (): Promise<void> => {
    expect((await bench.deposits()).map(({ status }) => status)).toEqual(['credited', 'credited', 'credited']);
    expect(await bench.balance(alice.userId, 'USDT')).toBe(6n * ONE_USDT);
  };

  describe('answers that are repaired at once', () => {
    test('an empty list of logs though the header announces some', async () => {
      proxy.intercept(changing('eth_getLogs', () => []));
      await payThree();
      await bench.settle();
      await expectAllCredited();
    });

    test('a list of logs that lacks one', async () => {
      proxy.intercept(changing('eth_getLogs', (logs) => (logs as RawLog[]).slice(1)));
      await payThree();
      await bench.settle();
      await expectAllCredited();
    });

    test('a list of logs that lacks the last one, which the filter cannot tell from its twins', async () => {
      proxy.intercept(changing('eth_getLogs', (logs) => (logs as RawLog[]).slice(0, -1)));
      await payThree();
      await bench.settle();
      await expectAllCredited();
    });

    test('an empty list of logs, and a node that does not know eth_getBlockReceipts', async () => {
      proxy.intercept(async (request, ask) => {
        if (request.method === 'eth_getLogs') return [];
        if (request.method === 'eth_getBlockReceipts') throw new Error('the method does not exist');
        return ask();
      });
      await payThree();
      await bench.settle();
      await expectAllCredited();
    });

    test('every log twice', async () => {
      proxy.intercept(changing('eth_getLogs', (logs) => [...(logs as RawLog[]), ...(logs as RawLog[])]));
      await payThree();
      await bench.settle();
      await expectAllCredited();
    });

    test('removed logs beside the real ones', async () => {
      const removed = (log: RawLog) => ({ ...log, removed: true, blockHash: `0x${'ab'.repeat(32)}`, data: `0x${'11'.repeat(32)}` });
      proxy.intercept(changing('eth_getLogs', (logs) => [...(logs as RawLog[]).map(removed), ...(logs as RawLog[])]));
      await payThree();
      await bench.settle();
      await expectAllCredited();
    });

    test.each([2, 3, 5, 7])('every %ith call cut off', async (k) => {
      let calls = 0;
      proxy.intercept(async (_request, ask) => (++calls % k === 0 ? HANG_UP : ask()));
      await payThree();
      const watcher = await bench.newWatcher();
      for (let looks = 0; looks < 20 && (await bench.balance(alice.userId, 'USDT')) === 0n; looks++) await bench.settle(watcher);
      await expectAllCredited();
    });
  });

  describe('answers that stop everything until they are right', () => {
    const wrongAnswers: Record<string, Intercept> = {
      'a log of another block': changing('eth_getLogs', (logs) => (logs as RawLog[]).map((log) => ({ ...log, blockHash: `0x${'ab'.repeat(32)}` }))),
      'two different logs in one place': changing('eth_getLogs', (logs) =>
        (logs as RawLog[]).flatMap((log) => [log, { ...log, data: `0x${'22'.repeat(32)}` }]),
      ),
      'a log whose topics are no list': changing('eth_getLogs', (logs) => (logs as RawLog[]).map((log) => ({ ...log, topics: 'no' }))),
      'logs that are null': changing('eth_getLogs', () => null),
      'logs as an object': changing('eth_getLogs', () => ({})),
      'no receipts': changing('eth_getBlockReceipts', () => null),
      'one receipt too few': changing('eth_getBlockReceipts', (receipts) => (receipts as object[]).slice(1)),
      'receipts of another block': changing('eth_getBlockReceipts', (receipts) => changeAll(receipts, { blockHash: `0x${'ab'.repeat(32)}` })),
      'receipts of another transaction': changing('eth_getBlockReceipts', (receipts) => changeAll(receipts, { transactionHash: `0x${'ab'.repeat(32)}` })),
      'receipts in another order': changing('eth_getBlockReceipts', (receipts) => (receipts as object[]).toReversed()),
      'receipts without a status': changing('eth_getBlockReceipts', (receipts) => changeAll(receipts, { status: undefined })),
      'receipts without their logs': changing('eth_getBlockReceipts', (receipts) => changeAll(receipts, { logs: [] })),
      'a block of another height': changing('eth_getBlockByNumber', (block) => block && { ...(block as object), number: '0x7' }),
      'a block without a hash': changing('eth_getBlockByNumber', (block) => block && { ...(block as object), hash: null }),
      'a block whose parent is unknown': changing('eth_getBlockByNumber', (block, [, full]) =>
        full ? { ...(block as object), parentHash: `0x${'ab'.repeat(32)}` } : block,
      ),
      'a block whose transactions are hashes': changing('eth_getBlockByNumber', (block, [, full]) =>
        full ? { ...(block as object), transactions: ['0x1'] } : block,
      ),
      'a value that is no number': changing('eth_getBlockByNumber', (block, [, full]) =>
        full ? { ...(block as object), transactions: (block as { transactions: object[] }).transactions.map((tx) => ({ ...tx, value: '12 ETH' })) } : block,
      ),
      'a height that is no number': changing('eth_blockNumber', () => 'many'),
      'a height beyond every chain': changing('eth_blockNumber', () => `0x${'f'.repeat(64)}`),
      'text that is no JSON': async () => ({ rawBody: '<html>502 Bad Gateway</html>' }),
      'JSON that is no answer': async () => ({ rawBody: '[]' }),
      'an answer without a result': async () => ({ rawBody: '{"jsonrpc":"2.0","id":1}' }),
      'a node of another chain': changing('eth_chainId', () => '0x1'),
      'nothing at all': async () => HANG_UP,
    };

    test.each(Object.entries(wrongAnswers))('%s', async (_name, intercept) => {
      proxy.intercept(intercept);
      await payThree();
      const note = await bench.settle();
      expect(note).toMatch(/./);
      expect((await bench.deposits()).filter(({ status }) => status !== 'confirming')).toEqual([]);
      expect(await bench.balance(alice.userId, 'USDT')).toBe(0n);
      proxy.intercept(undefined);
      await bench.settle();
      await expectAllCredited();
    });
  });

  test('a stale head and a missing cursor block are a node behind, not a reorganisation', async () => {
    await payThree();
    await bench.settle();
    for (const method of ['eth_blockNumber', 'eth_getBlockByNumber']) {
      proxy.intercept(changing(method, () => (method === 'eth_blockNumber' ? '0x2' : null)));
      await bench.settle();
      await expectAllCredited();
    }
    expect((await bench.eventTypes()).filter((type) => type === 'deposit.reversed')).toEqual([]);
  });

  test('the second node takes over when the first fails, and the first comes back', async () => {
    const other = await startFaultProxy(anvil.url);
    await bench.configure([proxy.url, other.url]);
    const watcher = await bench.newWatcher();
    proxy.intercept(async () => HANG_UP);
    await payThree();
    await bench.settle(watcher);
    await expectAllCredited();
    const { rows } = await database.query<{ endpoints: { is_healthy: boolean }[] }>("select endpoints from chain_state where network = 'TESTNET'");
    expect(rows[0]?.endpoints.map((endpoint) => endpoint.is_healthy)).toEqual([false, true]);
    await other.stop();
  });

  test('two nodes that disagree: nothing is credited and nothing reversed until they agree', async () => {
    const fork = await startAnvil();
    expect(await fork.deployToken('USDT', 6)).toBe(usdt);
    const other = await startFaultProxy(fork.url);
    await bench.configure([proxy.url, other.url]);
    const watcher = await bench.newWatcher();
    await payThree();
    await fork.mine(CONFIRMATIONS);
    expect(await bench.settle(watcher)).toContain('nodes disagree about block');
    expect((await bench.deposits()).map(({ status }) => status)).toEqual(['confirming', 'confirming', 'confirming']);
    other.target(anvil.url);
    await bench.settle(watcher);
    await expectAllCredited();
    // Now the preferred node claims another history, which the second denies.
    proxy.target(fork.url);
    await fork.mine(2);
    expect(await bench.settle(watcher)).toContain('nodes disagree about block');
    await expectAllCredited();
    await other.stop();
    await fork.stop();
  });

  test('a token that lies about its decimals is held', async () => {
    await anvil.send({ to: usdt, data: anvil.encode('setDecimals', [18]) });
    await payThree();
    await bench.settle();
    expect((await bench.deposits()).map(({ status, reason }) => [status, reason])).toEqual(
      Array.from({ length: 3 }, () => ['on_hold', expect.stringContaining('tells 18 decimals where 6 are configured')]),
    );
    expect(await bench.eventTypes()).toContain('chain.token_distrusted');
  });

  test('no call asks for a range of blocks', async () => {
    proxy.log.length = 0;
    await payThree();
    await bench.settle();
    const filters = proxy.log.filter(({ method }) => method === 'eth_getLogs').map(({ params }) => Object.keys(params[0] as object));
    expect(filters.length).toBeGreaterThan(0);
    expect(new Set(filters.flat())).toEqual(new Set(['blockHash']));
  });
});
