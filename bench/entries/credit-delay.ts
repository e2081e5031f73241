import { ChainWatchers } from '../../service/src/deposits/index.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { testMasterKey } from '../../service/test/support/test-config.ts';
import type { BenchEntry } from '../harness/entry.ts';
import { openChainLab } from '../support/chain-lab.ts';

const POLL_MS = 500;
const CONFIRMATIONS = 3;
const PAYMENTS = 12;
const LOOK_MS = 5;
const ONE_USDT = 1_000_000n;

const entry: BenchEntry = {
  name: 'credit-delay',
  summary:
    `longest of ${PAYMENTS} times from the final confirmation to the credited balance, ` +
    `beside the polling interval of ${POLL_MS} ms`,
  unit: 'ms',
  goal: { ratio: 2, is: 'at most' },
  rounds: 3,
  async open() {
    const lab = await openChainLab({ watched: false, poll_ms: POLL_MS });
    const watchers = new ChainWatchers({
      database: lab.database,
      clock: systemClock,
      masterKey: testMasterKey,
      onError: () => {},
    });
    await watchers.start();

    async function payOnce(n: number): Promise<number> {
      const { anvil, bench, usdt, person } = lab;
      const before = await bench.balance(person.userId, 'USDT');
      await anvil.send({ to: usdt, data: anvil.encode('pay', [person.address, 2n * ONE_USDT]) });
      await anvil.mine(CONFIRMATIONS - 1);
      // At another moment of the polling interval each time.
      await new Promise((resolve) => setTimeout(resolve, (POLL_MS * n) / PAYMENTS));
      await anvil.mine();
      const final = performance.now();
      while ((await bench.balance(person.userId, 'USDT')) === before)
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      return performance.now() - final;
    }

    return {
      async ours() {
        let longest = 0;
        for (let n = 0; n < PAYMENTS; n++) longest = Math.max(longest, await payOnce(n));
        return longest;
      },
      anchor: async () => POLL_MS,
      async close() {
        await watchers.stop();
        await lab.close();
      },
    };
  },
};

export default entry;
