/**
 * Removes what is archived from the database: the lines of old settlements, and the usage that they
 * were computed from.
 */
import { join } from 'node:path';
import {
  type Database,
  type Db,
  deleteDueRows,
  queryNamed,
  type RetentionRule,
} from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { findSettlement, type Settlement } from '../settlements.ts';
import type { ArchiveKey } from './archive-label.ts';
import { checkDirectory } from './archive-settlements.ts';
import { verifyArchivedSettlement } from './verify-archive.ts';
import { archiveFileOf } from './write-archive.ts';

const DAY_MS = 86_400_000;
const DELETED_ROWS_MAX = 5000;
/** Requests that began to read lines in the database have ended by then. */
const MOVED_BEFORE_MS = 600_000;

export interface RemoveDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly keys: readonly ArchiveKey[];
  readonly directory: string;
  readonly keptDays: number;
  /** Within which a traffic report is accepted, in seconds. */
  readonly window_s: number;
  readonly signal?: AbortSignal;
}

/** @throws when the file is not the settlement */
async function checkFile({ directory, keys }: RemoveDeps, settlement: Settlement): Promise<void> {
  const path = join(directory, archiveFileOf(settlement));
  const report = await verifyArchivedSettlement(path, keys);
  const { id, root } = settlement;
  const [problem] = report?.problems ?? ['is no archive of a settlement'];
  if (problem !== undefined) throw new Error(`settlement ${id} stays, because ${path} ${problem}`);
  if (report?.settlement?.id !== id || report.settlement.root !== root?.toString('hex'))
    throw new Error(`settlement ${id} stays, because ${path} has another one`);
}

/** Lines are read from files from now on. Each file is read again before: it is the only one. */
async function moveDue(deps: RemoveDeps): Promise<void> {
  const { database, clock, keptDays, signal } = deps;
  const now = clock.now();
  for (;;) {
    const { rows } = await queryNamed<{ id: number }>(
      database,
      `select id from reward_batch
        where archived_at is not null and moved_at is null and hour < :before
        order by id limit 1`,
      { before: new Date(now.getTime() - keptDays * DAY_MS) },
    );
    const settlement = rows[0] && (await findSettlement(database, rows[0].id));
    if (!settlement || signal?.aborted) return;
    await checkFile(deps, settlement);
    await queryNamed(database, 'update reward_batch set moved_at = :now where id = :id', {
      now,
      id: settlement.id,
    });
  }
}

/** Held lines stay: an operator may still release them, and they are paid from here. */
async function removeLines(db: Db, id: number, signal: AbortSignal | undefined): Promise<boolean> {
  for (;;) {
    if (signal?.aborted) return false;
    const { rows } = await queryNamed<{ removed: number }>(
      db,
      "select remove_archived_lines('reward_line', :id::bigint, :at_most::int) as removed",
      { id, at_most: DELETED_ROWS_MAX },
    );
    if ((rows[0]?.removed ?? 0) < DELETED_ROWS_MAX) return true;
  }
}

async function removeMoved({ database, clock, signal }: RemoveDeps): Promise<void> {
  const { rows } = await queryNamed<{ id: number }>(
    database,
    `select id from reward_batch where moved_at < :before and removed_at is null order by id`,
    { before: new Date(clock.now().getTime() - MOVED_BEFORE_MS) },
  );
  for (const { id } of rows) {
    if (!(await removeLines(database, id, signal))) return;
    await queryNamed(database, 'update reward_batch set removed_at = :now where id = :id', {
      now: clock.now(),
      id,
    });
  }
}

/** The first hour whose usage some lines in the database were computed from, or may be. */
async function firstUsedHour({ database, clock, keptDays, window_s }: RemoveDeps): Promise<Date> {
  const { rows } = await queryNamed<{ hour: Date | null }>(
    database,
    `select min(hour) as hour from reward_batch where lines > 0 and removed_at is null`,
    {},
  );
  const kept_ms = clock.now().getTime() - keptDays * DAY_MS;
  const first_ms = Math.min(rows[0]?.hour?.getTime() ?? kept_ms, kept_ms);
  return new Date(first_ms - window_s * 1000 - DAY_MS);
}

const usageRules = (kept_s: number): RetentionRule[] =>
  (
    [
      ['device_hour', 'device_id, hour', 'hour'],
      ['traffic_hour', 'hour, device_id, category', 'hour'],
      ['traffic_report', 'client_id, report_id', 'to_at'],
    ] as const
  ).map(([table, key, since]) => ({
    ...{ table, key, since, kept_s },
    reason: 'Usage of devices, until the rewards for it are archived.',
    rowsPerDay: 24_000_000,
  }));

/**
 * Removes what is older than `keptDays`. Can be killed at any point and run again.
 * @throws when a file of the archive is missing or altered: what it has stays in the database
 */
export async function removeArchived(deps: RemoveDeps): Promise<void> {
  const { database, clock, signal } = deps;
  checkDirectory(deps.directory);
  await removeMoved(deps);
  await moveDue(deps);
  const kept_s = (clock.now().getTime() - (await firstUsedHour(deps)).getTime()) / 1000;
  await deleteDueRows(database, clock, usageRules(kept_s), signal);
}
