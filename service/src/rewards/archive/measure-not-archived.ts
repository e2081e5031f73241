/** How far the archive of settlements is behind: what is not archived is never removed. */
import { type Db, queryNamed } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { NOT_ARCHIVED } from './archive-settlements.ts';

/** Seconds since the oldest settlement without a file was settled; 0: each has one. */
export async function measureNotArchived(db: Db, clock: Clock): Promise<number> {
  const { rows } = await queryNamed<{ settled_at: Date }>(
    db,
    `select settled_at from reward_batch b where ${NOT_ARCHIVED} order by id limit 1`,
    {},
  );
  const settledAt_ms = rows[0]?.settled_at.getTime();
  return settledAt_ms === undefined
    ? 0
    : Math.max(0, (clock.now().getTime() - settledAt_ms) / 1000);
}
