/** What nodes say about blocks that were read: whether they have them, or others in their place. */
import type { Cursor } from './chain-state.ts';
import type { ChainNode } from './chains/chain.ts';
import { RpcError } from './chains/json-rpc.ts';

const AT_ONCE = 16;

/** `same`: the block is theirs too; `other`: they have another there; `none`: they have none (yet); `silent`: no answer. */
export type Answer = 'same' | 'other' | 'none' | 'silent';

async function askAboutBlock(node: ChainNode, block: Cursor): Promise<Answer> {
  try {
    const header = await node.readHeader(block.height);
    if (!header) return 'none';
    return header.hash === block.hash ? 'same' : 'other';
  } catch (error) {
    if (error instanceof RpcError) return 'silent';
    throw error;
  }
}

/** @returns for every block what each node says, in the order of the nodes */
export async function queryBlockHashes(
  nodes: readonly ChainNode[],
  blocks: readonly Cursor[],
): Promise<Answer[][]> {
  const answers: Answer[][] = [];
  for (let at = 0; at < blocks.length; at += AT_ONCE) {
    const some = blocks.slice(at, at + AT_ONCE);
    answers.push(
      ...(await Promise.all(
        some.map((block) => Promise.all(nodes.map((node) => askAboutBlock(node, block)))),
      )),
    );
  }
  return answers;
}

/**
 * True when money may move on the word of the one who is asked besides these: nobody denies the block, and of those
 * that answer at least one has it too.
 */
export function hasQuorum(answers: readonly Answer[]): boolean {
  if (answers.includes('other')) return false;
  return answers.includes('same') || answers.every((answer) => answer === 'silent');
}
