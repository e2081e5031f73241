/** What to do when the chain no longer holds the block at the cursor. Never guesses: it rewinds, waits or halts. */
import type { Db } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { HALT_REASONS, WAIT_REASONS } from './chain-reasons.ts';
import type { Cursor } from './chain-state.ts';
import type { ChainNode } from './chains/chain.ts';
import { RpcError } from './chains/json-rpc.ts';
import { NODE_ERRORS } from './chains/node-errors.ts';
import { hasQuorum, queryBlockHashes } from './cross-check-blocks.ts';
import type { Network } from './networks.ts';
import { haltChain, rewindChain } from './rewind-chain.ts';

export type ReorganisationResult =
  | { readonly kind: 'rewound'; readonly cursor: Cursor }
  | { readonly kind: 'halted' }
  /** Another watcher was faster, or nodes contradict each other: look again later. */
  | { readonly kind: 'wait'; readonly why: string };

/** Stored blocks are compared this many at a time. */
const WALK = 32;

/** Where our history and the chain part. */
interface Fork {
  /** The highest stored block that the node still has; undefined when none is. */
  readonly ancestor: Cursor | undefined;
  /** The lowest block of ours that was replaced, and what the node has there. */
  readonly ours: Cursor;
  readonly theirs: Cursor;
}

async function findFork(db: Db, network: Network, node: ChainNode, cursor: Cursor): Promise<Fork> {
  let below = cursor.height + 1;
  const header = await node.readHeader(cursor.height);
  if (!header)
    throw new RpcError('contradiction', NODE_ERRORS.say('block_lost', { height: cursor.height }));
  let [ours, theirs]: [Cursor, Cursor] = [cursor, header];
  for (;;) {
    const { rows } = await db.query<Cursor>(
      `select height, hash from chain_block where network = $1 and height < $2 order by height desc limit ${WALK}`,
      [network.code, below],
    );
    for (const stored of rows) {
      const header = await node.readHeader(stored.height);
      if (!header)
        throw new RpcError(
          'contradiction',
          NODE_ERRORS.say('block_lost', { height: stored.height }),
        );
      if (header.hash === stored.hash) return { ancestor: stored, ours, theirs };
      [ours, theirs] = [stored, header];
    }
    const last = rows.at(-1);
    if (!last) return { ancestor: undefined, ours, theirs };
    below = last.height;
  }
}

/** What keeps from believing one node: others that answer have our block, or not yet the one in its place. */
async function findDoubt(
  { ours, theirs }: Fork,
  witnesses: readonly ChainNode[],
): Promise<string | undefined> {
  const [answers = []] = await queryBlockHashes(witnesses, [theirs]);
  if (answers.includes('other')) return WAIT_REASONS.say('nodes_disagree', { height: ours.height });
  return hasQuorum(answers)
    ? undefined
    : WAIT_REASONS.say('one_node_differs', { height: ours.height });
}

/** Handles a replaced cursor block, as one node tells it and no other denies it. */
export async function followReorganisation(
  db: Db,
  clock: Clock,
  network: Network,
  cursor: Cursor,
  node: ChainNode,
  witnesses: readonly ChainNode[],
): Promise<ReorganisationResult> {
  const fork = await findFork(db, network, node, cursor);
  if (fork.ancestor?.height === cursor.height)
    return { kind: 'wait', why: WAIT_REASONS.say('node_changed_its_mind') };
  const doubt = await findDoubt(fork, witnesses);
  if (doubt !== undefined) return { kind: 'wait', why: doubt };
  if (fork.ancestor) {
    const isDone = await rewindChain(db, clock, network, cursor, fork.ancestor);
    return isDone
      ? { kind: 'rewound', cursor: fork.ancestor }
      : { kind: 'wait', why: WAIT_REASONS.say('another_watcher') };
  }
  const remembered = cursor.height - fork.ours.height;
  const reason =
    remembered > 0
      ? HALT_REASONS.say('reorganisation_too_deep', { blocks: remembered })
      : HALT_REASONS.say('first_block_replaced');
  const isDone = await haltChain(db, clock, network, cursor, reason);
  return isDone ? { kind: 'halted' } : { kind: 'wait', why: WAIT_REASONS.say('another_watcher') };
}
