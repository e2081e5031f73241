/** Files of Apache Parquet: written group by group, and read by ranges of rows. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  asyncBufferFromFile,
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

/** Writing a group takes some 20 ms, in which the instance answers no request. */
const ROWS_PER_GROUP = 2000;
/** No page of ours is larger; a file that says so is not read. */
const PAGE_MAX_BYTES = 256 * 1024 * 1024;

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
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [{ name: 'root', num_children: columns.length }, ...columns],
    codec: 'ZSTD',
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
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
      const file = openSync(path, 'r');
      fsyncSync(file);
      closeSync(file);
    },
  };
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
  const metadata = await parquetMetadataAsync(file);
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
