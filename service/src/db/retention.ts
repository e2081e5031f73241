/**
 * How long rows are kept that are of no use after a time. Each domain lists its tables; one job
 * deletes, and one metric shows how far the job is behind.
 */
import type { Clock } from '../lib/clock.ts';
import type { Database, Db } from './types.ts';

export interface RetentionRule {
  readonly table: string;
  /** Why rows are kept, for users: docs/privacy.md. */
  readonly reason: string;
  /** Columns of the primary key. */
  readonly key: string;
  /** Indexed column of the time from which a row is kept. */
  readonly since: string;
  /** Seconds that a row is kept after that time. */
  readonly kept_s: number;
  /** Rows a day at most, estimated, of a million users with a device each (docs/operations.md). */
  readonly rowsPerDay: number;
  /** SQL condition of the rows concerned; all rows of the table when absent. */
  readonly where?: string;
}

const DELETED_ROWS_MAX = 5000;

const isDue = ({ since, where }: RetentionRule): string =>
  `${since} < $1${where === undefined ? '' : ` and ${where}`}`;

function dueBefore({ kept_s }: RetentionRule, clock: Clock): Date {
  return new Date(clock.now().getTime() - kept_s * 1000);
}

/**
 * Deletes all rows that are past their time, each batch in a statement of its own. Safe to kill
 * between two batches, and to run on two instances.
 * @returns the number of deleted rows
 */
export async function deleteDueRows(
  database: Database,
  clock: Clock,
  rules: readonly RetentionRule[],
): Promise<number> {
  let total = 0;
  for (const rule of rules) {
    const text = `delete from ${rule.table} where (${rule.key}) in (
      select ${rule.key} from ${rule.table} where ${isDue(rule)}
      order by ${rule.since} limit ${DELETED_ROWS_MAX} for update skip locked)`;
    let deleted = DELETED_ROWS_MAX;
    while (deleted === DELETED_ROWS_MAX) {
      ({ rowCount: deleted } = await database.query(text, [dueBefore(rule, clock)]));
      total += deleted;
    }
  }
  return total;
}

/** Seconds that the oldest row of each table is past its time; 0: none is. */
export async function measureOverdue(
  db: Db,
  clock: Clock,
  rules: readonly RetentionRule[],
): Promise<Record<string, number>> {
  const overdue: Record<string, number> = {};
  for (const rule of rules) {
    const before = dueBefore(rule, clock);
    const { rows } = await db.query<{ oldest: Date }>(
      `select ${rule.since} as oldest from ${rule.table} where ${isDue(rule)}
       order by ${rule.since} limit 1`,
      [before],
    );
    const oldest_ms = rows[0]?.oldest.getTime() ?? before.getTime();
    const seconds = (before.getTime() - oldest_ms) / 1000;
    overdue[rule.table] = Math.max(overdue[rule.table] ?? 0, seconds);
  }
  return overdue;
}
