/** Applies blocks: one transaction moves the cursor and writes the deposits of the blocks. */
import {
  type Db,
  defineStatement,
  execute,
  queryNamed,
  type Transaction,
  transaction,
} from '../db/index.ts';
import type { AddressPrefilter } from './address-prefilter.ts';
import { type Cursor, isAt, lockState, moveCursor } from './chain-state.ts';
import type { BlockRef, FetchedBlock } from './chains/chain.ts';
import { findTransfers } from './find-transfers.ts';
import type { ChainContext, Network } from './networks.ts';
import { storeTransfers } from './store-transfers.ts';

const INSERT_BLOCKS = defineStatement(
  'chain_block_insert',
  `insert into chain_block (network, height, hash, parent_hash)
   select :network, * from unnest(:heights::bigint[], :hashes::text[], :parents::text[])`,
);

/** Stores blocks, with which later ones are compared to detect a reorganisation. */
export async function insertBlocks(
  tx: Transaction,
  network: Network,
  blocks: readonly BlockRef[],
): Promise<void> {
  await execute(tx, INSERT_BLOCKS, {
    network: network.code,
    heights: blocks.map(({ height }) => height),
    hashes: blocks.map(({ hash }) => hash),
    parents: blocks.map(({ parentHash }) => parentHash),
  });
}

/** The blocks that follow a cursor without a gap, up to the first that has another parent. */
export function contiguousPrefix<B extends BlockRef>(
  cursor: Cursor,
  blocks: readonly B[],
): readonly B[] {
  const end = blocks.findIndex(({ height, parentHash }, at) => {
    const before = blocks[at - 1] ?? cursor;
    return height !== before.height + 1 || parentHash !== before.hash;
  });
  return end === -1 ? blocks : blocks.slice(0, end);
}

/**
 * Applies blocks that follow the cursor.
 * @returns the new cursor, or undefined when another watcher has moved it meanwhile
 */
export async function applyBlocks(
  db: Db,
  { network, clock, prefilter }: ChainContext & { readonly prefilter: AddressPrefilter },
  cursor: Cursor,
  blocks: readonly FetchedBlock[],
): Promise<Cursor | undefined> {
  const last = blocks.at(-1);
  if (!last) return cursor;
  const found = await findTransfers(db, network, prefilter, blocks);
  return transaction(db, async (tx) => {
    if (!isAt(await lockState(tx, network.code), cursor)) return undefined;
    await insertBlocks(tx, network, blocks.slice(-network.reorgWindow - 1));
    await queryNamed(tx, 'delete from chain_block where network = :network and height < :height', {
      network: network.code,
      height: last.height - network.reorgWindow,
    });
    // The cursor first: the events of the deposits contain confirmations, which depend on it.
    await moveCursor(tx, network.code, last);
    await storeTransfers(tx, { network, clock }, found);
    return { height: last.height, hash: last.hash };
  });
}

/** Sets the cursor of a network that was never watched: the block before the first one to read. */
export async function startChain(db: Db, network: Network, start: BlockRef): Promise<void> {
  await transaction(db, async (tx) => {
    const state = await lockState(tx, network.code);
    if (state.cursor || state.haltedAt) return;
    await insertBlocks(tx, network, [start]);
    await moveCursor(tx, network.code, start);
  });
}
