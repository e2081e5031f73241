/** Reads the files of a folder, checks each row by itself, and stages what is correct. */
import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, Db } from '../db/index.ts';
import { checkImportedAddress, listNetworks, type Network } from '../deposits/index.ts';
import { Failure } from '../lib/failures.ts';
import { FileError } from './file-error.ts';
import { parseRow, type Reject, type StagedRow } from './parse-row.ts';
import { type RawRow, readRows } from './read-rows.ts';
import type { RowReaders } from './row-values.ts';
import { FILE_NAMES, type FileName, ROW_SCHEMAS } from './schemas.ts';
import { insertRejects, insertStaged } from './stage.ts';

export interface SourceFile {
  readonly name: FileName;
  readonly path: string;
}

/** What this program writes into the folder itself. */
const OWN_FILES: ReadonlySet<string> = new Set(['rejects.jsonl', 'certificate.json']);
export const MANIFEST = 'manifest.json';
const DATA_FILE = /^(.+)\.(csv|jsonl)$/;

/**
 * A link that came with the files of another could name any file of this machine, and a pipe never
 * ends.
 */
function requireRegularFile(folder: string, file: string): void {
  if (!lstatSync(join(folder, file)).isFile()) throw new FileError(`${file} is not a regular file`);
}

/** @throws FileError */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    throw new FileError(error instanceof Error ? error.message : String(error));
  }
}

/** The data files of a folder, in the order of application. @throws FileError */
export function findFiles(folder: string): SourceFile[] {
  const found = new Map<string, string>();
  for (const file of listFolder(folder)) {
    const isOwn = OWN_FILES.has(file) || file === MANIFEST;
    const name = isOwn ? undefined : DATA_FILE.exec(file)?.[1];
    if (isOwn || name !== undefined) requireRegularFile(folder, file);
    if (name === undefined) continue;
    if (!FILE_NAMES.includes(name as FileName))
      throw new FileError(`${file} is unknown; there are: ${FILE_NAMES.join(', ')}`);
    if (found.has(name)) throw new FileError(`${name} is there as CSV and as JSON Lines`);
    found.set(name, join(folder, file));
  }
  if (found.size === 0) throw new FileError(`${folder} has none of: ${FILE_NAMES.join(', ')}`);
  return FILE_NAMES.flatMap((name) => {
    const path = found.get(name);
    return path === undefined ? [] : [{ name, path }];
  });
}

/** What an export of this service says about itself. */
export interface Manifest {
  readonly product: 'edge-account';
  readonly pepper_id: string;
}

function isManifest(value: unknown): value is Manifest {
  return (
    typeof value === 'object' &&
    value !== null &&
    'product' in value &&
    value.product === 'edge-account' &&
    'pepper_id' in value &&
    typeof value.pepper_id === 'string'
  );
}

export function readManifest(folder: string): Manifest | undefined {
  if (!readdirSync(folder).includes(MANIFEST)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));
  } catch {
    throw new FileError(`${MANIFEST} is not JSON`);
  }
  if (!isManifest(value)) throw new FileError(`${MANIFEST} is not that of an export`);
  return value;
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

export interface FileCounts {
  readonly name: FileName;
  readonly rows: number;
  /** Older than `--since`. */
  readonly skipped: number;
  readonly sha256: string;
}

export interface StageContext {
  readonly database: Database;
  readonly readers: RowReaders;
  readonly since?: Date | undefined;
}

const PIECE_ROWS = 1000;

function isOlder(row: RawRow | undefined, since: Date | undefined): boolean {
  return (
    since !== undefined &&
    row?.updated_at !== undefined &&
    Date.parse(row.updated_at) < since.getTime()
  );
}

async function completeAddress(
  networks: ReadonlyMap<string, Network>,
  row: StagedRow,
): Promise<StagedRow | Reject[]> {
  const data = row.data as { network: string; address: string; xpub: string | null } & {
    derivation_index: number | null;
  };
  const reject = (field: string, code: string, message: string): Reject[] => [
    { file: row.file, line: row.line, field, code, message },
  ];
  const network = networks.get(data.network);
  if (!network) return reject('network', 'unknown_network', 'is unknown: add it first');
  try {
    const xpub = await checkImportedAddress(network, {
      ...data,
      derivationIndex: data.derivation_index,
    });
    const { family } = network;
    const text = JSON.stringify({ ...data, family, xpub });
    return { ...row, key: `${family}/${data.address.toLowerCase()}`, text };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return (error.details.fields ?? []).flatMap((each) =>
      reject(each.field, each.code, each.message),
    );
  }
}

interface Piece {
  readonly staged: readonly StagedRow[];
  readonly rejects: readonly Reject[];
}

async function insertPiece(db: Db, name: FileName, { staged, rejects }: Piece): Promise<void> {
  await insertStaged(db, name, staged);
  await insertRejects(db, rejects);
}

async function stageFile(
  { database, readers, since }: StageContext,
  { name, path }: SourceFile,
): Promise<FileCounts> {
  const networks = new Map((await listNetworks(database)).map((each) => [each.code, each]));
  let rows = 0;
  let skipped = 0;
  let staged: StagedRow[] = [];
  let rejects: Reject[] = [];
  let written = Promise.resolve();
  /** Writes what was read while the next rows are read. */
  const flush = async (): Promise<void> => {
    const piece = { staged, rejects };
    staged = [];
    rejects = [];
    await written;
    written = insertPiece(database, name, piece);
    // Awaited later; an error must not end the process before.
    written.catch(() => {});
  };
  for await (const read of readRows(path, Object.keys(ROW_SCHEMAS[name].properties))) {
    rows++;
    if (isOlder(read.row, since)) {
      skipped++;
      continue;
    }
    const parsed = parseRow(readers, name, read);
    const complete =
      name === 'deposit_addresses' && !Array.isArray(parsed)
        ? await completeAddress(networks, parsed)
        : parsed;
    if (Array.isArray(complete)) rejects.push(...complete);
    else staged.push(complete);
    if (staged.length + rejects.length >= PIECE_ROWS) await flush();
  }
  await flush();
  await written;
  return { name, rows, skipped, sha256: await hashFile(path) };
}

/** Stages all files; the staging tables exist. */
export async function stageFiles(
  context: StageContext,
  files: readonly SourceFile[],
): Promise<FileCounts[]> {
  const counts: FileCounts[] = [];
  for (const file of files) counts.push(await stageFile(context, file));
  return counts;
}
