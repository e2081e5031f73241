/** Archives every settled settlement: one file for each. */
import { existsSync, globSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { queryNamed } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { findSettlement } from '../settlements.ts';
import { type ArchiveDeps, writeArchive } from './write-archive.ts';

/** No file is written for so long: what is left is of a process that was killed. */
const UNFINISHED_KEPT_MS = 86_400_000;

/**
 * True of a settlement `b` that has to be archived. One without lines has nothing to archive. One
 * that an older version of the service made (leaves of format 2) does not name its reports: it
 * stays in the database.
 */
export const NOT_ARCHIVED = `state = 'settled' and lines > 0 and archived_at is null
    and not exists (select from reward_chunk where batch_id = b.id and leaf_format = 2)`;

const NEXT = `select id from reward_batch b
  where ${NOT_ARCHIVED} and id > :after order by id limit 1`;

export interface ArchiveJobDeps extends ArchiveDeps {
  readonly clock: Clock;
}

function deleteUnfinished(directory: string, now: Date): void {
  for (const name of globSync('rewards-*.unfinished', { cwd: directory })) {
    const path = join(directory, name);
    // Another instance may have deleted it meanwhile.
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat && now.getTime() - stat.mtimeMs > UNFINISHED_KEPT_MS)
      rmSync(path, { force: true, recursive: true });
  }
}

/** @throws when the folder of the archive is not there */
export function checkDirectory(directory: string): void {
  // Not created: below a mount that is gone it would be on the disk of this machine.
  if (!existsSync(directory))
    throw new Error(`${directory} of REWARD_ARCHIVE_TO does not exist: create or mount it`);
}

/**
 * Writes the files that are missing, the oldest first. A settlement that does not agree with its
 * root does not hold up the others.
 * @returns how many were written
 * @throws the first SettlementDisagrees, after the others were written
 */
export async function archiveSettlements(deps: ArchiveJobDeps): Promise<number> {
  const { db, clock, directory, signal } = deps;
  checkDirectory(directory);
  deleteUnfinished(directory, clock.now());
  const failures: unknown[] = [];
  let written = 0;
  for (let after = 0; ; ) {
    const { rows } = await queryNamed<{ id: number }>(db, NEXT, { after });
    const settlement = rows[0] && (await findSettlement(db, rows[0].id));
    if (!settlement || signal?.aborted) break;
    after = settlement.id;
    try {
      await writeArchive(deps, settlement);
      await queryNamed(db, 'update reward_batch set archived_at = :now where id = :id', {
        now: clock.now(),
        id: settlement.id,
      });
      written += 1;
    } catch (error) {
      if (signal?.aborted) break;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return written;
}
