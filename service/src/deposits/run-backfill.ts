/** Works on the oldest open backfill, a few blocks at a time, beside following the head. */
import { type Db, type Transaction, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { AddressSieve } from './address-prefilter.ts';
import { lockState } from './chain-state.ts';
import type { ChainNode, FetchedBlock } from './chains/chain.ts';
import { RpcError } from './chains/json-rpc.ts';
import { NODE_ERRORS } from './chains/node-errors.ts';
import type { Network } from './networks.ts';
import { readBlocks } from './read-blocks.ts';
import { findTransfers, storeTransfers } from './store-transfers.ts';

/** Blocks per look at the chain: the head must not wait for a backfill. */
const BLOCKS_PER_LOOK = 480;

interface OpenBackfill {
  id: number;
  next_height: number;
  to_height: number;
}

const OPEN =
  'select id, next_height, to_height from chain_backfill where network = $1 and finished_at is null order by id limit 1';

/** A block within the window must be the one that is stored; further down only a halt could replace it. */
async function checkCanonical(
  tx: Transaction,
  network: string,
  blocks: readonly FetchedBlock[],
): Promise<void> {
  const { rows } = await tx.query<{ height: number; hash: string }>(
    'select height, hash from chain_block where network = $1 and height = any($2::bigint[])',
    [network, blocks.map((block) => block.height)],
  );
  const stored = new Map(rows.map((row) => [row.height, row.hash]));
  const isOther = blocks.some((block) => (stored.get(block.height) ?? block.hash) !== block.hash);
  if (isOther) throw new RpcError('contradiction', NODE_ERRORS.say('backfill_differs'));
}

/** @returns false when another watcher did these blocks, or the cursor fell below them */
async function applyOldBlocks(
  db: Db,
  clock: Clock,
  network: Network,
  sieve: AddressSieve,
  backfill: OpenBackfill,
  blocks: readonly FetchedBlock[],
): Promise<boolean> {
  const found = await findTransfers(db, network, sieve, blocks);
  const next = backfill.next_height + blocks.length;
  return transaction(db, async (tx) => {
    const { cursor, haltedAt } = await lockState(tx, network.code);
    const { rows } = await tx.query<{ next_height: number }>(
      'select next_height from chain_backfill where id = $1 for update',
      [backfill.id],
    );
    if (
      !cursor ||
      haltedAt ||
      rows[0]?.next_height !== backfill.next_height ||
      next - 1 > cursor.height
    )
      return false;
    await checkCanonical(tx, network.code, blocks);
    const stored = await storeTransfers(tx, clock, network, found);
    const isFinished = next > backfill.to_height;
    await tx.query(
      'update chain_backfill set next_height = $2, found = found + $3, finished_at = $4 where id = $1',
      [backfill.id, next, stored, isFinished ? clock.now() : null],
    );
    if (isFinished)
      await recordEvent(tx, clock, {
        type: 'chain.backfilled',
        data: { network: network.code, backfill_id: backfill.id },
      });
    return true;
  });
}

/** Does some of the open backfill. @returns true when it did, so that what was found is looked at again at once */
export async function runBackfill(
  db: Db,
  clock: Clock,
  network: Network,
  sieve: AddressSieve,
  node: ChainNode,
): Promise<boolean> {
  const { rows } = await db.query<OpenBackfill>(OPEN, [network.code]);
  const backfill = rows[0];
  if (!backfill) return false;
  const to = Math.min(backfill.to_height, backfill.next_height + BLOCKS_PER_LOOK - 1);
  for await (const blocks of readBlocks(node, backfill.next_height, to)) {
    const isLinked = blocks.every(
      (block, at) => at === 0 || block.parentHash === blocks[at - 1]?.hash,
    );
    if (!isLinked) throw new RpcError('contradiction', NODE_ERRORS.say('backfill_broken'));
    if (!(await applyOldBlocks(db, clock, network, sieve, backfill, blocks))) return false;
    backfill.next_height += blocks.length;
  }
  return true;
}
