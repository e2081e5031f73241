/** Writes everything that users have into the files that an import takes. */
import { createWriteStream, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Database, queryNamed, type Transaction } from '../db/index.ts';
import { createPasswordImport } from '../identity/index.ts';
import type { MasterKey } from '../master-key.ts';
import { EXPORT_QUERIES } from './export-queries.ts';
import { FileError } from './file-error.ts';
import { FILE_NAMES, type FileName, ROW_SCHEMAS } from './schemas.ts';
import { hashFile } from './stage-file.ts';
import { MANIFEST } from './stage-files.ts';
import { unlimited } from './stage-sql.ts';

export type ExportFormat = 'csv' | 'jsonl';

export interface ExportOptions {
  /** Must be empty or missing. */
  readonly folder: string;
  readonly format: ExportFormat;
  /** Without the history, balances alone are opening balances. */
  readonly hasBills: boolean;
}

export interface ExportedFile {
  readonly name: FileName;
  readonly rows: number;
  readonly sha256: string;
}

type TextRow = Readonly<Record<string, string | null>> & { key_1: number; key_2: number };

/** Exact (RFC 4180): a formula stays what it is, because programs read these files. */
function toCsvField(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function toLine(format: ExportFormat, columns: readonly string[], row: TextRow): string {
  if (format === 'csv') return `${columns.map((name) => toCsvField(row[name] ?? '')).join(',')}\n`;
  const members = columns.flatMap((name) => (row[name] ? [[name, row[name]]] : []));
  return `${JSON.stringify(Object.fromEntries(members))}\n`;
}

interface Output {
  readonly name: FileName;
  readonly format: ExportFormat;
  /** Counts the rows as they are written. */
  onRow(): void;
}

async function* renderFile(
  tx: Transaction,
  { name, format, onRow }: Output,
): AsyncGenerator<string> {
  const columns = Object.keys(ROW_SCHEMAS[name].properties).filter(
    (column) => column !== 'updated_at' && column !== 'as_of',
  );
  if (format === 'csv') yield `${columns.join(',')}\n`;
  for (let place = { key_1: 0, key_2: 0 }; ; ) {
    const { rows } = await queryNamed<TextRow>(tx, EXPORT_QUERIES[name], place);
    const last = rows.at(-1);
    if (!last) return;
    let text = '';
    for (const row of rows) {
      text += toLine(format, columns, row);
      onRow();
    }
    yield text;
    place = { key_1: last.key_1, key_2: last.key_2 };
  }
}

async function writeFile(
  tx: Transaction,
  { folder, format }: ExportOptions,
  name: FileName,
): Promise<ExportedFile> {
  const path = join(folder, `${name}.${format}`);
  let rows = 0;
  const onRow = (): void => {
    rows++;
  };
  const output = createWriteStream(path, { mode: 0o600, flags: 'wx' });
  await pipeline(Readable.from(renderFile(tx, { name, format, onRow })), output);
  return { name, rows, sha256: await hashFile(path) };
}

function prepare(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).length > 0) throw new FileError(`${folder} is not empty`);
}

/** What no file has: its money is part of the balances, and no import settles it. */
export interface UnderWay {
  /** Open holds, those of payouts included. */
  readonly holds: number;
  /** Payouts that were not paid, given back or refused yet. */
  readonly payouts: number;
}

export interface Exported {
  readonly files: readonly ExportedFile[];
  readonly underWay: UnderWay;
}

async function countUnderWay(tx: Transaction): Promise<UnderWay> {
  const { rows } = await tx.query<UnderWay>(
    `select (select count(*)::int from hold where state = 'open') as holds,
       (select count(*)::int from payout
        where status in ('requested', 'in_review', 'approved', 'signed', 'sent')) as payouts`,
  );
  return rows[0] ?? { holds: 0, payouts: 0 };
}

/**
 * Exports everything of one moment. The manifest is written last: a folder without it is not
 * complete.
 * @throws FileError when the folder is not empty
 */
export async function runExport(
  database: Database,
  masterKey: MasterKey,
  options: ExportOptions,
): Promise<Exported> {
  const { folder, hasBills } = options;
  prepare(folder);
  const names = FILE_NAMES.filter((name) => hasBills || name !== 'bills');
  const files: ExportedFile[] = [];
  let underWay: UnderWay = { holds: 0, payouts: 0 };
  await unlimited(database, async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    for (const name of names) files.push(await writeFile(tx, options, name));
    underWay = await countUnderWay(tx);
  });
  const manifest = {
    product: 'edge-account',
    pepper_id: createPasswordImport(masterKey).pepperId,
    files,
    under_way: underWay,
  };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  return { files, underWay };
}
