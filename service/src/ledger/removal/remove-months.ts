/**
 * Removes the bills of rewards of archived months from `entry` and `transfer`: they are packed, and
 * read from their packs (ADR 0134). Three steps, each recorded in `ledger_removal`: the files are
 * compared with the database, the entries of people packed, those of the house with the transfers.
 */
import { fileURLToPath } from 'node:url';
import { type Database, type Db, queryNamed } from '../../db/index.ts';
import { startOfDay, toDay } from '../../lib/calendar.ts';
import { checkDirectory } from '../archive/archive-periods.ts';
import { findArchiveProblem } from '../archive/find-archive-problem.ts';
import { getLedgerContext } from '../ledger-context.ts';
import { listHeads } from '../signed-heads.ts';
import type { Month } from './month-ranges.ts';
import { dueOn, findNextMonth } from './next-month.ts';
import { type MonthStep, packHouse, packPeople } from './pack-wallets.ts';

const HEADS_MAX = 100_000;
/** A run ends then, or with the file that it reads; the next one continues. */
const LONGEST_RUN_MS = 60_000;

export interface RemovalSettings {
  /** `file:///DIRECTORY` */
  readonly place: string;
  /** Months that stay as rows, beside the one that is not over. */
  readonly keptMonths: number;
  /**
   * Since when postings are found by their names: bills from before are not; undefined: none are.
   */
  readonly namedSince: (db: Db) => Promise<Date | undefined>;
}

export interface RemoveMonths extends RemovalSettings, Pick<MonthStep, 'atOnce'> {
  readonly database: Database;
  readonly signal?: AbortSignal;
}

async function findDueMonth({ database, keptMonths, namedSince }: RemoveMonths) {
  const month = await findNextMonth(database);
  if (!month) return undefined;
  const now = getLedgerContext(database).clock.now();
  if (dueOn(month, keptMonths) > toDay(now)) return undefined;
  const named = await namedSince(database);
  return named && named < startOfDay(month.next) ? undefined : month;
}

/** Absent before: the month is begun. */
const BEGIN = `insert into ledger_removal (month, head_day)
  select :first, max(day) from ledger_head where day < :next having max(day) is not null
  on conflict (month) do nothing`;

/** A run, and whether it must end: asked between two steps. */
interface Run extends RemoveMonths {
  readonly isOver: () => boolean;
}

const TO_CHECK = `select checked_until::text as until from ledger_removal
  where month = :first and checked_at is null`;
const KEEP_CHECKED = `update ledger_removal
  set checked_until = greatest(checked_until, :until::date)
  where month = :first and checked_at is null`;

/**
 * Compares a month once, file by file.
 * @returns whether all files were compared
 * @throws what is wrong with a file, or with rows
 */
async function checkMonth(run: Run, { first, next }: Month): Promise<boolean> {
  const { database: db, place, signal } = run;
  const { rows } = await queryNamed<{ until: string | null }>(db, TO_CHECK, { first });
  if (!rows[0]) return true;
  const checkedUntil = rows[0].until ?? '';
  const directory = fileURLToPath(place);
  checkDirectory(directory);
  const heads = (await listHeads(db, { limit: HEADS_MAX })).toReversed();
  for (const [i, to] of heads.entries()) {
    if (to.day < first || to.day >= next || to.day <= checkedUntil) continue;
    if (run.isOver()) return false;
    const compared = { db, directory, ...(signal && { signal }) };
    const problem = await findArchiveProblem(compared, { from: heads[i - 1] ?? null, to });
    if (problem !== undefined) throw new Error(`bills of ${first.slice(0, 7)} stay: ${problem}`);
    await queryNamed(db, KEEP_CHECKED, { first, until: to.day });
  }
  await queryNamed(
    db,
    'update ledger_removal set checked_at = :now where month = :first and checked_at is null',
    { now: getLedgerContext(db).clock.now(), first },
  );
  return true;
}

/** @returns whether the month is done */
async function removeMonth(run: Run, month: Month): Promise<boolean> {
  const { database, atOnce } = run;
  await queryNamed(database, BEGIN, { first: month.first, next: month.next });
  if (!(await checkMonth(run, month))) return false;
  const now = getLedgerContext(database).clock.now();
  const step = { database, now, ...(atOnce && { atOnce }) };
  for (const pack of [packPeople, packHouse])
    while (await pack(step, month)) if (run.isOver()) return false;
  const { rowCount } = await queryNamed(
    database,
    'select from ledger_removal where month = :first and removed_at is not null',
    { first: month.first },
  );
  return rowCount > 0;
}

/**
 * Removes the months that are due, the oldest first, for about a minute. Can be killed at any point
 * and run again, on any instances at once: a step is locked, and what is packed is removed in the
 * same transaction.
 * @throws when a file is missing, was altered, or does not agree with the database: the month stays
 */
export async function removeMonths(remove: RemoveMonths): Promise<void> {
  const { clock } = getLedgerContext(remove.database);
  const end_ms = clock.now().getTime() + LONGEST_RUN_MS;
  const isOver = (): boolean => remove.signal?.aborted === true || clock.now().getTime() >= end_ms;
  while (!isOver()) {
    const month = await findDueMonth(remove);
    if (!month) return;
    try {
      if (!(await removeMonth({ ...remove, isOver }, month))) return;
    } catch (error) {
      if (remove.signal?.aborted) return;
      throw error;
    }
  }
}
