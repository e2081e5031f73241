import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createPublicClient, http } from 'viem';
import type { BenchEntry } from '../harness/entry.ts';
import { fillChain, openChainLab, WATCHED } from '../support/chain-lab.ts';

const BLOCKS = 500;
/** What our watcher has under way at a time: viem gets the same. */
const CONCURRENCY = 12;
/** The same blocks again and again: what is kept of one must not outlive it. */
const LONG_BLOCKS = process.env.SOAK ? 100_000 : 5000;
const LOOKS_AT_MEMORY = 5;
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
  summary:
    `blocks per second while catching up, ${WATCHED.toLocaleString('en')} watched ` +
    "addresses, crediting included, beside viem's bare fetching of the same blocks and " +
    'logs',
  unit: 'blocks/s',
  rounds: 3,
  goal: { ratio: 0.7, is: 'at least' },
  async open() {
    const lab = await openChainLab({ watched: true });
    await fillChain(lab, BLOCKS);
    const first = 2;
    const last = await lab.anvil.height();
    const watcher = await lab.bench.newWatcher();
    const processor_ms = { ours: 0, viem: 0 };

    async function catchUp(): Promise<number> {
      await lab.forget(first - 1);
      const started = performance.now();
      const before = process.cpuUsage();
      await lab.bench.settle(watcher);
      const { user, system } = process.cpuUsage(before);
      processor_ms.ours = (user + system) / 1000;
      const figure = (last - first + 1) / ((performance.now() - started) / 1000);
      if ((await lab.bench.state())?.cursor_height !== last)
        throw new Error('the watcher did not reach the head');
      return figure;
    }

    async function fetchWithViem(): Promise<number> {
      const client = createPublicClient({ transport: http(lab.anvil.url) });
      const started = performance.now();
      const before = process.cpuUsage();
      let next = first;
      const worker = async (): Promise<void> => {
        while (next <= last) {
          const block = await client.getBlock({
            blockNumber: BigInt(next++),
            includeTransactions: true,
          });
          await client.getLogs({ blockHash: block.hash });
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, worker));
      const { user, system } = process.cpuUsage(before);
      processor_ms.viem = (user + system) / 1000;
      return (last - first + 1) / ((performance.now() - started) / 1000);
    }

    return {
      ours: catchUp,
      anchor: fetchWithViem,
      async further() {
        const perBlock = Object.entries(processor_ms).map(
          ([name, ms]) => `${name} ${(ms / (last - first + 1)).toFixed(2)} ms`,
        );
        const memory: number[] = [];
        const rounds = LONG_BLOCKS / LOOKS_AT_MEMORY / BLOCKS;
        for (let look = 0; look < LOOKS_AT_MEMORY; look++) {
          for (let round = 0; round < rounds; round++) await catchUp();
          memory.push(usedMemory_mb());
        }
        return {
          'processor time of this process per block, last round': perBlock.join(', '),
          [`memory at each fifth of ${LONG_BLOCKS.toLocaleString('en')} blocks, MB`]:
            memory.join(', '),
        };
      },
      close: () => lab.close(),
    };
  },
};

export default entry;
