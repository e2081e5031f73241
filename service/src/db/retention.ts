/**
 * How long rows are kept that are of no use after a time. Each domain lists its tables; one job
 * deletes, and one metric shows how far the job is behind.
 */
import type { Clock } from '../lib/clock.ts';
import { queryNamed } from './statement.ts';
import type { Database, Db } from './types.ts';

export interface RetentionRule {
  readonly table: string;
  /** Why rows are kept, for users: docs/privacy.md. */
  readonly reason: string;
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

const isDue = ({ since, where }: RetentionRule, due = ':due'): string =>
  `${since} < ${due}::timestamptz${where === undefined ? '' : ` and ${where}`}`;

function dueBefore({ kept_s }: RetentionRule, clock: Clock): Date {
  return new Date(clock.now().getTime() - kept_s * 1000);
}

/**
 * Deletes a batch of rows, from where the batch before ended: rows that were deleted before stay in
 * the index while a long transaction may still read them. Rows are found by their place in the
 * table: by a key, PostgreSQL would read the whole of a table of a million rows for each batch.
 */
const deleteStatement = (rule: RetentionRule): string => `with gone as (
    delete from ${rule.table} where ctid = any (array(
      select ctid from ${rule.table}
      where ${isDue(rule)} and ${rule.since} >= :from::timestamptz
      order by ${rule.since} limit ${DELETED_ROWS_MAX} for update skip locked))
    returning ${rule.since} as since)
  select count(*)::int as deleted, max(since)::text as last from gone`;

interface Batch {
  readonly deleted: number;
  readonly last: string | null;
}

async function deleteBatch(
  database: Database,
  clock: Clock,
  { rule, from }: { readonly rule: RetentionRule; readonly from: string },
): Promise<Batch> {
  const values = { due: dueBefore(rule, clock), from };
  const { rows } = await queryNamed<Batch>(database, deleteStatement(rule), values);
  return rows[0] ?? { deleted: 0, last: null };
}

/**
 * Deletes all rows that are past their time, each batch in a statement of its own, of every table
 * in turn: one that is far behind holds up no other, nor does one whose rows cannot be deleted.
 * Safe to kill between two batches, and to run on two instances.
 * @param signal ends it after a batch, when the instance ends
 * @returns the number of deleted rows
 * @throws the first error, after the rest was deleted
 */
export async function deleteDueRows(
  database: Database,
  clock: Clock,
  rules: readonly RetentionRule[],
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  const failures: unknown[] = [];
  let behind = rules.map((rule) => ({ rule, from: '-infinity' }));
  while (behind.length > 0) {
    const further: typeof behind = [];
    for (const { rule, from } of behind) {
      if (signal?.aborted) return total;
      try {
        const { deleted, last } = await deleteBatch(database, clock, { rule, from });
        total += deleted;
        if (deleted === DELETED_ROWS_MAX) further.push({ rule, from: last ?? from });
      } catch (error) {
        // The rule is left out of the rest of this run.
        failures.push(error);
      }
    }
    behind = further;
  }
  if (failures.length > 0) throw failures[0];
  return total;
}

/**
 * The oldest row that is past its time. An infinite time is no age, and a row with one is deleted
 * with the others.
 */
const overdueStatement = (rule: RetentionRule, at: number): string => `(
  select ${at} as rule,
    extract(epoch from :due_${at}::timestamptz - ${rule.since})::float8 as seconds
  from ${rule.table} where ${isDue(rule, `:due_${at}`)} and ${rule.since} > '-infinity'
  order by ${rule.since} limit 1)`;

/**
 * Seconds that the oldest row of each table is past its time; 0: none is. One statement for all: an
 * instance that is busy waits once.
 */
export async function measureOverdue(
  db: Db,
  clock: Clock,
  rules: readonly RetentionRule[],
): Promise<Record<string, number>> {
  const { rows } = await queryNamed<{ rule: number; seconds: number }>(
    db,
    rules.map(overdueStatement).join(' union all '),
    Object.fromEntries(rules.map((rule, at) => [`due_${at}`, dueBefore(rule, clock)])),
  );
  const overdue = Object.fromEntries(rules.map(({ table }) => [table, 0]));
  for (const { rule, seconds } of rows) {
    const table = rules[rule]?.table ?? '';
    overdue[table] = Math.max(overdue[table] ?? 0, seconds);
  }
  return overdue;
}
