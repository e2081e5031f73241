/** Requests that old blocks are read again; the watcher does it beside its other work. */
import { type Db, defineStatement, execute, type Transaction, transaction } from '../db/index.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { lockState } from './chain-state.ts';
import type { ChainContext } from './networks.ts';

export interface Backfill {
  readonly id: number;
  readonly fromHeight: number;
  readonly toHeight: number;
}

const INSERT_BACKFILL = defineStatement(
  'chain_backfill_insert',
  `insert into chain_backfill (network, from_height, next_height, to_height, created_at)
   values (:network, :from, :from, :to, :now) returning id`,
);

/** Stores a request; run it under the lock of the chain's state. */
export async function addBackfill(
  tx: Transaction,
  { network, clock }: ChainContext,
  from: number,
  to: number,
): Promise<Backfill> {
  const request = { network: network.code, from, to, now: clock.now() };
  const { rows } = await execute<{ id: number }>(tx, INSERT_BACKFILL, request);
  return { id: rows[0]?.id ?? 0, fromHeight: from, toHeight: to };
}

/**
 * Requests the blocks from a height to the cursor. @throws `chain_not_started`,
 * `invalid_parameter`
 */
export async function requestBackfill(
  db: Db,
  chain: ChainContext,
  fromHeight: number,
): Promise<Backfill> {
  const { code } = chain.network;
  return transaction(db, async (tx) => {
    const { cursor } = await lockState(tx, code);
    if (!cursor)
      throw failure('chain_not_started', {
        detail: `${code} has not been watched yet: set start_height instead.`,
      });
    if (fromHeight > cursor.height)
      throw fieldError(
        'from_height',
        'too_large',
        `must not be above ${cursor.height}, the last block that was read`,
      );
    return addBackfill(tx, chain, fromHeight, cursor.height);
  });
}
