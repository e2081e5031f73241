import type { Database } from './types.ts';

const BATCH = 5000;

/**
 * Deletes what is older than a time, each batch in a transaction of its own, until none is left;
 * safe to kill between two.
 * @param text deletes at most `$2` rows from before `$1`
 */
export async function deleteInBatches(
  database: Database,
  text: string,
  before: Date,
): Promise<void> {
  for (;;) {
    const { rowCount } = await database.query(text, [before, BATCH]);
    if (rowCount < BATCH) return;
  }
}
