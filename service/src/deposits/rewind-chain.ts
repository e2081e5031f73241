/** A reorganisation: what stood in replaced blocks is taken back, and the watcher goes on from their common ancestor. */
import { type Db, type Transaction, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type Cursor, isAt, lockState, moveCursor } from './chain-state.ts';
import { recordDepositEvents } from './deposit-events.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';
import type { Network } from './networks.ts';
import { takeBackCredited } from './reverse-credited-deposits.ts';

const AT_ONCE = 1000;
const ORPHANED = DEPOSIT_REASONS.say('block_replaced');

/** Sets what is not credited aside, whatever else it was; an operator's word about it stays. */
async function orphanOpen(
  tx: Transaction,
  clock: Clock,
  network: string,
  height: number,
): Promise<void> {
  const { rows } = await tx.query<{ id: number }>(
    `update deposit set status = 'orphaned', reason = $3 where network = $1 and block_number > $2
       and status in ('confirming', 'below_minimum', 'unsupported', 'on_hold', 'rejected') returning id`,
    [network, height, ORPHANED],
  );
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    await recordDepositEvents(
      tx,
      clock,
      rows.slice(at, at + AT_ONCE).map((row) => row.id),
    );
  }
}

/** Takes everything above a block back; run it under the lock of the chain's state. */
export async function rewindTo(
  tx: Transaction,
  clock: Clock,
  network: string,
  to: Cursor,
): Promise<void> {
  await orphanOpen(tx, clock, network, to.height);
  await takeBackCredited(tx, clock, network, to.height);
  await tx.query('delete from chain_block where network = $1 and height > $2', [
    network,
    to.height,
  ]);
  await moveCursor(tx, network, to);
}

/**
 * Goes back from a replaced cursor to a block that is still part of the chain.
 * @returns false when another watcher has moved the cursor meanwhile
 */
export async function rewindChain(
  db: Db,
  clock: Clock,
  network: Network,
  from: Cursor,
  to: Cursor,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    if (!isAt(await lockState(tx, network.code), from)) return false;
    await rewindTo(tx, clock, network.code, to);
    return true;
  });
}

/** Stops a network for people to look at: nothing is read, credited or reversed until an operator resumes it. */
export async function haltChain(
  db: Db,
  clock: Clock,
  network: Network,
  at: Cursor,
  reason: string,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    if (!isAt(await lockState(tx, network.code), at)) return false;
    await tx.query('update chain_state set halted_at = $2, halted_reason = $3 where network = $1', [
      network.code,
      clock.now(),
      reason,
    ]);
    await recordEvent(tx, clock, {
      type: 'chain.halted',
      data: { network: network.code, height: at.height, hash: at.hash, reason },
    });
    return true;
  });
}
