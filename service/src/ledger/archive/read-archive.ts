/** Reads the file of an archive, which may be from an attacker. */
import { openParquet, type ReadableParquet } from '../../lib/parquet.ts';
import { fromCells } from './archive-columns.ts';
import { type ArchiveLabel, LABEL, parseLabel } from './archive-label.ts';
import type { ArchivedRow } from './sealed-batch.ts';

/** Rows that are in memory at once. */
const ROWS_AT_ONCE = 20_000;

/** Consecutive rows of one seal. */
export interface RowGroup {
  readonly shard: number;
  readonly seal: number;
  readonly rows: readonly ArchivedRow[];
}

export interface ArchiveFile {
  readonly label: ArchiveLabel | undefined;
  /** The rows by seal; undefined for a row that no archive has. */
  readGroups(): AsyncGenerator<RowGroup | undefined>;
}

async function* readGroups(file: ReadableParquet): AsyncGenerator<RowGroup | undefined> {
  let group: { shard: number; seal: number; rows: ArchivedRow[] } | undefined;
  for (let start = 0; start < file.rows; start += ROWS_AT_ONCE) {
    for (const cells of await file.read({ start, end: start + ROWS_AT_ONCE })) {
      const row = fromCells(cells);
      if (!row) {
        yield undefined;
        continue;
      }
      const { shard, seal, ...archived } = row;
      if (group && (group.shard !== shard || group.seal !== seal)) {
        yield group;
        group = undefined;
      }
      group ??= { shard, seal, rows: [] };
      group.rows.push(archived);
    }
  }
  if (group) yield group;
}

/** @throws when it is no file of Apache Parquet */
export async function openArchive(path: string): Promise<ArchiveFile> {
  const file = await openParquet(path);
  const label = file.label(LABEL);
  return {
    label: label === undefined ? undefined : parseLabel(label),
    readGroups: () => readGroups(file),
  };
}
