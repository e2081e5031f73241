/** Nodes that answer late, wrongly, partly or not at all: nothing is missed, nothing is credited that is not there. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAnvil } from '../../test/support/chains/anvil.ts';
import { clock } from '../../test/support/chains/deposit-bench.ts';
import { CONFIRMATIONS, ONE_USDT, useEvmLab } from '../../test/support/chains/evm-lab.ts';
import {
  type FaultProxy,
  HANG_UP,
  type Intercept,
  startFaultProxy,
} from '../../test/support/chains/fault-proxy.ts';
import { requestBackfill } from './request-backfill.ts';

interface RawLog {
  data: string;
  blockHash: string;
  logIndex: string;
}

describe('faults of nodes', () => {
  let proxy: FaultProxy;
  const lab = useEvmLab({ engine: 'server', rpcUrls: () => [proxy.url] });

  beforeAll(async () => {
    proxy = await startFaultProxy(lab.anvil.url);
  });
  afterAll(() => proxy.stop());
  beforeEach(() => {
    proxy.intercept(undefined);
    proxy.target(lab.anvil.url);
  });

  /** Applies `change` to the answers of one method. */
  const changing = (
    method: string,
    change: (result: unknown, params: readonly unknown[]) => unknown,
  ): Intercept => {
    return async (request, ask) =>
      request.method === method ? change(await ask(), request.params) : ask();
  };

  const changeAll = (list: unknown, fields: object): object[] =>
    (list as object[]).map((item) => ({ ...item, ...fields }));

  /** Three payments in one block, deep enough. */
  async function payThree(): Promise<void> {
    for (const amount of [1n, 2n, 3n]) await lab.payUsdt(lab.alice.address, amount * ONE_USDT);
    await lab.anvil.mine(CONFIRMATIONS);
  }
  const expectAllCredited = async (): Promise<void> => {
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
      'credited',
      'credited',
      'credited',
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(6n * ONE_USDT);
  };

  describe('answers that are repaired at once', () => {
    test('an empty list of logs though the header announces some', async () => {
      proxy.intercept(changing('eth_getLogs', () => []));
      await payThree();
      await lab.bench.settle();
      await expectAllCredited();
    });

    test('a list of logs that lacks one', async () => {
      proxy.intercept(changing('eth_getLogs', (logs) => (logs as RawLog[]).slice(1)));
      await payThree();
      await lab.bench.settle();
      await expectAllCredited();
    });

    test('a list of logs that lacks the last one, which the filter cannot tell from its twins', async () => {
      proxy.intercept(changing('eth_getLogs', (logs) => (logs as RawLog[]).slice(0, -1)));
      await payThree();
      await lab.bench.settle();
      await expectAllCredited();
    });

    test('an empty list of logs, and a node that does not know eth_getBlockReceipts', async () => {
      proxy.intercept(async (request, ask) => {
        if (request.method === 'eth_getLogs') return [];
        if (request.method === 'eth_getBlockReceipts') throw new Error('the method does not exist');
        return ask();
      });
      await payThree();
      await lab.bench.settle();
      await expectAllCredited();
    });

    test('every log twice', async () => {
      proxy.intercept(
        changing('eth_getLogs', (logs) => [...(logs as RawLog[]), ...(logs as RawLog[])]),
      );
      await payThree();
      await lab.bench.settle();
      await expectAllCredited();
    });

    test('removed logs beside the real ones', async () => {
      const removed = (log: RawLog) => ({
        ...log,
        removed: true,
        blockHash: `0x${'ab'.repeat(32)}`,
        data: `0x${'11'.repeat(32)}`,
      });
      proxy.intercept(
        changing('eth_getLogs', (logs) => [
          ...(logs as RawLog[]).map(removed),
          ...(logs as RawLog[]),
        ]),
      );
      await payThree();
      await lab.bench.settle();
      await expectAllCredited();
    });

    test.each([2, 3, 5, 7])('every %ith call cut off', async (k) => {
      let calls = 0;
      proxy.intercept(async (_request, ask) => (++calls % k === 0 ? HANG_UP : ask()));
      await payThree();
      const watcher = await lab.bench.newWatcher();
      for (
        let looks = 0;
        looks < 20 && (await lab.bench.balance(lab.alice.userId, 'USDT')) === 0n;
        looks++
      )
        await lab.bench.settle(watcher);
      await expectAllCredited();
    });
  });

  describe('answers that stop everything until they are right', () => {
    const wrongAnswers: Record<string, Intercept> = {
      'a log of another block': changing('eth_getLogs', (logs) =>
        (logs as RawLog[]).map((log) => ({ ...log, blockHash: `0x${'ab'.repeat(32)}` })),
      ),
      'two different logs in one place': changing('eth_getLogs', (logs) =>
        (logs as RawLog[]).flatMap((log) => [log, { ...log, data: `0x${'22'.repeat(32)}` }]),
      ),
      'a log whose topics are no list': changing('eth_getLogs', (logs) =>
        (logs as RawLog[]).map((log) => ({ ...log, topics: 'no' })),
      ),
      'logs that are null': changing('eth_getLogs', () => null),
      'logs as an object': changing('eth_getLogs', () => ({})),
      'no receipts': changing('eth_getBlockReceipts', () => null),
      'one receipt too few': changing('eth_getBlockReceipts', (receipts) =>
        (receipts as object[]).slice(1),
      ),
      'receipts of another block': changing('eth_getBlockReceipts', (receipts) =>
        changeAll(receipts, { blockHash: `0x${'ab'.repeat(32)}` }),
      ),
      'receipts of another transaction': changing('eth_getBlockReceipts', (receipts) =>
        changeAll(receipts, { transactionHash: `0x${'ab'.repeat(32)}` }),
      ),
      'receipts in another order': changing('eth_getBlockReceipts', (receipts) =>
        (receipts as object[]).toReversed(),
      ),
      'receipts without a status': changing('eth_getBlockReceipts', (receipts) =>
        changeAll(receipts, { status: undefined }),
      ),
      'receipts without their logs': changing('eth_getBlockReceipts', (receipts) =>
        changeAll(receipts, { logs: [] }),
      ),
      'a block of another height': changing(
        'eth_getBlockByNumber',
        (block) => block && { ...(block as object), number: '0x7' },
      ),
      'a block without a hash': changing(
        'eth_getBlockByNumber',
        (block) => block && { ...(block as object), hash: null },
      ),
      'a block whose parent is unknown': changing('eth_getBlockByNumber', (block, [, full]) =>
        full ? { ...(block as object), parentHash: `0x${'ab'.repeat(32)}` } : block,
      ),
      'a block whose transactions are hashes': changing(
        'eth_getBlockByNumber',
        (block, [, full]) => (full ? { ...(block as object), transactions: ['0x1'] } : block),
      ),
      'a value that is no number': changing('eth_getBlockByNumber', (block, [, full]) =>
        full
          ? {
              ...(block as object),
              transactions: (block as { transactions: object[] }).transactions.map((tx) => ({
                ...tx,
                value: '12 ETH',
              })),
            }
          : block,
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
      const note = await lab.bench.settle();
      expect(note).toMatch(/./);
      expect((await lab.bench.deposits()).filter(({ status }) => status !== 'confirming')).toEqual(
        [],
      );
      expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(0n);
      proxy.intercept(undefined);
      await lab.bench.settle();
      await expectAllCredited();
    });
  });

  test('a stale head and a missing cursor block are a node behind, not a reorganisation', async () => {
    await payThree();
    await lab.bench.settle();
    for (const method of ['eth_blockNumber', 'eth_getBlockByNumber']) {
      proxy.intercept(changing(method, () => (method === 'eth_blockNumber' ? '0x2' : null)));
      await lab.bench.settle();
      await expectAllCredited();
    }
    expect((await lab.bench.eventTypes()).filter((type) => type === 'deposit.reversed')).toEqual(
      [],
    );
  });

  test('the second node takes over when the first fails, and the first is preferred again once it answers', async () => {
    const other = await startFaultProxy(lab.anvil.url);
    await lab.bench.configure([proxy.url, other.url]);
    const health = async () =>
      (
        await lab.database.query<{ endpoints: { is_healthy: boolean; last_error?: string }[] }>(
          "select endpoints from chain_state where network = 'TESTNET'",
        )
      ).rows[0]?.endpoints;
    proxy.intercept(async () => HANG_UP);
    await payThree();
    await lab.bench.settle();
    await expectAllCredited();
    expect(await health()).toMatchObject([
      { is_healthy: false, last_error: expect.stringContaining('no connection') },
      { is_healthy: true },
    ]);
    proxy.intercept(undefined);
    proxy.log.length = 0;
    other.log.length = 0;
    await lab.anvil.mine();
    await lab.bench.settle();
    expect(await health()).toMatchObject([{ is_healthy: true }, { is_healthy: true }]);
    const readBlocks = ({
      method,
      params,
    }: {
      method: string;
      params: readonly unknown[];
    }): boolean => method === 'eth_getBlockByNumber' && params[1] === true;
    expect([proxy.log.filter(readBlocks).length, other.log.filter(readBlocks).length]).toEqual([
      1, 0,
    ]);
    await other.stop();
  });

  test('a node that tells of blocks that it does not have: the second takes over', async () => {
    const other = await startFaultProxy(lab.anvil.url);
    await lab.bench.configure([proxy.url, other.url]);
    await payThree();
    const height = await lab.anvil.height();
    const isBeyond = (params: readonly unknown[]): boolean =>
      Number(params[0]) > height - CONFIRMATIONS;
    proxy.intercept(async ({ method, params }, ask) => {
      if (method === 'eth_blockNumber') return '0xffff';
      return method === 'eth_getBlockByNumber' && isBeyond(params) ? null : ask();
    });
    await lab.bench.settle();
    await expectAllCredited();
    await other.stop();
  });

  test('two nodes that disagree: nothing is credited and nothing reversed until they agree', async () => {
    const fork = await startAnvil();
    expect(await fork.deployToken('USDT', 6)).toBe(lab.usdt);
    const other = await startFaultProxy(fork.url);
    await lab.bench.configure([proxy.url, other.url]);
    const watcher = await lab.bench.newWatcher();
    await payThree();
    await fork.mine(CONFIRMATIONS);
    expect(await lab.bench.settle(watcher)).toContain('nodes disagree about block');
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
      'confirming',
      'confirming',
      'confirming',
    ]);
    other.target(lab.anvil.url);
    await lab.bench.settle(watcher);
    await expectAllCredited();
    // Now the preferred node claims another history, which the second denies.
    proxy.target(fork.url);
    await fork.mine(2);
    expect(await lab.bench.settle(watcher)).toContain('nodes disagree about block');
    await expectAllCredited();
    await other.stop();
    await fork.stop();
  });

  test('a node that runs ahead of all others with another history: nothing of it is credited', async () => {
    const fork = await startAnvil();
    expect(await fork.deployToken('USDT', 6)).toBe(lab.usdt);
    await fork.send({
      to: lab.usdt,
      data: fork.encode('pay', [lab.alice.address, 1000n * ONE_USDT]),
    });
    await fork.mine(20);
    await lab.bench.configure([fork.url, proxy.url]);
    await payThree();
    expect(await lab.bench.settle()).toContain('nodes disagree about block');
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual(['confirming']);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(0n);
    await fork.stop();
  });

  test('one node that is ahead alone is not believed against one that answers: no credit, no reversal, no halt', async () => {
    await lab.bench.configure([lab.anvil.url, proxy.url]);
    const watcher = await lab.bench.newWatcher();
    await lab.bench.settle(watcher);
    /** The second node stays with the blocks of now. */
    const freeze = async (): Promise<void> => {
      const height = await lab.anvil.height();
      const blocks = new Map<number, unknown>();
      for (let at = 0; at <= height; at++)
        blocks.set(
          at,
          await lab.anvil.call('eth_getBlockByNumber', [`0x${at.toString(16)}`, false]),
        );
      proxy.intercept(async ({ method, params }, ask) => {
        if (method === 'eth_blockNumber') return `0x${height.toString(16)}`;
        return method === 'eth_getBlockByNumber' ? (blocks.get(Number(params[0])) ?? null) : ask();
      });
    };
    await freeze();
    await payThree();
    await lab.anvil.mine(6);
    expect(await lab.bench.settle(watcher)).toContain('only one node has block');
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
      'confirming',
      'confirming',
      'confirming',
    ]);
    proxy.intercept(undefined);
    await lab.bench.settle(watcher);
    await expectAllCredited();
    // As deep as the deposits, then deeper than what is remembered.
    for (const depth of [CONFIRMATIONS + 15, 25]) {
      await lab.anvil.mine(9);
      await lab.bench.settle(watcher);
      const before = await lab.bench.deposits();
      await freeze();
      await lab.anvil.rollback(depth);
      await lab.anvil.mine(depth + 16);
      expect(await lab.bench.settle(watcher)).toContain('nodes disagree about block');
      expect(await lab.bench.deposits()).toEqual(before);
      expect(await lab.bench.state()).toMatchObject({ halted_reason: null });
      proxy.intercept(undefined);
      await lab.bench.settle(watcher);
      expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
        'reversed',
        'reversed',
        'reversed',
      ]);
    }
    expect(await lab.bench.state()).toMatchObject({
      halted_reason: expect.stringContaining('deeper than the 20 blocks'),
    });
  });

  test('a backfill that is cut off goes on where it was, whoever takes it up', async () => {
    await payThree();
    await lab.anvil.mine(200);
    await lab.bench.settle();
    const bob = await lab.bench.addPerson();
    const late = '0x5a1e0000000000000000000000000000000000aa';
    await lab.payUsdt(late, 4n * ONE_USDT);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    await lab.database.query(
      'update deposit_address set address = $1, address_key = $1 where user_id = $2',
      [late, bob.userId],
    );
    const { id } = await requestBackfill(lab.database, clock, await lab.bench.network(), 1);
    const state = async () =>
      (
        await lab.database.query<{ next_height: number; found: number; finished_at: Date | null }>(
          'select * from chain_backfill where id = $1',
          [id],
        )
      ).rows[0];
    let left = 100;
    proxy.intercept(async ({ method, params }, ask) =>
      method === 'eth_getBlockByNumber' && params[1] === true && left-- <= 0 ? HANG_UP : ask(),
    );
    await lab.bench.settle();
    const cut = await state();
    expect(cut).toMatchObject({ finished_at: null, found: 0 });
    expect(cut?.next_height).toBeGreaterThan(1);
    proxy.intercept(undefined);
    proxy.log.length = 0;
    await lab.bench.settle();
    expect(await state()).toMatchObject({ found: 1, finished_at: expect.any(Date) });
    const heights = proxy.log
      .filter(({ method, params }) => method === 'eth_getBlockByNumber' && params[1] === true)
      .map(({ params }) => Number(params[0]));
    expect(Math.min(...heights)).toBe(cut?.next_height);
    expect(await lab.bench.balance(bob.userId, 'USDT')).toBe(4n * ONE_USDT);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(6n * ONE_USDT);
  });

  test('a token that lies about its decimals is held', async () => {
    await lab.anvil.send({ to: lab.usdt, data: lab.anvil.encode('setDecimals', [18]) });
    await payThree();
    await lab.bench.settle();
    expect((await lab.bench.deposits()).map(({ status, reason }) => [status, reason])).toEqual(
      Array.from({ length: 3 }, () => [
        'on_hold',
        expect.stringContaining('tells 18 decimals where 6 are configured'),
      ]),
    );
    expect(await lab.bench.eventTypes()).toContain('chain.token_distrusted');
  });

  test('a token that begins to lie while its deposit confirms is held, not credited', async () => {
    const watcher = await lab.bench.newWatcher();
    await lab.bench.settle(watcher);
    for (const amount of [1n, 2n]) await lab.payUsdt(lab.alice.address, amount * ONE_USDT);
    await lab.anvil.mine();
    await lab.bench.settle(watcher);
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
      'confirming',
      'confirming',
    ]);
    await lab.anvil.send({ to: lab.usdt, data: lab.anvil.encode('setDecimals', [18]) });
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle(watcher);
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
      'on_hold',
      'on_hold',
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(0n);
  });

  test('no call asks for a range of blocks', async () => {
    proxy.log.length = 0;
    await payThree();
    await lab.bench.settle();
    const filters = proxy.log
      .filter(({ method }) => method === 'eth_getLogs')
      .map(({ params }) => Object.keys(params[0] as object));
    expect(filters.length).toBeGreaterThan(0);
    expect(new Set(filters.flat())).toEqual(new Set(['blockHash']));
  });
});
