/**
 * Endpoints whose answers are late, wrong or incomplete: no deposit is missed, none is invented.
 */
import { describe, expect, test } from 'vitest';
import { changing, useFaultFixture } from '../../test/support/chains/fault-fixture.ts';
import { HANG_UP, type Intercept } from '../../test/support/chains/fault-proxy.ts';

interface RawLog {
  data: string;
  blockHash: string;
  logIndex: string;
}

const changeAll = (list: unknown, fields: object): object[] =>
  (list as object[]).map((item) => ({ ...item, ...fields }));

describe('faults of an endpoint', () => {
  const fixture = useFaultFixture();
  const { lab, payThree, expectAllCredited } = fixture;

  describe('answers that are repaired immediately', () => {
    test('an empty list of logs although the header announces some', async () => {
      fixture.proxy.intercept(changing('eth_getLogs', () => []));
      await payThree();
      await lab.bench.settle();
      await expectAllCredited();
    });

    test('a list of logs that lacks one', async () => {
      fixture.proxy.intercept(changing('eth_getLogs', (logs) => (logs as RawLog[]).slice(1)));
      await payThree();
      await lab.bench.settle();
      await expectAllCredited();
    });

    test('a list of logs without the last one, which the filter does not show', async () => {
      fixture.proxy.intercept(changing('eth_getLogs', (logs) => (logs as RawLog[]).slice(0, -1)));
      await payThree();
      await lab.bench.settle();
      await expectAllCredited();
    });

    test('an empty list of logs, and a node that does not know eth_getBlockReceipts', async () => {
      fixture.proxy.intercept(async (request, ask) => {
        if (request.method === 'eth_getLogs') return [];
        if (request.method === 'eth_getBlockReceipts') throw new Error('the method does not exist');
        return ask();
      });
      await payThree();
      await lab.bench.settle();
      await expectAllCredited();
    });

    test('every log twice', async () => {
      fixture.proxy.intercept(
        changing('eth_getLogs', (logs) => [...(logs as RawLog[]), ...(logs as RawLog[])]),
      );
      await payThree();
      await lab.bench.settle();
      await expectAllCredited();
    });

    test('removed logs beside valid ones', async () => {
      const removed = (log: RawLog) => ({
        ...log,
        removed: true,
        blockHash: `0x${'ab'.repeat(32)}`,
        data: `0x${'11'.repeat(32)}`,
      });
      fixture.proxy.intercept(
        changing('eth_getLogs', (logs) => [
          ...(logs as RawLog[]).map(removed),
          ...(logs as RawLog[]),
        ]),
      );
      await payThree();
      await lab.bench.settle();
      await expectAllCredited();
    });

    test.each([2, 3, 5, 7])('every %ith call is cut off', async (k) => {
      let calls = 0;
      fixture.proxy.intercept(async (_request, ask) => (++calls % k === 0 ? HANG_UP : ask()));
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

  describe('answers that stop the watcher until they are right', () => {
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
      fixture.proxy.intercept(intercept);
      await payThree();
      const note = await lab.bench.settle();
      expect(note).toMatch(/./);
      expect((await lab.bench.deposits()).filter(({ status }) => status !== 'confirming')).toEqual(
        [],
      );
      expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(0n);
      fixture.proxy.intercept(undefined);
      await lab.bench.settle();
      await expectAllCredited();
    });
  });

  test('a stale head or a missing cursor block is no reorganisation', async () => {
    await payThree();
    await lab.bench.settle();
    for (const method of ['eth_blockNumber', 'eth_getBlockByNumber']) {
      fixture.proxy.intercept(
        changing(method, () => (method === 'eth_blockNumber' ? '0x2' : null)),
      );
      await lab.bench.settle();
      await expectAllCredited();
    }
    expect((await lab.bench.eventTypes()).filter((type) => type === 'deposit.reversed')).toEqual(
      [],
    );
  });

  test('no call asks for a range of blocks', async () => {
    fixture.proxy.log.length = 0;
    await payThree();
    await lab.bench.settle();
    const filters = fixture.proxy.log
      .filter(({ method }) => method === 'eth_getLogs')
      .map(({ params }) => Object.keys(params[0] as object));
    expect(filters.length).toBeGreaterThan(0);
    expect(new Set(filters.flat())).toEqual(new Set(['blockHash']));
  });
});
