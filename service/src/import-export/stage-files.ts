/** Finds the files of a folder, and stages them. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileError } from './file-error.ts';
import { FILE_NAMES, type FileName } from './schemas.ts';
import { type FileCounts, type SourceFile, type StageContext, stageFile } from './stage-file.ts';

/** What this program writes into the folder itself. */
const OWN_FILES: ReadonlySet<string> = new Set(['rejects.jsonl', 'certificate.json']);
export const MANIFEST = 'manifest.json';
const MANIFEST_MAX_BYTES = 65_536;
const SCHEMA_FILE = /\.schema\.json$/;
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

/** Balances that are left out because their file has another ending would be noticed late. */
function requireReadable(file: string, found: ReadonlyMap<string, string>): void {
  const name = (file.split('.')[0] ?? '').toLowerCase();
  if (!FILE_NAMES.includes(name as FileName) || found.has(name) || SCHEMA_FILE.test(file)) return;
  throw new FileError(`${file} is not read: name it ${name}.csv or ${name}.jsonl`);
}

/** The data files of a folder, in the order of application. @throws FileError */
export function findFiles(folder: string): SourceFile[] {
  const found = new Map<string, string>();
  const listed = listFolder(folder);
  for (const file of listed) {
    const isOwn = OWN_FILES.has(file) || file === MANIFEST;
    const name = isOwn ? undefined : DATA_FILE.exec(file)?.[1];
    if (isOwn || name !== undefined) requireRegularFile(folder, file);
    if (name === undefined) continue;
    if (!FILE_NAMES.includes(name as FileName))
      throw new FileError(`${file} is unknown; there are: ${FILE_NAMES.join(', ')}`);
    if (found.has(name)) throw new FileError(`${name} is there as CSV and as JSON Lines`);
    found.set(name, join(folder, file));
  }
  for (const file of listed) requireReadable(file, found);
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
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
}

function isManifest(value: unknown): value is Manifest {
  return (
    typeof value === 'object' &&
    value !== null &&
    'product' in value &&
    value.product === 'edge-account' &&
    'pepper_id' in value &&
    typeof value.pepper_id === 'string' &&
    'files' in value &&
    Array.isArray(value.files)
  );
}

export function readManifest(folder: string): Manifest | undefined {
  if (!readdirSync(folder).includes(MANIFEST)) return undefined;
  const path = join(folder, MANIFEST);
  if (lstatSync(path).size > MANIFEST_MAX_BYTES) throw new FileError(`${MANIFEST} is too large`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new FileError(`${MANIFEST} is not JSON`);
  }
  if (!isManifest(value)) throw new FileError(`${MANIFEST} is not that of an export`);
  return value;
}

/** An incomplete copy of an export would lose users and money. @throws FileError */
export function checkManifest({ files }: Manifest, counts: readonly FileCounts[]): void {
  for (const { name, sha256 } of files) {
    if (counts.find((each) => each.name === name)?.sha256 !== sha256)
      throw new FileError(
        `${name} is not the file of ${MANIFEST}: copy the export again; if you edited it, remove ` +
          'it from `files` there',
      );
  }
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
