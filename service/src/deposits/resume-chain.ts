/**
 * An operator halts a network, or names the block from which a halted one continues; the endpoints
 * must have that block.
 */
import { type Db, queryNamed, type Transaction, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import { createFreeText } from '../lib/coded-messages.ts';
import { failure, fieldError } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { insertBlocks } from './apply-blocks.ts';
import { type ChainState, type Cursor, lockState, readState } from './chain-state.ts';
import { checkResumePoint, type ResumePoint } from './check-resume-point.ts';
import type { ChainContext, Network } from './networks.ts';
import { addBackfill } from './request-backfill.ts';
import { haltChain, rewindTo } from './rewind-chain.ts';

/**
 * @throws `chain_not_halted`, and `invalid_parameter` for a block that was never read: those
 *   between would be left out
 */
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

/** Stores the block itself, and keeps those below it if they are still of the chain. */
async function storeResumePoint(
  tx: Transaction,
  chain: ChainContext,
  { block, doubtfulFrom }: ResumePoint,
): Promise<void> {
  const { code } = chain.network;
  const { rows } = await queryNamed(
    tx,
    'select 1 from chain_block where network = :network and height = :height and hash = :hash',
    { network: code, height: block.height, hash: block.hash },
  );
  if (rows.length === 0) {
    await tx.query('delete from chain_block where network = $1', [code]);
    await insertBlocks(tx, chain.network, [block]);
  }
  if (doubtfulFrom !== undefined && doubtfulFrom <= block.height)
    await addBackfill(tx, chain, doubtfulFrom, block.height);
}

/**
 * Resumes a halted network. Deposits above the block are reversed, and credited again where the
 * chain still holds them. Blocks below it that may have been read from another branch are read
 * again.
 * @throws `chain_not_halted`, `chain_unreachable`, `block_mismatch`, `invalid_parameter`
 */
export async function resumeChain(
  db: Db,
  { network, clock, masterKey }: ChainContext & { readonly masterKey: MasterKey },
  named: Cursor,
): Promise<void> {
  const { code } = network;
  const to = { height: named.height, hash: named.hash.toLowerCase() };
  checkState(network, await readState(db, code), to);
  const point = await checkResumePoint(db, masterKey, network, to);
  await transaction(db, async (tx) => {
    checkState(network, await lockState(tx, code), to);
    await rewindTo(tx, clock, code, to);
    await storeResumePoint(tx, { network, clock }, point);
    await tx.query(
      `update chain_state
       set halted_at = null, halted_reason_code = null, halted_reason_values = null
       where network = $1`,
      [code],
    );
    await recordEvent(tx, clock, { type: 'chain.resumed', data: { network: code, ...to } });
  });
}

/**
 * Halts a network by an operator's decision: the way back from a block that was believed wrongly,
 * since only a halted network can be resumed from a lower one. A halted network stays as it is.
 * @throws `chain_not_started`
 */
export async function haltByOperator(db: Db, chain: ChainContext, reason: string): Promise<void> {
  const { code } = chain.network;
  for (;;) {
    const { cursor, haltedAt } = await readState(db, code);
    if (haltedAt) return;
    if (!cursor)
      throw failure('chain_not_started', {
        detail: `${code} has not been watched yet: disable it instead.`,
      });
    if (await haltChain(db, chain, cursor, createFreeText(reason))) return;
  }
}
