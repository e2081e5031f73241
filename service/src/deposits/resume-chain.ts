/** An operator halts a network, or names the block from which a halted one goes on; the nodes must know it by that name. */
import { type Db, type Transaction, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure, fieldError } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { insertBlocks } from './apply-blocks.ts';
import { type ChainState, type Cursor, lockState, readState } from './chain-state.ts';
import { checkResumePoint, type ResumePoint } from './check-resume-point.ts';
import type { Network } from './networks.ts';
import { addBackfill } from './request-backfill.ts';
import { haltChain, rewindTo } from './rewind-chain.ts';

/** @throws `chain_not_halted`, and `invalid_parameter` for a block that was never read: those between would be left out */
function checkState(network: Network, { haltedAt, cursor }: ChainState, to: Cursor): void {
  if (haltedAt === undefined)
    throw failure('chain_not_halted', { detail: `${network.code} is not halted.` });
  if (cursor && to.height > cursor.height)
    throw fieldError(
      'height',
      'too_large',
      `must not be above ${cursor.height}, the last block that was read`,
    );
}

/** What is remembered from here on: the block itself, and those below it if they are still the chain's. */
async function rememberFrom(
  tx: Transaction,
  clock: Clock,
  network: Network,
  { block, doubtfulFrom }: ResumePoint,
): Promise<void> {
  const { rows } = await tx.query(
    'select 1 from chain_block where network = $1 and height = $2 and hash = $3',
    [network.code, block.height, block.hash],
  );
  if (rows.length === 0) {
    await tx.query('delete from chain_block where network = $1', [network.code]);
    await insertBlocks(tx, network, [block]);
  }
  if (doubtfulFrom !== undefined && doubtfulFrom <= block.height)
    await addBackfill(tx, clock, network, doubtfulFrom, block.height);
}

/**
 * Lets a halted network go on. Deposits above the block are taken back, and credited again where the chain still holds
 * them. Blocks below it, of which nobody knows whether they were read as they are now, are read again.
 * @throws `chain_not_halted`, `chain_unreachable`, `block_mismatch`, `invalid_parameter`
 */
export async function resumeChain(
  db: Db,
  clock: Clock,
  masterKey: MasterKey,
  network: Network,
  named: Cursor,
): Promise<void> {
  const to = { height: named.height, hash: named.hash.toLowerCase() };
  checkState(network, await readState(db, network.code), to);
  const point = await checkResumePoint(db, masterKey, network, to);
  await transaction(db, async (tx) => {
    checkState(network, await lockState(tx, network.code), to);
    await rewindTo(tx, clock, network.code, to);
    await rememberFrom(tx, clock, network, point);
    await tx.query(
      'update chain_state set halted_at = null, halted_reason = null where network = $1',
      [network.code],
    );
    await recordEvent(tx, clock, { type: 'chain.resumed', data: { network: network.code, ...to } });
  });
}

/**
 * Halts a network on an operator's word: the way back from a block that was believed wrongly, since only a halted
 * network can be resumed from a lower one. One that is halted already stays as it is.
 * @throws `chain_not_started`
 */
export async function haltByOperator(
  db: Db,
  clock: Clock,
  network: Network,
  reason: string,
): Promise<void> {
  for (;;) {
    const { cursor, haltedAt } = await readState(db, network.code);
    if (haltedAt) return;
    if (!cursor)
      throw failure('chain_not_started', {
        detail: `${network.code} has not been watched yet: disable it instead.`,
      });
    if (await haltChain(db, clock, network, cursor, reason)) return;
  }
}
