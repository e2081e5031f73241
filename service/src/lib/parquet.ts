/** Files of Apache Parquet: written group by group, and read by ranges of rows. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  type ParquetQueryFilter,
  parquetMetadataAsync,
  parquetRead,
  type SchemaElement,
} from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';

export type Cell = bigint | string | boolean | Buffer | null;
/** A row as it is written; columns that are left out are null. */
export type Cells = Readonly<Record<string, Cell>>;
/** A row as a file has it, which may be from an attacker: any column may hold any value. */
export type FileRow = Readonly<Record<string, unknown>>;

/** Writing a group takes some 40 ms, in which the instance answers no request. */
const ROWS_PER_GROUP = 2000;
/** 7 % smaller than by default, in 16 ms more for a group; higher levels gain nothing. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 15 } };
/** No page and no footer of ours is larger; a file that says so is not read. */
const PAGE_MAX_BYTES = 256 * 1024 * 1024;
const FOOTER_MAX_BYTES = 64 * 1024 * 1024;
/** The length of the footer, and the four letters behind it. */
const END_BYTES = 8;
/** As confidential as the database: for the service and its group. */
const FILE_MODE = 0o640;

const column = (name: string, element: Partial<SchemaElement>): SchemaElement => ({
  name,
  repetition_type: 'OPTIONAL',
  ...element,
});
export const textColumn = (name: string): SchemaElement =>
  column(name, { type: 'BYTE_ARRAY', converted_type: 'UTF8' });
export const bytesColumn = (name: string): SchemaElement => column(name, { type: 'BYTE_ARRAY' });
export const integerColumn = (name: string): SchemaElement => column(name, { type: 'INT64' });
export const timeColumn = (name: string): SchemaElement =>
  column(name, { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' });
export const flagColumn = (name: string): SchemaElement => column(name, { type: 'BOOLEAN' });

export interface ParquetFile {
  add(row: Cells): Promise<void>;
  /** Ends the file, on the disk, with a text in its metadata. */
  finish(label: { readonly key: string; readonly value: string }): Promise<void>;
}

/**
 * A file that is filled row by row.
 * @param searched columns by whose least and greatest value a reader finds a group
 */
export function createParquetFile(
  path: string,
  columns: readonly SchemaElement[],
  searched: readonly string[] = [],
): ParquetFile {
  writeFileSync(path, '', { mode: FILE_MODE });
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [{ name: 'root', num_children: columns.length }, ...columns],
    codec: 'ZSTD',
    compressors: { ZSTD: (input) => zstdCompressSync(input, COMPRESSION) },
    createdBy: 'edge-account',
  });
  let group: Cells[] = [];
  const flush = async (): Promise<void> => {
    const rows = group;
    group = [];
    await writer.write({
      columnData: columns.map(({ name, type }) => ({
        name,
        // Numbers that follow one another take hardly any room as differences.
        ...(type === 'INT64' && { encoding: 'DELTA_BINARY_PACKED' as const }),
        data: rows.map((row) => row[name] ?? null),
        offsetIndex: false,
        // With small groups they would be a large part of the file.
        statistics: searched.includes(name),
      })),
      rowGroupSize: ROWS_PER_GROUP,
    });
  };
  return {
    add: async (row) => {
      group.push(row);
      if (group.length === ROWS_PER_GROUP) await flush();
    },
    finish: async ({ key, value }) => {
      if (group.length > 0) await flush();
      writer.kvMetadata = [{ key, value }];
      await writer.finish();
      syncToDisk(path);
    },
  };
}

function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

/** Gives a finished file its name, also after a loss of power. */
export function publishFile(unfinished: string, path: string): void {
  renameSync(unfinished, path);
  syncToDisk(dirname(path));
}

/** Reads the footer of a file, which may be from an attacker: not one that no file of ours has. */
async function readFooter(file: AsyncBuffer): Promise<FileMetaData> {
  const end = new DataView(await file.slice(Math.max(0, file.byteLength - END_BYTES)));
  const length = end.byteLength === END_BYTES ? end.getUint32(0, true) : 0;
  if (length > Math.min(FOOTER_MAX_BYTES, file.byteLength))
    throw new Error('its footer is too long');
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: length + END_BYTES });
  if (metadata.row_groups.some(({ num_rows }) => num_rows > ROWS_PER_GROUP))
    throw new Error('its groups have too many rows');
  return metadata;
}

export interface RowRange {
  /** From 0. */
  readonly start: number;
  /** Not included. */
  readonly end: number;
  /** Only rows with these values; groups that cannot have any are not read. */
  readonly filter?: ParquetQueryFilter;
}

export interface ReadableParquet {
  readonly rows: number;
  /** The text under a key of the metadata. */
  label(key: string): string | undefined;
  read(range: RowRange): Promise<FileRow[]>;
}

/** @throws when it is no file of Apache Parquet */
export async function openParquet(path: string): Promise<ReadableParquet> {
  const file = await asyncBufferFromFile(path);
  const metadata = await readFooter(file);
  const rows = Number(metadata.num_rows);
  return {
    rows,
    label: (key) => metadata.key_value_metadata?.find((pair) => pair.key === key)?.value,
    read: async ({ start, end, filter }) => {
      let read: FileRow[] = [];
      await parquetRead({
        file,
        metadata,
        rowStart: start,
        rowEnd: Math.min(end, rows),
        rowFormat: 'object',
        ...(filter && { filter }),
        // Bytes stay bytes, and times exact.
        utf8: false,
        parsers: { timestampFromMicroseconds: (micros) => micros },
        compressors: {
          ZSTD: (input, length) =>
            zstdDecompressSync(input, { maxOutputLength: Math.min(length + 1, PAGE_MAX_BYTES) }),
        },
        onComplete: (found) => {
          read = found;
        },
      });
      return read;
    },
  };
}

/** Whether a file has a value as it is written: each row is written in one way. */
export function isSameCell(value: unknown, cell: Cell): boolean {
  if (cell instanceof Uint8Array) return value instanceof Uint8Array && cell.equals(value);
  return (value ?? null) === cell;
}
