/** A small ledger with rows of every kind, and its archive in files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { parquetWriteFile } from 'hyparquet-writer';
import { COLUMNS, fromCells } from '../../src/ledger/archive/archive-columns.ts';
import { LABEL } from '../../src/ledger/archive/archive-label.ts';
import { computeLeaf } from '../../src/ledger/archive/sealed-batch.ts';
import {
  type ArchiveReport,
  archivePeriods,
  listLedgerKeys,
  postTransfers,
  signDailyHead,
  verifyArchives,
} from '../../src/ledger/index.ts';
import type { Engine } from '../support/databases.ts';
import { openTamperedLedger, type TamperedLedger } from './tampering-fixture.ts';

const DAY_MS = 86_400_000;

/** A row of a file: values by column. */
export type Row = Record<string, unknown>;
export type Checks = Parameters<typeof verifyArchives>[1];

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** Every row of a file, exactly, and its label. */
export async function readArchiveFile(path: string): Promise<{ rows: Row[]; label: string }> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const rows = await parquetReadObjects({
    file,
    metadata,
    utf8: false,
    parsers: { timestampFromMicroseconds: (micros) => micros },
    compressors: { ZSTD: (input) => zstdDecompressSync(input) },
  });
  const label = metadata.key_value_metadata?.find(({ key }) => key === LABEL)?.value ?? '';
  return { rows, label };
}

export function writeArchiveFile(path: string, rows: readonly Row[], label: string): void {
  parquetWriteFile({
    filename: path,
    columnData: COLUMNS.map(({ name }) => ({ name, data: rows.map((row) => row[name] ?? null) })),
    schema: [{ name: 'root', num_children: COLUMNS.length }, ...COLUMNS],
    codec: 'ZSTD',
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
    kvMetadata: [{ key: LABEL, value: label }],
  });
}

/** The row with the leaf that it must have, so that only the signed digest shows a change. */
export function withLeaf(row: Row): Row {
  const archived = fromCells(row);
  return archived ? { ...row, leaf: computeLeaf(archived.sealed) } : row;
}

export interface ArchivedLedger {
  readonly ledger: TamperedLedger;
  /** Names of its two files, the older one first; each kind of row is in the first one. */
  readonly files: readonly [string, string];
  /** Published keys. */
  readonly keys: Readonly<Record<string, unknown>>[];
  readonly directory: string;
  path(file: string): string;
  verify(files: readonly string[], checks?: Checks): Promise<ArchiveReport[]>;
  close(): Promise<void>;
}

/** Two days with postings, and one without between them. */
export async function openArchivedLedger(engine: Engine): Promise<ArchivedLedger> {
  const directory = await mkdtemp(join(tmpdir(), 'archive-'));
  const ledger = await openTamperedLedger(engine);
  const { database, clock } = ledger;
  clock.advance(DAY_MS);
  await signDailyHead(database);
  clock.advance(DAY_MS);
  await postTransfers(
    database,
    Array.from({ length: 40 }, (_, n) => ledger.reward(5000 + n)),
  );
  await signDailyHead(database);
  const written = await collect(archivePeriods(database, directory, {}));
  const [first = '', second = ''] = written.filter(({ rows }) => rows > 0).map(({ file }) => file);
  const path = (file: string): string => join(directory, file);
  return {
    ledger,
    directory,
    files: [first, second],
    keys: (await listLedgerKeys(database)).map(({ public_jwk }) => public_jwk),
    path,
    verify: (files, checks = {}) => collect(verifyArchives(files.map(path), checks)),
    close: async () => {
      await database.close();
      await rm(directory, { recursive: true });
    },
  };
}
