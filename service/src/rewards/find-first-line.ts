/** From when on lines in the database lead to their bills. */
import type { Db } from '../db/index.ts';

/**
 * The first hour whose settlement has lines in the database, which name their bills: no bill that
 * was posted before is looked up by its name.
 * @returns undefined when no settlement has any
 */
export async function findFirstLine(db: Db): Promise<Date | undefined> {
  const { rows } = await db.query<{ hour: Date | null }>(
    'select min(hour) as hour from reward_batch where lines > 0 and removed_at is null',
  );
  return rows[0]?.hour ?? undefined;
}
