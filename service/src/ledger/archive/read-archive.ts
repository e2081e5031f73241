/** Reads the file of an archive, which may be from an attacker. */
import { zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
} from 'hyparquet';
import { type FileRow, fromCells } from './archive-columns.ts';
import { type ArchiveLabel, LABEL, parseLabel } from './archive-label.ts';
import type { ArchivedRow } from './sealed-batch.ts';

/** Rows that are in memory at once. */
const ROWS_AT_ONCE = 20_000;
/** No page of ours is larger; a file that says so is not read. */
const PAGE_MAX_BYTES = 256 * 1024 * 1024;

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

async function readRows(
  file: AsyncBuffer,
  metadata: FileMetaData,
  rowStart: number,
): Promise<FileRow[]> {
  let read: FileRow[] = [];
  await parquetRead({
    file,
    metadata,
    rowStart,
    rowEnd: Math.min(rowStart + ROWS_AT_ONCE, Number(metadata.num_rows)),
    rowFormat: 'object',
    // Bytes stay bytes, and times exact.
    utf8: false,
    parsers: { timestampFromMicroseconds: (micros) => micros },
    compressors: {
      ZSTD: (input, length) =>
        zstdDecompressSync(input, { maxOutputLength: Math.min(length + 1, PAGE_MAX_BYTES) }),
    },
    onComplete: (rows) => {
      read = rows;
    },
  });
  return read;
}

async function* readGroups(
  file: AsyncBuffer,
  metadata: FileMetaData,
): AsyncGenerator<RowGroup | undefined> {
  let group: { shard: number; seal: number; rows: ArchivedRow[] } | undefined;
  for (let start = 0; start < Number(metadata.num_rows); start += ROWS_AT_ONCE) {
    for (const cells of await readRows(file, metadata, start)) {
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
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const label = metadata.key_value_metadata?.find(({ key }) => key === LABEL)?.value;
  return {
    label: label === undefined ? undefined : parseLabel(label),
    readGroups: () => readGroups(file, metadata),
  };
}
