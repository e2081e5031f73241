/** Reads blocks ahead while earlier ones are being stored. */
import type { ChainNode, FetchedBlock } from './chains/chain.ts';

/** Blocks that are read at the same time, or wait to be stored. */
const BLOCKS_AHEAD = 16;
/** Blocks that one transaction stores. */
const BLOCKS_MAX = 64;
/** One transaction must stay small even when blocks are full. */
const RECIPIENTS_MAX = 20_000;

/**
 * Blocks from one height to another, in order, in batches; ends early where the endpoint has no
 * further block.
 */
export async function* readBlocks(
  node: ChainNode,
  from: number,
  to: number,
): AsyncGenerator<FetchedBlock[], void, void> {
  const reading: Promise<FetchedBlock | undefined>[] = [];
  let batch: FetchedBlock[] = [];
  for (let height = from; height <= to; height++) {
    for (let next = height + reading.length; next <= to && reading.length < BLOCKS_AHEAD; next++) {
      const block = node.readBlock(next);
      // A failure is thrown where the block is awaited; until then it counts as handled.
      block.catch(() => undefined);
      reading.push(block);
    }
    const block = await reading.shift();
    if (!block) break;
    batch.push(block);
    const recipients = batch.reduce((sum, { recipients: keys }) => sum + keys.length, 0);
    if (batch.length >= BLOCKS_MAX || recipients >= RECIPIENTS_MAX) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
