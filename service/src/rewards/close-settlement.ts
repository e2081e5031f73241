/** Lets an operator close a settlement that cannot continue, without its remaining lines. */
import { type Database, queryNamed, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';

export interface ClosedSettlement {
  readonly id: number;
  /** The operator. */
  readonly by: string;
  readonly reason: string;
}

/**
 * Closes a settlement. One that was not computed gets no lines; lines that were not posted yet, and
 * all that it holds, are refused with the reason `settlement_closed`. Paid and released lines stay.
 * This changes one row, from which on none of its lines is held. The next run of the job refuses
 * them in steps and ends it, or the payment of its day. One whose payment has begun is paid.
 * @throws `not_found`, `settlement_done`
 */
export async function closeSettlement(
  database: Database,
  clock: Clock,
  { id, by, reason }: ClosedSettlement,
): Promise<void> {
  await transaction(database, async (tx) => {
    const { rowCount } = await queryNamed(
      tx,
      `update reward_batch set closed_at = coalesce(closed_at, :now),
          closed_by = coalesce(closed_by, :closed_by),
          close_reason = coalesce(close_reason, :reason)
        where id = :id and state <> 'settled' and payment_id is null`,
      { id, now: clock.now(), closed_by: by, reason },
    );
    if (rowCount === 0)
      throw failure(
        (await tx.query('select from reward_batch where id = $1', [id])).rowCount === 0
          ? 'not_found'
          : 'settlement_done',
      );
    await recordEvent(tx, clock, { type: 'rewards.closed', data: { batch: id, reason } });
  });
}
