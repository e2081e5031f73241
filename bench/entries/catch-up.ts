import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createPublicClient, http } from 'viem';
import type { BenchEntry } from '../harness/entry.ts';
import { fillChain, openChainLab, WATCHED } from '../support/chain-lab.ts';

const BLOCKS = 1000;
/** What our watcher has under way at a time: viem gets the same. */
const AT_ONCE = 12;
const EMPTY_BLOCKS = process.env.SOAK ? 100_000 : 2000;
const MINED_AT_ONCE = 500;
const MB = 1024 * 1024;

/** What is in use after a full collection: the rest is the collector's to give back. */
function usedMemory_mb(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return Math.round((heapUsed + external) / MB);
}

const entry: BenchEntry = {
  name: 'catch-up',
  summary: `blocks per second while catching up, ${WATCHED.toLocaleString('en')} watched addresses, crediting included, beside viem's bare fetching of the same blocks and logs`,
  unit: 'blocks/s',
  rounds: 3,
  goal: { ratio: 0.7, is: 'at least' },
  async open() {
    const lab = await openChainLab({ watched: true });
    await fillChain(lab, BLOCKS);
    const first = 2;
    const last = await lab.anvil.height();

    async function catchUp(from: number): Promise<number> {
      await lab.forget(from);
      const to = await lab.anvil.height();
      const started = performance.now();
      await lab.bench.settle();
      const figure = (to - from + 1) / ((performance.now() - started) / 1000);
      if ((await lab.bench.state())?.cursor_height !== to) throw new Error('the watcher did not reach the head');
      return figure;
    }

    async function fetchWithViem(): Promise<number> {
      const client = createPublicClient({ transport: http(lab.anvil.url) });
      const started = performance.now();
      let next = first;
      const worker = async (): Promise<void> => {
        while (next <= last) {
          const block = await client.getBlock({ blockNumber: BigInt(next++), includeTransactions: true });
          await client.getLogs({ blockHash: block.hash });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      return (last - first + 1) / ((performance.now() - started) / 1000);
    }

    return {
      ours: () => catchUp(first),
      anchor: fetchWithViem,
      async further() {
        for (let mined = 0; mined < EMPTY_BLOCKS; mined += MINED_AT_ONCE) await lab.anvil.mine(MINED_AT_ONCE);
        const half = EMPTY_BLOCKS / 2;
        await catchUp((await lab.anvil.height()) - half + 1);
        const before = usedMemory_mb();
        await catchUp((await lab.anvil.height()) - EMPTY_BLOCKS + 1);
        return { [`memory in use after ${half} and after ${EMPTY_BLOCKS} more blocks`]: `${before} MB, ${usedMemory_mb()} MB` };
      },
      close: () => lab.close(),
    };
  },
};

export default entry;
