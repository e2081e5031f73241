/** Compares the file of a settlement with its root in the database. */
import { join } from 'node:path';
import type { Settlement } from '../settlements.ts';
import type { ArchiveKey } from './archive-label.ts';
import { verifyArchivedSettlement } from './verify-archive.ts';
import { archiveFileOf } from './write-archive.ts';

export interface ArchivePlace {
  /** Folder of the archive. */
  readonly directory: string;
  /** Public keys that sign files. */
  readonly keys: readonly ArchiveKey[];
}

/** @returns what is wrong, as text; undefined: the file has the settlement */
export async function findFileProblem(
  { directory, keys }: ArchivePlace,
  settlement: Settlement,
): Promise<string | undefined> {
  const path = join(directory, archiveFileOf(settlement));
  try {
    const report = await verifyArchivedSettlement(path, keys);
    const [problem] = report?.problems ?? ['is no archive of a settlement'];
    if (problem !== undefined) return `${path} ${problem}`;
    const isSame =
      report?.settlement?.id === settlement.id &&
      report.settlement.root === settlement.root?.toString('hex');
    return isSame ? undefined : `${path} has another settlement`;
  } catch (error) {
    return `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
