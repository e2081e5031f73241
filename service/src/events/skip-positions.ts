/** After a restore: events that were lost keep their positions, and others take none of them. */
import type { Transaction } from '../db/index.ts';

/**
 * Continues the positions of events `count` further on. A stream or webhook that has received lost
 * events continues after them.
 */
export async function skipPositions(tx: Transaction, count: number): Promise<void> {
  await tx.query('update event_counter set last_position = last_position + $1 where id = 1', [
    count,
  ]);
}
