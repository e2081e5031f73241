/** Archives every period that is over: one file for each signed head. */
import type { Db } from '../../db/index.ts';
import { listHeads } from '../signed-heads.ts';
import { type WrittenArchive, writeArchive } from './write-archive.ts';

const HEADS_MAX = 100_000;

export interface ArchivedDays {
  /** First and last day whose heads are archived, `yyyy-MM-dd`; absent: all. */
  readonly from?: string;
  readonly until?: string;
}

/**
 * Writes the files that a directory lacks, the oldest first; those that are there stay as they are.
 * @returns what each of the written files has
 * @throws LedgerDisagrees when the ledger does not agree with its seals or heads
 */
export async function* archivePeriods(
  db: Db,
  directory: string,
  { from = '', until = '9999-12-31' }: ArchivedDays,
): AsyncGenerator<WrittenArchive> {
  const heads = (await listHeads(db, HEADS_MAX)).toReversed();
  for (const [i, to] of heads.entries()) {
    if (to.day < from || to.day > until) continue;
    const written = await writeArchive(db, directory, { from: heads[i - 1] ?? null, to });
    if (written) yield written;
  }
}
