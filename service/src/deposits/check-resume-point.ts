/**
 * Checks the block from which a halted network is to continue: the chain must still hold every
 * block below it whose deposits are kept.
 */
import { type Db, defineStatement, execute, queryNamed } from '../db/index.ts';
import { failure } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { probeChainNodes } from './chain-nodes.ts';
import type { Cursor } from './chain-state.ts';
import type { BlockRef, ChainNode } from './chains/chain.ts';
import { queryBlockHashes } from './cross-check-blocks.ts';
import type { Network } from './networks.ts';

export interface ResumePoint {
  readonly block: BlockRef;
  /**
   * First block below it that may have been read from another branch; absent when there is none.
   */
  readonly doubtfulFrom: number | undefined;
}

const mismatch = (detail: string, extra?: Record<string, unknown>) =>
  failure('block_mismatch', { detail, ...(extra && { extra }) });

/**
 * A mistyped digit would reverse credited deposits, or leave blocks out. @throws `block_mismatch`,
 * `chain_unreachable`
 */
async function findNamed(
  nodes: readonly ChainNode[],
  { code }: Network,
  { height, hash }: Cursor,
): Promise<BlockRef> {
  const answers = await Promise.allSettled(nodes.map((node) => node.readHeader(height)));
  const headers = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? [answer.value] : [],
  );
  if (headers.length === 0)
    throw failure('chain_unreachable', {
      detail: `No node of ${code} answers, so the block cannot be checked.`,
    });
  const blocks = headers.filter((header) => header !== undefined);
  const other = blocks.find((block) => block.hash !== hash);
  if (other) throw mismatch(`Block ${height} of ${code} is ${other.hash}, says a node.`);
  if (blocks[0]) return blocks[0];
  throw mismatch(`No node of ${code} has a block ${height}.`);
}

/** Every block up to a height, however old, whose deposits would be kept; the highest first. */
const LIST_KEPT = defineStatement(
  'deposit_kept_blocks',
  `select distinct block_number as height, block_hash as hash from deposit
   where network = :network and block_number <= :height
     and status not in ('orphaned', 'reversed') order by block_number desc`,
);

/**
 * @returns the highest kept block, below which nothing is in doubt. @throws `block_mismatch` when
 * the chain no longer holds one of them
 */
async function checkKept(
  nodes: readonly ChainNode[],
  network: Network,
  kept: readonly Cursor[],
): Promise<Cursor | undefined> {
  const votes = await queryBlockHashes(nodes, kept);
  const lowest = votes.findLastIndex((of) => !of.includes('same') || of.includes('other'));
  if (lowest === -1) return kept[0];
  const [lost, sure] = [kept[lowest], kept[lowest + 1]];
  const known = sure
    ? `The highest block with deposits that still stands is ${sure.height}, ${sure.hash}.`
    : 'No block with deposits stands below it.';
  throw mismatch(
    `Block ${lost?.height} of ${network.code} holds deposits and was replaced: ` +
      `resume from below it. ${known}`,
    {
      replaced_height: lost?.height,
      ...(sure && { sure_height: sure.height, sure_hash: sure.hash }),
    },
  );
}

/**
 * Checks the block that an operator names, and every block below it that holds deposits.
 * @throws `chain_unreachable`, `block_mismatch`
 */
export async function checkResumePoint(
  db: Db,
  masterKey: MasterKey,
  network: Network,
  named: Cursor,
): Promise<ResumePoint> {
  const { code, reorgWindow, startHeight = 0 } = network;
  const { height } = named;
  const pool = await probeChainNodes(masterKey, network);
  const nodes = pool.list().flatMap(({ node, head }) => (head ? [node] : []));
  const block = await findNamed(nodes, network, named);
  const kept = await execute<Cursor>(db, LIST_KEPT, { network: code, height });
  const sure = await checkKept(nodes, network, kept.rows);
  const { rows } = await queryNamed<{ hash: string }>(
    db,
    'select hash from chain_block where network = :network and height = :height',
    { network: code, height },
  );
  const [stored] = rows;
  if (stored?.hash === named.hash || sure?.height === height)
    return { block, doubtfulFrom: undefined };
  if (stored)
    throw mismatch(
      `Block ${height} of ${code} was read as ${stored.hash}, which was replaced: ` +
        'resume from below the blocks remembered.',
    );
  // The cause of the halt may be lower still: as many blocks as the window holds are read again.
  const doubtfulFrom = Math.max((sure?.height ?? -1) + 1, height - reorgWindow, startHeight);
  return { block, doubtfulFrom };
}
