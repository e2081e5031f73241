/** Archives every period that is over: one file for each signed head. */
import { existsSync, globSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Db } from '../../db/index.ts';
import { getLedgerContext } from '../ledger-context.ts';
import { listHeads } from '../signed-heads.ts';
import { recordArchivedMonths } from './archived-months.ts';
import { type WrittenArchive, writeArchive } from './write-archive.ts';

const HEADS_MAX = 100_000;
/** No file is written for so long: what is left is of a process that was killed. */
const UNFINISHED_KEPT_MS = 86_400_000;

export interface ArchivedDays {
  /** First and last day whose heads are archived, `yyyy-MM-dd`; absent: all. */
  readonly from?: string;
  readonly until?: string;
  /** Ends it before the next batch; the file that it is at is not written. */
  readonly signal?: AbortSignal;
}

function deleteUnfinished(directory: string, now: Date): void {
  for (const name of globSync('ledger-*.unfinished', { cwd: directory })) {
    const path = join(directory, name);
    const age_ms = now.getTime() - statSync(path).mtimeMs;
    if (age_ms > UNFINISHED_KEPT_MS) unlinkSync(path);
  }
}

/**
 * Writes the files that a directory lacks, the oldest first; those that are there stay as they are.
 * Several processes may do so at once.
 * @returns what each of the written files has
 * @throws LedgerDisagrees when the ledger does not agree with its seals or heads
 */
export async function* archivePeriods(
  db: Db,
  directory: string,
  { from = '', until = '9999-12-31', signal }: ArchivedDays,
): AsyncGenerator<WrittenArchive> {
  deleteUnfinished(directory, getLedgerContext(db).clock.now());
  const heads = (await listHeads(db, { limit: HEADS_MAX })).toReversed();
  for (const [i, to] of heads.entries()) {
    if (to.day < from || to.day > until) continue;
    const written = await writeArchive(db, directory, { from: heads[i - 1] ?? null, to }, signal);
    if (written) yield written;
  }
}

/** @throws when the folder of the archive is not there */
export function checkDirectory(directory: string): void {
  // Not created: below a mount that is gone it would be on the disk of this machine.
  if (!existsSync(directory))
    throw new Error(`${directory} of LEDGER_ARCHIVE_TO does not exist: create or mount it`);
}

/**
 * Creates the job's work: writes what the directory lacks, and notes the months that are whole.
 * @param place `file:///DIRECTORY`
 */
export function createArchiver(db: Db, place: string): (signal: AbortSignal) => Promise<void> {
  const directory = fileURLToPath(place);
  return async (signal) => {
    checkDirectory(directory);
    const [newest] = await listHeads(db, { limit: 1 });
    try {
      for await (const _ of archivePeriods(db, directory, { signal }));
      if (newest) await recordArchivedMonths(db, newest.day);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
}
