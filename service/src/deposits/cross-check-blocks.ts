/** Cross-checks blocks with endpoints: whether they have the block, or another at its height. */
import type { Cursor } from './chain-state.ts';
import type { ChainNode } from './chains/chain.ts';
import { RpcError } from './chains/json-rpc.ts';
import { mapInChunks } from './chains/map-in-chunks.ts';

const BLOCKS_CONCURRENT = 16;

/**
 * `same`: it has the block; `other`: it has another one at this height; `none`: it has none (yet);
 * `silent`: no answer.
 */
export type BlockVote = 'same' | 'other' | 'none' | 'silent';

async function queryBlockHash(node: ChainNode, block: Cursor): Promise<BlockVote> {
  try {
    const header = await node.readHeader(block.height);
    if (!header) return 'none';
    return header.hash === block.hash ? 'same' : 'other';
  } catch (error) {
    if (error instanceof RpcError) return 'silent';
    throw error;
  }
}

/** @returns for every block the vote of each endpoint, in their order */
export function queryBlockHashes(
  nodes: readonly ChainNode[],
  blocks: readonly Cursor[],
): Promise<BlockVote[][]> {
  return mapInChunks(blocks, BLOCKS_CONCURRENT, (block) =>
    Promise.all(nodes.map((node) => queryBlockHash(node, block))),
  );
}

/**
 * True when money may move as one endpoint reports it, by the votes of all others: none denies the
 * block, and of those that answer at least one has it too.
 */
export function hasQuorum(votes: readonly BlockVote[]): boolean {
  if (votes.includes('other')) return false;
  return votes.includes('same') || votes.every((vote) => vote === 'silent');
}
