/**
 * Removes what is archived from the database: the lines of old settlements, and the usage that they
 * were computed from.
 */
import { type Database, deleteDueRows, queryNamed, type RetentionRule } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { findSettlement, LAST_CORRECTION } from '../settlements.ts';
import { checkDirectory } from './archive-settlements.ts';
import { type ArchivePlace, findFileProblem } from './find-file-problem.ts';

const DAY_MS = 86_400_000;
/** Lines that one statement looks at. */
const STEP_LINES = 5000;
/** Requests that began to read lines in the database have ended by then. */
const READERS_END_MS = 600_000;
/** A report is at most a day long, and may begin at the end of an hour. */
const REPORTED_MS = 2 * DAY_MS;

export interface RemovalTimes {
  /** Of lines. */
  readonly keptDays: number;
  /** Within which a traffic report is accepted, in seconds. */
  readonly window_s: number;
}

export interface RemoveDeps extends ArchivePlace, RemovalTimes {
  readonly database: Database;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Tests have small steps; at most 5,000. */
  readonly stepLines?: number;
}

/**
 * How much longer usage stays than lines: no report about an hour is accepted after that, so that a
 * line in the database is always compared with all of its usage.
 */
export const usageStaysMs = ({ window_s }: RemovalTimes): number => window_s * 1000 + REPORTED_MS;

/** A correction may have begun with an hour that was not moved yet. */
const IS_CORRECTING =
  "exists (select from reward_batch c where c.kind = 'correction' and c.state = 'open')";

/**
 * The next settlement that is old enough, and that no correction will read any more: the last one
 * has seen all reports about it.
 */
const NEXT_DUE = `select id from reward_batch
  where archived_at is not null and moved_at is null and hour < :before and id > :after
    and hour < (${LAST_CORRECTION} and state = 'settled') - :corrected * interval '1 millisecond'
    and (computed_at is null or computed_at <= (${LAST_CORRECTION} and state = 'settled'))
    and not ${IS_CORRECTING}
    and not exists (
      select from reward_batch o where o.state <> 'settled' and o.hour <= reward_batch.hour
    )
  order by id limit 1`;

/**
 * Lines are read from files from now on. Each file is read before: it will be the only one. One
 * that is missing or altered is written again, from the lines that are still here.
 * @returns what is wrong
 */
async function moveDue(deps: RemoveDeps): Promise<unknown[]> {
  const { database, clock, keptDays, signal } = deps;
  const now = clock.now();
  const before = new Date(now.getTime() - keptDays * DAY_MS);
  const failures: unknown[] = [];
  for (let after = 0; ; ) {
    const values = { before, after, corrected: usageStaysMs(deps) };
    const { rows } = await queryNamed<{ id: number }>(database, NEXT_DUE, values);
    const settlement = rows[0] && (await findSettlement(database, rows[0].id));
    if (!settlement || signal?.aborted) return failures;
    after = settlement.id;
    const problem = await findFileProblem(deps, settlement);
    if (problem !== undefined) failures.push(new Error(`settlement ${after} stays: ${problem}`));
    await queryNamed(
      database,
      problem === undefined
        ? `update reward_batch set moved_at = :now where id = :id and not ${IS_CORRECTING}`
        : 'update reward_batch set archived_at = null where id = :id and moved_at is null',
      problem === undefined ? { id: after, now } : { id: after },
    );
  }
}

/**
 * Each step continues from the leaf that the one before recorded, in a transaction of its own. Held
 * lines stay: an operator may still release them, and they are paid from here.
 */
export async function removeLines(
  {
    database: db,
    stepLines = STEP_LINES,
    signal,
  }: Pick<RemoveDeps, 'database' | 'stepLines' | 'signal'>,
  id: number,
): Promise<boolean> {
  for (;;) {
    if (signal?.aborted) return false;
    const { rows } = await queryNamed<{ looked: number }>(
      db,
      "select remove_archived_lines('reward_line', :id::bigint, :at_most::int) as looked",
      { id, at_most: stepLines },
    );
    if ((rows[0]?.looked ?? 0) < stepLines) return true;
  }
}

/** Marks a settlement as removed once no line is left but those that are held. */
const MARK_REMOVED = `update reward_batch set removed_at = :now
  where id = :id and not exists (
    select from reward_line where batch_id = :id and status <> 'held'
  )`;

/** The file is read once more: the lines may have been moved long ago. @returns what is wrong */
async function removeMoved(deps: RemoveDeps): Promise<unknown[]> {
  const { database, clock, signal } = deps;
  const { rows } = await queryNamed<{ id: number }>(
    database,
    'select id from reward_batch where moved_at < :before and removed_at is null order by id',
    { before: new Date(clock.now().getTime() - READERS_END_MS) },
  );
  const failures: unknown[] = [];
  for (const { id } of rows) {
    const settlement = await findSettlement(database, id);
    if (!settlement || signal?.aborted) break;
    const problem = await findFileProblem(deps, settlement);
    if (problem !== undefined) failures.push(new Error(`settlement ${id} stays: ${problem}`));
    else if (await removeLines(deps, id))
      await queryNamed(database, MARK_REMOVED, { id, now: clock.now() });
  }
  return failures;
}

/**
 * The first hour whose usage lines in the database were computed from, or may be: of an hour that
 * is not settled, too. Before the first settlement that is the first hour with rules: they apply
 * from an hour on that has not begun, so usage before them is never settled.
 */
async function firstUsedHour(deps: RemoveDeps): Promise<Date> {
  const { rows } = await queryNamed<{ hour: Date | null }>(
    deps.database,
    `select least(
        min(hour) filter (where (lines > 0 or state <> 'settled') and removed_at is null),
        coalesce(
          max(hour) filter (where kind = 'hour') + interval '1 hour',
          (select min(hour) from reward_activation)
        )
      ) as hour
      from reward_batch`,
    {},
  );
  const kept_ms = deps.clock.now().getTime() - deps.keptDays * DAY_MS;
  const first_ms = Math.min(rows[0]?.hour?.getTime() ?? kept_ms, kept_ms);
  return new Date(first_ms - usageStaysMs(deps));
}

/** The tables of usage. @param kept_s of their rows */
export const usageRules = (kept_s: number): RetentionRule[] =>
  (
    [
      ['device_hour', 'hour'],
      ['traffic_hour', 'hour'],
      ['traffic_report', 'to_at'],
    ] as const
  ).map(([table, since]) => ({
    ...{ table, since, kept_s },
    reason: 'Usage of devices, until the rewards for it are archived.',
    rowsPerDay: 24_000_000,
  }));

/**
 * Removes what is older than `keptDays`. Can be killed at any point and run again.
 * @throws the first problem with a file, after the rest was removed: what that file should have
 *   stays in the database
 */
export async function removeArchived(deps: RemoveDeps): Promise<void> {
  const { database, clock, signal } = deps;
  checkDirectory(deps.directory);
  const failures = [...(await removeMoved(deps)), ...(await moveDue(deps))];
  const kept_s = (clock.now().getTime() - (await firstUsedHour(deps)).getTime()) / 1000;
  await deleteDueRows(database, clock, usageRules(kept_s), signal);
  if (failures.length > 0) throw failures[0];
}
