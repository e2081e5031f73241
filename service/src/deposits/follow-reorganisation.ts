/** What to do when the chain no longer holds the block at the cursor. Never guesses: it rewinds, waits or halts. */
import type { Db } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Cursor } from './chain-state.ts';
import type { ChainNode } from './chains/chain.ts';
import { RpcError } from './chains/json-rpc.ts';
import type { Network } from './networks.ts';
import { haltChain, rewindChain } from './rewind-chain.ts';

export type ReorganisationResult =
  | { readonly kind: 'rewound'; readonly cursor: Cursor }
  | { readonly kind: 'halted' }
  /** Another watcher was faster, or nodes contradict each other: look again later. */
  | { readonly kind: 'wait'; readonly why: string };

/** Stored blocks are compared this many at a time. */
const WALK = 32;

/** The highest stored block that the node still has; undefined when none of the window is. */
async function findAncestor(db: Db, network: Network, node: ChainNode, from: Cursor): Promise<Cursor | undefined> {
  let below = from.height;
  for (;;) {
    const { rows } = await db.query<{ height: number; hash: string }>(
      `select height, hash from chain_block where network = $1 and height < $2 order by height desc limit ${WALK}`,
      [network.code, below],
    );
    for (const stored of rows) {
      const header = await node.readHeader(stored.height);
      if (!header) throw new RpcError('contradiction', `the node has lost its block ${stored.height}`);
      if (header.hash === stored.hash) return stored;
    }
    const last = rows.at(-1);
    if (!last) return undefined;
    below = last.height;
  }
}

/** True when another up-to-date node still holds our block: then one of them is wrong, and nobody knows which. */
async function isContradicted(cursor: Cursor, witnesses: readonly ChainNode[]): Promise<boolean> {
  for (const witness of witnesses) {
    try {
      if ((await witness.readHeader(cursor.height))?.hash === cursor.hash) return true;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
    }
  }
  return false;
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
  if (await isContradicted(cursor, witnesses)) return { kind: 'wait', why: `nodes disagree about block ${cursor.height}` };
  const ancestor = await findAncestor(db, network, node, cursor);
  if (ancestor) {
    const isDone = await rewindChain(db, clock, network, cursor, ancestor);
    return isDone ? { kind: 'rewound', cursor: ancestor } : { kind: 'wait', why: 'another watcher moved the cursor' };
  }
  const reason = `A reorganisation is deeper than the ${network.reorgWindow} blocks remembered. Check the chain and the nodes, then resume from a block that is sure.`;
  const isDone = await haltChain(db, clock, network, cursor, reason);
  return isDone ? { kind: 'halted' } : { kind: 'wait', why: 'another watcher moved the cursor' };
}
