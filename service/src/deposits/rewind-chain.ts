/**
 * A reorganisation: deposits of replaced blocks are reversed, and the watcher continues from the
 * common ancestor.
 */
import {
  type Db,
  defineStatement,
  execute,
  queryNamed,
  type Transaction,
  transaction,
} from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import { messageFields } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type CodedMessage, toColumns } from '../lib/coded-messages.ts';
import { HALT_REASONS } from './chain-reasons.ts';
import { type Cursor, isAt, lockState, moveCursor } from './chain-state.ts';
import { recordDepositEvents } from './deposit-events.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';
import type { ChainContext } from './networks.ts';
import { reverseCredited } from './reverse-credited-deposits.ts';

/** Deposits that are not credited; the decision of an operator stays. */
const ORPHAN_DEPOSITS = defineStatement(
  'deposit_orphan',
  `update deposit set status = 'orphaned', reason_code = :code, reason_values = :values
   where network = :network and block_number > :height
     and status in ('confirming', 'below_minimum', 'unsupported', 'on_hold', 'rejected')
   returning id`,
);

/** Reverses everything above a block; run it under the lock of the chain's state. */
export async function rewindTo(
  tx: Transaction,
  clock: Clock,
  network: string,
  to: Cursor,
): Promise<void> {
  const { height } = to;
  const reason = toColumns(DEPOSIT_REASONS.create('block_replaced'));
  const { rows } = await execute<{ id: number }>(tx, ORPHAN_DEPOSITS, {
    network,
    height,
    ...reason,
  });
  await recordDepositEvents(tx, clock, rows);
  await reverseCredited(tx, clock, network, height);
  await queryNamed(tx, 'delete from chain_block where network = :network and height > :height', {
    network,
    height,
  });
  await moveCursor(tx, network, to);
}

/**
 * Goes back from a replaced cursor to a block that is still part of the chain.
 * @returns false when another watcher has moved the cursor meanwhile
 */
export async function rewindChain(
  db: Db,
  { network, clock }: ChainContext,
  from: Cursor,
  to: Cursor,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    if (!isAt(await lockState(tx, network.code), from)) return false;
    await rewindTo(tx, clock, network.code, to);
    return true;
  });
}

const HALT_CHAIN = defineStatement(
  'chain_halt',
  `update chain_state set halted_at = :now, halted_reason_code = :code,
     halted_reason_values = :values where network = :network`,
);

/**
 * Halts a network until an operator resumes it: nothing is read, credited or reversed.
 * @returns false when another watcher has moved the cursor meanwhile
 */
export async function haltChain(
  db: Db,
  { network: { code: network }, clock }: ChainContext,
  at: Cursor,
  reason: CodedMessage,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    if (!isAt(await lockState(tx, network), at)) return false;
    await execute(tx, HALT_CHAIN, { network, now: clock.now(), ...toColumns(reason) });
    const { height, hash } = at;
    const data = { network, height, hash, ...messageFields('reason', HALT_REASONS, reason) };
    await recordEvent(tx, clock, { type: 'chain.halted', data });
    return true;
  });
}
