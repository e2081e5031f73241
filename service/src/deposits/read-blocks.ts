/** Reads blocks ahead while earlier ones are being stored; never more than a fixed number at a time. */
import type { ChainNode, FetchedBlock } from './chains/chain.ts';

/** Blocks that are asked for at the same time. */
const AT_ONCE = 12;
/** Blocks that wait to be stored, those asked for included: reading goes on while a transaction runs. */
const AHEAD = 64;
/** Blocks that one transaction takes in at most. */
const BATCH_MAX = 64;
/** What one transaction takes in must stay small even when blocks are full. */
const RECIPIENTS_MAX = 20_000;

/** Asks for blocks in order, ahead of whoever takes them. */
function createReader(
  node: ChainNode,
  from: number,
  to: number,
): { take(): Promise<FetchedBlock | undefined> | undefined } {
  const queue: Promise<FetchedBlock | undefined>[] = [];
  let next = from;
  let open = 0;
  const fill = (): void => {
    while (queue.length < AHEAD && open < AT_ONCE && next <= to) {
      open++;
      const block = node.readBlock(next++).finally(() => {
        open--;
        fill();
      });
      // Whoever takes it hears of its failure; until then it must not count as unhandled.
      block.catch(() => {
        next = to + 1;
      });
      queue.push(block);
    }
  };
  fill();
  return {
    take() {
      const block = queue.shift();
      fill();
      return block;
    },
  };
}

/** Blocks from one height to another, in order, in batches; ends early where the node has no further block. */
export async function* readBlocks(
  node: ChainNode,
  from: number,
  to: number,
): AsyncGenerator<FetchedBlock[], void, void> {
  const reader = createReader(node, from, to);
  let batch: FetchedBlock[] = [];
  let recipients = 0;
  for (let taken = reader.take(); taken; taken = reader.take()) {
    const block = await taken;
    if (!block) break;
    batch.push(block);
    recipients += block.recipients.length;
    if (batch.length >= BATCH_MAX || recipients >= RECIPIENTS_MAX) {
      yield batch;
      batch = [];
      recipients = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
