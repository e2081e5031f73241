/** An operator asks for old blocks to be read again; the watcher does it beside its other work, and can be interrupted. */
import { type Db, type Transaction, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { lockState } from './chain-state.ts';
import type { Network } from './networks.ts';

export interface Backfill {
  readonly id: number;
  readonly fromHeight: number;
  readonly toHeight: number;
}

/** Writes the wish down; run it under the lock of the chain's state. @returns its id */
export async function addBackfill(
  tx: Transaction,
  clock: Clock,
  network: Network,
  from: number,
  to: number,
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    'insert into chain_backfill (network, from_height, next_height, to_height, created_at) values ($1, $2, $2, $3, $4) returning id',
    [network.code, from, to, clock.now()],
  );
  return rows[0]?.id ?? 0;
}

/** Asks for the blocks from a height to where the watcher stands. @throws `chain_not_started`, `invalid_parameter` */
export async function requestBackfill(
  db: Db,
  clock: Clock,
  network: Network,
  fromHeight: number,
): Promise<Backfill> {
  return transaction(db, async (tx) => {
    const { cursor } = await lockState(tx, network.code);
    if (!cursor)
      throw failure('chain_not_started', {
        detail: `${network.code} has not been watched yet: set start_height instead.`,
      });
    if (fromHeight > cursor.height)
      throw fieldError(
        'from_height',
        'too_large',
        `must not be above ${cursor.height}, the last block that was read`,
      );
    return {
      id: await addBackfill(tx, clock, network, fromHeight, cursor.height),
      fromHeight,
      toHeight: cursor.height,
    };
  });
}
