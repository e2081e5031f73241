/** Several endpoints of which one fails, lags or shows another history. */
import { describe, expect, test } from 'vitest';
import { startAnvil } from '../../test/support/chains/anvil.ts';
import { CONFIRMATIONS, ONE_USDT } from '../../test/support/chains/evm-lab.ts';
import { useFaultFixture } from '../../test/support/chains/fault-fixture.ts';
import { HANG_UP, startFaultProxy } from '../../test/support/chains/fault-proxy.ts';

describe('several endpoints', () => {
  const fixture = useFaultFixture();
  const { lab, payThree, expectAllCredited } = fixture;

  test('the second endpoint takes over when the first fails, until the first answers', async () => {
    const other = await startFaultProxy(lab.anvil.url);
    await lab.bench.configure([fixture.proxy.url, other.url]);
    const health = async () =>
      (
        await lab.database.query<{ endpoints: { is_healthy: boolean; last_error?: object }[] }>(
          "select endpoints from chain_state where network = 'TESTNET'",
        )
      ).rows[0]?.endpoints;
    fixture.proxy.intercept(async () => HANG_UP);
    await payThree();
    await lab.bench.settle();
    await expectAllCredited();
    expect(await health()).toMatchObject([
      { is_healthy: false, last_error: { code: 'no_connection' } },
      { is_healthy: true },
    ]);
    fixture.proxy.intercept(undefined);
    fixture.proxy.log.length = 0;
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
    expect([
      fixture.proxy.log.filter(readBlocks).length,
      other.log.filter(readBlocks).length,
    ]).toEqual([1, 0]);
    await other.stop();
  });

  test('the second endpoint takes over when the first lacks blocks below its head', async () => {
    const other = await startFaultProxy(lab.anvil.url);
    await lab.bench.configure([fixture.proxy.url, other.url]);
    await payThree();
    const height = await lab.anvil.height();
    const isBeyond = (params: readonly unknown[]): boolean =>
      Number(params[0]) > height - CONFIRMATIONS;
    fixture.proxy.intercept(async ({ method, params }, ask) => {
      if (method === 'eth_blockNumber') return '0xffff';
      return method === 'eth_getBlockByNumber' && isBeyond(params) ? null : ask();
    });
    await lab.bench.settle();
    await expectAllCredited();
    await other.stop();
  });

  test('two endpoints that disagree: nothing is credited or reversed', async () => {
    const fork = await startAnvil();
    expect(await fork.deployToken('USDT', 6)).toBe(lab.usdt);
    const other = await startFaultProxy(fork.url);
    await lab.bench.configure([fixture.proxy.url, other.url]);
    const watcher = await lab.bench.newWatcher();
    await payThree();
    await fork.mine(CONFIRMATIONS);
    expect(await lab.bench.settle(watcher)).toContain('RPC endpoints disagree about block');
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
      'confirming',
      'confirming',
      'confirming',
    ]);
    other.target(lab.anvil.url);
    await lab.bench.settle(watcher);
    await expectAllCredited();
    // Now the preferred endpoint reports another history, which the second one contradicts.
    fixture.proxy.target(fork.url);
    await fork.mine(2);
    expect(await lab.bench.settle(watcher)).toContain('RPC endpoints disagree about block');
    await expectAllCredited();
    await other.stop();
    await fork.stop();
  });

  test('an endpoint that runs ahead of all others with another history: no credit', async () => {
    const fork = await startAnvil();
    expect(await fork.deployToken('USDT', 6)).toBe(lab.usdt);
    await fork.send({
      to: lab.usdt,
      data: fork.encode('pay', [lab.alice.address, 1000n * ONE_USDT]),
    });
    await fork.mine(20);
    await lab.bench.configure([fork.url, fixture.proxy.url]);
    await payThree();
    expect(await lab.bench.settle()).toContain('RPC endpoints disagree about block');
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual(['confirming']);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(0n);
    await fork.stop();
  });

  test('an endpoint ahead of one that answers: no credit, no reversal, no halt', async () => {
    await lab.bench.configure([lab.anvil.url, fixture.proxy.url]);
    const watcher = await lab.bench.newWatcher();
    await lab.bench.settle(watcher);
    /** The second endpoint stays at the current blocks. */
    const freeze = async (): Promise<void> => {
      const height = await lab.anvil.height();
      const blocks = new Map<number, unknown>();
      for (let at = 0; at <= height; at++)
        blocks.set(
          at,
          await lab.anvil.call('eth_getBlockByNumber', [`0x${at.toString(16)}`, false]),
        );
      fixture.proxy.intercept(async ({ method, params }, ask) => {
        if (method === 'eth_blockNumber') return `0x${height.toString(16)}`;
        return method === 'eth_getBlockByNumber' ? (blocks.get(Number(params[0])) ?? null) : ask();
      });
    };
    await freeze();
    await payThree();
    await lab.anvil.mine(6);
    expect(await lab.bench.settle(watcher)).toContain('only one RPC endpoint has block');
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
      'confirming',
      'confirming',
      'confirming',
    ]);
    fixture.proxy.intercept(undefined);
    await lab.bench.settle(watcher);
    await expectAllCredited();
    // As deep as the deposits, then deeper than the stored blocks.
    for (const depth of [CONFIRMATIONS + 15, 25]) {
      await lab.anvil.mine(9);
      await lab.bench.settle(watcher);
      const before = await lab.bench.deposits();
      await freeze();
      await lab.anvil.rollback(depth);
      await lab.anvil.mine(depth + 16);
      expect(await lab.bench.settle(watcher)).toContain('RPC endpoints disagree about block');
      expect(await lab.bench.deposits()).toEqual(before);
      expect(await lab.bench.state()).toMatchObject({ halted_reason: null });
      fixture.proxy.intercept(undefined);
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
});
