/** An operator names the block from which a halted network goes on; the nodes must know it by that name. */
import { type Db, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure, invalidField } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { createChainNodes } from './chain-nodes.ts';
import { type ChainState, type Cursor, lockState, readState } from './chain-state.ts';
import type { BlockRef } from './chains/chain.ts';
import { createEndpointPool } from './chains/endpoint-pool.ts';
import type { Network } from './networks.ts';
import { rewindTo } from './rewind-chain.ts';

/** @throws `chain_not_halted`, and `invalid_parameter` for a block that was never read: those between would be left out */
function checkState(network: Network, { haltedAt, cursor }: ChainState, to: Cursor): void {
  if (haltedAt === undefined) throw failure('chain_not_halted', { detail: `${network.code} is not halted.` });
  if (cursor && to.height > cursor.height) throw invalidField('height', 'too_large', `must not be above ${cursor.height}, the last block that was read`);
}

/** What every node that answers has at a height. @throws `chain_unreachable` */
async function askNodes(masterKey: MasterKey, network: Network, height: number): Promise<BlockRef[]> {
  const pool = createEndpointPool(await createChainNodes(masterKey, network));
  await pool.refresh();
  const nodes = pool.list().flatMap(({ node, head }) => (head === undefined ? [] : [node]));
  const answers = await Promise.allSettled(nodes.map((node) => node.readHeader(height)));
  const isAnswered = answers.some(({ status }) => status === 'fulfilled');
  if (!isAnswered) throw failure('chain_unreachable', { detail: `No node of ${network.code} answers, so the block cannot be checked.` });
  return answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : []));
}

/** A mistyped digit would take back what is credited, or leave blocks out. @throws `block_mismatch` */
async function checkBlock(masterKey: MasterKey, network: Network, to: Cursor): Promise<void> {
  const found = await askNodes(masterKey, network, to.height);
  const other = found.find(({ hash }) => hash !== to.hash);
  if (other) throw failure('block_mismatch', { detail: `Block ${to.height} of ${network.code} is ${other.hash}, says a node.` });
  if (found.length === 0) throw failure('block_mismatch', { detail: `No node of ${network.code} has a block ${to.height}.` });
}

/**
 * Lets a halted network go on. Deposits above the block are taken back, and credited again where the chain still holds
 * them.
 * @throws `chain_not_halted`, `chain_unreachable`, `block_mismatch`, `invalid_parameter`
 */
export async function resumeChain(db: Db, clock: Clock, masterKey: MasterKey, network: Network, named: Cursor): Promise<void> {
  const to = { height: named.height, hash: named.hash.toLowerCase() };
  checkState(network, await readState(db, network.code), to);
  await checkBlock(masterKey, network, to);
  await transaction(db, async (tx) => {
    checkState(network, await lockState(tx, network.code), to);
    await rewindTo(tx, clock, network.code, to);
    await tx.query('delete from chain_block where network = $1', [network.code]);
    await tx.query('update chain_state set halted_at = null, halted_reason = null where network = $1', [network.code]);
    await recordEvent(tx, clock, { type: 'chain.resumed', data: { network: network.code, ...to } });
  });
}
