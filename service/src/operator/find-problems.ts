import { type Db, transaction } from '../db/index.ts';

/** Rows that a check lists, at most. */
export const PROBLEMS_MAX = 20;

export interface Problems<Counts> {
  readonly counts: Counts;
  /** The first differences; empty when there is none. */
  readonly problems: readonly string[];
}

/**
 * Runs checks on one snapshot.
 * @param countSql selects one row of counts
 * @param checks each selects `problem`, at most `PROBLEMS_MAX` times
 */
export async function findProblems<Counts>(
  db: Db,
  countSql: string,
  checks: readonly string[],
): Promise<Problems<Counts>> {
  return transaction(db, async (tx) => {
    if (!db.isTransaction) await tx.query('set transaction isolation level repeatable read');
    await tx.query('set local statement_timeout = 0');
    const [counts] = (await tx.query<Counts>(countSql)).rows;
    if (!counts) throw new Error('the counts are missing');
    const problems: string[] = [];
    for (const check of checks) {
      const { rows } = await tx.query<{ problem: string }>(check);
      problems.push(...rows.map(({ problem }) => problem));
    }
    return { counts, problems: problems.slice(0, PROBLEMS_MAX) };
  });
}
