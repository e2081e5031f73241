/** How long what should be removed from the database has waited, whatever it waits for. */
import { type Db, measureOverdue, queryNamed } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { type RemovalTimes, usageRules, usageStaysMs } from './remove-archived.ts';

const DAY_MS = 86_400_000;

/**
 * The oldest settlement whose lines stand in the database, or will: one that is not settled, that
 * cannot be archived (leaves of format 2), or whose file is missing.
 */
const OLDEST_LINES = `select min(hour) as hour from reward_batch
  where (lines > 0 or state <> 'settled') and removed_at is null`;

/** Seconds for which the oldest row of each table has been due, except held lines; 0: none is. */
export async function measureWaiting(
  db: Db,
  clock: Clock,
  times: RemovalTimes,
): Promise<Record<string, number>> {
  const kept_ms = times.keptDays * DAY_MS;
  const { rows } = await queryNamed<{ hour: Date | null }>(db, OLDEST_LINES, {});
  const now_ms = clock.now().getTime();
  const due_ms = (rows[0]?.hour?.getTime() ?? now_ms) + kept_ms;
  const usage = usageRules((kept_ms + usageStaysMs(times)) / 1000);
  return {
    reward_line: Math.max(0, (now_ms - due_ms) / 1000),
    ...(await measureOverdue(db, clock, usage)),
  };
}
