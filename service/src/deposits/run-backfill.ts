/** Works on the oldest open backfill, a few blocks at a time, beside following the head. */
import { type Db, defineStatement, execute, type Transaction, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import type { AddressPrefilter } from './address-prefilter.ts';
import { contiguousPrefix } from './apply-blocks.ts';
import { lockState } from './chain-state.ts';
import type { ChainNode, FetchedBlock } from './chains/chain.ts';
import { RpcError } from './chains/json-rpc.ts';
import { NODE_ERRORS } from './chains/node-errors.ts';
import { findTransfers } from './find-transfers.ts';
import type { ChainContext } from './networks.ts';
import { readBlocks } from './read-blocks.ts';
import { storeTransfers } from './store-transfers.ts';

/** Blocks of one poll: the head must not wait for a backfill. */
const BLOCKS_PER_POLL = 480;

interface OpenBackfill {
  id: number;
  next_height: number;
  to_height: number;
}

const FIND_OPEN = defineStatement(
  'chain_backfill_open',
  `select id, next_height, to_height from chain_backfill
   where network = :network and finished_at is null order by id limit 1`,
);

const COUNT_OTHER = defineStatement(
  'chain_block_differing',
  `select count(*) as others from chain_block
   join unnest(:heights::bigint[], :hashes::text[]) as block (read_height, read_hash)
     on read_height = height
   where network = :network and hash <> read_hash`,
);

/**
 * A block within the window must be the one that is stored; below it only a halt could replace one.
 */
async function checkCanonical(
  tx: Transaction,
  network: string,
  blocks: readonly FetchedBlock[],
): Promise<void> {
  const { rows } = await execute<{ others: number }>(tx, COUNT_OTHER, {
    network,
    heights: blocks.map(({ height }) => height),
    hashes: blocks.map(({ hash }) => hash),
  });
  if (rows[0]?.others !== 0)
    throw new RpcError('contradiction', NODE_ERRORS.create('backfill_differs'));
}

const ADVANCE = defineStatement(
  'chain_backfill_advance',
  `update chain_backfill set next_height = :next, found = found + :found,
     finished_at = case when :next > to_height then :now::timestamptz end
   where id = :id returning finished_at`,
);

type WatchContext = ChainContext & { readonly prefilter: AddressPrefilter };

/** @returns false when another watcher did these blocks, or the cursor fell below them */
async function applyOldBlocks(
  db: Db,
  { network, clock, prefilter }: WatchContext,
  { id, next_height: before }: OpenBackfill,
  blocks: readonly FetchedBlock[],
): Promise<boolean> {
  const transfers = await findTransfers(db, network, prefilter, blocks);
  const next = before + blocks.length;
  return transaction(db, async (tx) => {
    const { cursor, haltedAt } = await lockState(tx, network.code);
    const [open] = (await execute<OpenBackfill>(tx, FIND_OPEN, { network: network.code })).rows;
    const isOurs = open?.id === id && open.next_height === before;
    if (!cursor || haltedAt || !isOurs || next - 1 > cursor.height) return false;
    await checkCanonical(tx, network.code, blocks);
    const found = await storeTransfers(tx, { network, clock }, transfers);
    const advance = { id, next, found, now: clock.now() };
    const { rows } = await execute<{ finished_at: Date | null }>(tx, ADVANCE, advance);
    if (rows[0]?.finished_at) {
      const data = { network: network.code, backfill_id: id };
      await recordEvent(tx, clock, { type: 'chain.backfilled', data });
    }
    return true;
  });
}

/**
 * Does some of the open backfill. @returns true when it did, so that the next poll credits what was
 * found at once
 */
export async function runBackfill(db: Db, chain: WatchContext, node: ChainNode): Promise<boolean> {
  const { rows } = await execute<OpenBackfill>(db, FIND_OPEN, { network: chain.network.code });
  const [backfill] = rows;
  if (!backfill) return false;
  const to = Math.min(backfill.to_height, backfill.next_height + BLOCKS_PER_POLL - 1);
  for await (const blocks of readBlocks(node, backfill.next_height, to)) {
    const hash = blocks[0]?.parentHash ?? '';
    const before = { height: backfill.next_height - 1, hash };
    if (contiguousPrefix(before, blocks).length < blocks.length)
      throw new RpcError('contradiction', NODE_ERRORS.create('backfill_broken'));
    if (!(await applyOldBlocks(db, chain, backfill, blocks))) return false;
    backfill.next_height += blocks.length;
  }
  return true;
}
