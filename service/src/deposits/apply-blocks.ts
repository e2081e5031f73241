/** Takes blocks in: one transaction moves the cursor and writes what the blocks brought. */
import { type Db, type Transaction, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { AddressSieve } from './address-prefilter.ts';
import { type Cursor, isAt, lockState, moveCursor } from './chain-state.ts';
import type { BlockRef, FetchedBlock } from './chains/chain.ts';
import type { Network } from './networks.ts';
import { findTransfers, storeTransfers } from './store-transfers.ts';

const INSERT_BLOCKS = `insert into chain_block (network, height, hash, parent_hash)
  select $1, height, hash, parent_hash from unnest($2::bigint[], $3::text[], $4::text[]) as item (height, hash, parent_hash)`;

/** Blocks that are compared with the chain when it changes. */
export async function insertBlocks(
  tx: Transaction,
  network: Network,
  blocks: readonly BlockRef[],
): Promise<void> {
  await tx.query(INSERT_BLOCKS, [
    network.code,
    blocks.map(({ height }) => height),
    blocks.map(({ hash }) => hash),
    blocks.map(({ parentHash }) => parentHash),
  ]);
}

/** The blocks that follow a cursor one after the other; cut where the chain of parents breaks. */
export function contiguousPrefix<B extends BlockRef>(cursor: Cursor, blocks: readonly B[]): B[] {
  const linked: B[] = [];
  let { height, hash } = cursor;
  for (const block of blocks) {
    if (block.height !== height + 1 || block.parentHash !== hash) break;
    linked.push(block);
    ({ height, hash } = block);
  }
  return linked;
}

/**
 * Applies blocks that follow the cursor.
 * @returns the new cursor, or undefined when another watcher has moved it meanwhile
 */
export async function applyBlocks(
  db: Db,
  clock: Clock,
  network: Network,
  sieve: AddressSieve,
  cursor: Cursor,
  blocks: readonly FetchedBlock[],
): Promise<Cursor | undefined> {
  const last = blocks.at(-1);
  if (!last) return cursor;
  const found = await findTransfers(db, network, sieve, blocks);
  return transaction(db, async (tx) => {
    if (!isAt(await lockState(tx, network.code), cursor)) return undefined;
    await insertBlocks(tx, network, blocks.slice(-network.reorgWindow - 1));
    await tx.query('delete from chain_block where network = $1 and height < $2', [
      network.code,
      last.height - network.reorgWindow,
    ]);
    // First the cursor: the events that follow tell confirmations by it.
    await moveCursor(tx, network.code, last);
    await storeTransfers(tx, clock, network, found);
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
