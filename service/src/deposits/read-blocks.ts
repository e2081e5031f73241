/** Reads blocks ahead while earlier ones are being stored; never more than a fixed number at a time. */
import type { ChainNode, FetchedBlock } from './chains/chain.ts';

/** Blocks that are asked for at the same time. */
const AHEAD = 12;
/** Blocks that one transaction takes in at most. */
const BATCH_MAX = 48;
/** What one transaction takes in must stay small even when blocks are full. */
const RECIPIENTS_MAX = 20_000;

/** Blocks from one height to another, in order, in batches; ends early where the node has no further block. */
export async function* readBlocks(node: ChainNode, from: number, to: number): AsyncGenerator<FetchedBlock[], void, void> {
  const queue: Promise<FetchedBlock | undefined>[] = [];
  let next = from;
  const fill = (): void => {
    while (queue.length < AHEAD && next <= to) {
      const block = node.readBlock(next++);
      // Whoever takes it hears of its failure; until then it must not count as unhandled.
      block.catch(() => {});
      queue.push(block);
    }
  };
  let batch: FetchedBlock[] = [];
  let recipients = 0;
  for (fill(); queue.length > 0; fill()) {
    const block = await queue.shift();
    if (!block) break;
    batch.push(block);
    recipients += block.recipients.length;
    // Near the head each block counts at once; far from it the transactions would be the bottleneck.
    if (batch.length >= BATCH_MAX || recipients >= RECIPIENTS_MAX || to - block.height < AHEAD) {
      yield batch;
      batch = [];
      recipients = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
