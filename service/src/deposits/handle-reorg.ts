/**
 * Decides what to do when the chain no longer holds the block at the cursor. Never guesses: it
 * rewinds, waits or halts.
 */
import { type Db, defineStatement, execute } from '../db/index.ts';
import type { CodedMessage } from '../lib/coded-messages.ts';
import { HALT_REASONS, WAIT_REASONS } from './chain-reasons.ts';
import type { Cursor } from './chain-state.ts';
import type { ChainNode } from './chains/chain.ts';
import { RpcError } from './chains/json-rpc.ts';
import { NODE_ERRORS } from './chains/node-errors.ts';
import { hasQuorum, queryBlockHashes } from './cross-check-blocks.ts';
import type { ChainContext, Network } from './networks.ts';
import { haltChain, rewindChain } from './rewind-chain.ts';

export type ReorgResult =
  | { readonly kind: 'rewound' | 'halted' }
  /** Another watcher was faster, or endpoints contradict each other: the next poll decides. */
  | { readonly kind: 'wait'; readonly why: CodedMessage };

/** Stored blocks are compared this many at a time. */
const BLOCKS_MAX = 32;

const LIST_STORED = defineStatement(
  'chain_blocks_below',
  `select height, hash from chain_block where network = :network and height < :below
   order by height desc limit ${BLOCKS_MAX}`,
);

/** Where the stored history and the chain part. */
interface Fork {
  /** The highest stored block that the endpoint still has; undefined when it has none. */
  readonly ancestor: Cursor | undefined;
  /** The lowest stored block that was replaced, and the endpoint's block at its height. */
  readonly ours: Cursor;
  readonly theirs: Cursor;
}

async function readHeader(node: ChainNode, height: number): Promise<Cursor> {
  const header = await node.readHeader(height);
  if (header) return header;
  throw new RpcError('contradiction', NODE_ERRORS.create('block_lost', { height }));
}

async function findFork(db: Db, network: Network, node: ChainNode, cursor: Cursor): Promise<Fork> {
  let [ours, theirs] = [cursor, await readHeader(node, cursor.height)];
  for (let below = cursor.height + 1; ; ) {
    const { rows } = await execute<Cursor>(db, LIST_STORED, { network: network.code, below });
    for (const stored of rows) {
      const header = await readHeader(node, stored.height);
      if (header.hash === stored.hash) return { ancestor: stored, ours, theirs };
      [ours, theirs] = [stored, header];
    }
    const last = rows.at(-1);
    if (!last) return { ancestor: undefined, ours, theirs };
    below = last.height;
  }
}

/**
 * The reason to doubt one endpoint: others that answer have our block, or none yet in its place.
 */
async function findDoubt(
  { ours: { height }, theirs }: Fork,
  witnesses: readonly ChainNode[],
): Promise<CodedMessage | undefined> {
  const [answers = []] = await queryBlockHashes(witnesses, [theirs]);
  if (answers.includes('other')) return WAIT_REASONS.create('endpoints_disagree', { height });
  return hasQuorum(answers) ? undefined : WAIT_REASONS.create('one_endpoint_differs', { height });
}

/** Handles a replaced cursor block, as one endpoint reports it and no witness denies it. */
export async function handleReorg(
  db: Db,
  chain: ChainContext,
  cursor: Cursor,
  { node, witnesses }: { readonly node: ChainNode; readonly witnesses: readonly ChainNode[] },
): Promise<ReorgResult> {
  const fork = await findFork(db, chain.network, node, cursor);
  const { ancestor, ours } = fork;
  if (ancestor?.height === cursor.height)
    return { kind: 'wait', why: WAIT_REASONS.create('endpoint_changed_its_mind') };
  const doubt = await findDoubt(fork, witnesses);
  if (doubt !== undefined) return { kind: 'wait', why: doubt };
  const blocks = cursor.height - ours.height;
  const reason =
    blocks > 0
      ? HALT_REASONS.create('reorganisation_too_deep', { blocks })
      : HALT_REASONS.create('first_block_replaced');
  const isDone = ancestor
    ? await rewindChain(db, chain, cursor, ancestor)
    : await haltChain(db, chain, cursor, reason);
  if (!isDone) return { kind: 'wait', why: WAIT_REASONS.create('another_watcher') };
  return { kind: ancestor ? 'rewound' : 'halted' };
}
