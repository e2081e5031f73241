/** Whether a halted network may go on from a block: the chain must still hold everything below that is believed. */
import type { Db } from '../db/index.ts';
import { failure } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { createChainNodes } from './chain-nodes.ts';
import type { Cursor } from './chain-state.ts';
import type { BlockRef, ChainNode } from './chains/chain.ts';
import { createEndpointPool } from './chains/endpoint-pool.ts';
import { queryBlockHashes } from './cross-check-blocks.ts';
import type { Network } from './networks.ts';

export interface ResumePoint {
  readonly block: BlockRef;
  /** First block below it of which nobody knows whether it was read as the chain has it now; absent when all were. */
  readonly doubtfulFrom: number | undefined;
}

const mismatch = (detail: string, extra?: Record<string, unknown>) =>
  failure('block_mismatch', { detail, ...(extra && { extra }) });

/** @throws `chain_unreachable` */
async function listAnswering(masterKey: MasterKey, network: Network): Promise<ChainNode[]> {
  const pool = createEndpointPool(await createChainNodes(masterKey, network));
  await pool.refresh();
  const nodes = pool.list().flatMap(({ node, head }) => (head === undefined ? [] : [node]));
  if (nodes.length === 0)
    throw failure('chain_unreachable', {
      detail: `No node of ${network.code} answers, so the block cannot be checked.`,
    });
  return nodes;
}

/** A mistyped digit would take back what is credited, or leave blocks out. @throws `block_mismatch`, `chain_unreachable` */
async function findNamed(
  nodes: readonly ChainNode[],
  network: Network,
  named: Cursor,
): Promise<BlockRef> {
  const answers = await Promise.allSettled(nodes.map((node) => node.readHeader(named.height)));
  const found = answers.flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value ? [answer.value] : [],
  );
  const other = found.find(({ hash }) => hash !== named.hash);
  if (other)
    throw mismatch(`Block ${named.height} of ${network.code} is ${other.hash}, says a node.`);
  if (found[0]) return found[0];
  if (answers.some(({ status }) => status === 'fulfilled'))
    throw mismatch(`No node of ${network.code} has a block ${named.height}.`);
  throw failure('chain_unreachable', {
    detail: `No node of ${network.code} answers, so the block cannot be checked.`,
  });
}

/** Every block up to a height, however old, that holds deposits which would be kept; the highest first. */
async function listKeptBlocks(db: Db, network: Network, upTo: number): Promise<Cursor[]> {
  const { rows } = await db.query<Cursor>(
    `select distinct block_number as height, block_hash as hash from deposit
     where network = $1 and block_number <= $2 and status not in ('orphaned', 'reversed') order by block_number desc`,
    [network.code, upTo],
  );
  return rows;
}

/** @returns the highest of them, below which nothing is in doubt. @throws `block_mismatch` when the chain no longer holds one of them */
async function checkKept(
  nodes: readonly ChainNode[],
  network: Network,
  kept: readonly Cursor[],
): Promise<Cursor | undefined> {
  const answers = await queryBlockHashes(nodes, kept);
  const isHeld = kept.map(
    (_, at) => answers[at]?.includes('same') === true && !answers[at]?.includes('other'),
  );
  const lowest = isHeld.lastIndexOf(false);
  if (lowest === -1) return kept[0];
  const [lost, sure] = [kept[lowest], kept[lowest + 1]];
  const known = sure
    ? `The highest block with deposits that still stands is ${sure.height}, ${sure.hash}.`
    : 'No block with deposits stands below it.';
  throw mismatch(
    `Block ${lost?.height} of ${network.code} holds deposits and was replaced: resume from below it. ${known}`,
    {
      replaced_height: lost?.height,
      ...(sure && { sure_height: sure.height, sure_hash: sure.hash }),
    },
  );
}

/**
 * Checks a block from which an operator wants to go on, and every block below that holds deposits.
 * @throws `chain_unreachable`, `block_mismatch`
 */
export async function checkResumePoint(
  db: Db,
  masterKey: MasterKey,
  network: Network,
  named: Cursor,
): Promise<ResumePoint> {
  const nodes = await listAnswering(masterKey, network);
  const block = await findNamed(nodes, network, named);
  const sure = await checkKept(nodes, network, await listKeptBlocks(db, network, named.height));
  const { rows } = await db.query<{ hash: string }>(
    'select hash from chain_block where network = $1 and height = $2',
    [network.code, named.height],
  );
  if (rows[0]?.hash === named.hash || sure?.height === named.height)
    return { block, doubtfulFrom: undefined };
  if (rows[0])
    throw mismatch(
      `Block ${named.height} of ${network.code} was read as ${rows[0].hash}, which was replaced: resume from below the blocks remembered.`,
    );
  // What the halt was about may lie even lower: as far again as is remembered is read anew.
  return {
    block,
    doubtfulFrom: Math.max(
      (sure?.height ?? -1) + 1,
      named.height - network.reorgWindow,
      network.startHeight ?? 0,
    ),
  };
}
