/** Writes what was rejected: file, line, field and reason, and the row to be corrected. */
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Db, queryNamed } from '../db/index.ts';
import { type RawRow, readRows } from './read-rows.ts';
import { ROW_SCHEMAS } from './schemas.ts';
import type { SourceFile } from './stage-file.ts';

export interface RejectedField {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

interface RejectedRow {
  readonly line: number;
  readonly problems: readonly RejectedField[];
}

const PAGE = 1000;
const PRIVATE = 0o600;
const LIST = `select line, json_agg(json_build_object('field', field, 'code', code, 'message',
    message) order by field, code) as problems
  from import_reject where file = :file and line > :after
  group by line order by line limit ${PAGE}`;

/** The rejected rows of a file in the order of lines. */
async function* listRejects(db: Db, file: string): AsyncGenerator<RejectedRow> {
  for (let after = -1; ; ) {
    const { rows } = await queryNamed<RejectedRow>(db, LIST, { file, after });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.line;
  }
}

/** Secrets are not copied: the password never, and nothing of a row with a private key. */
function withoutSecrets(row: RawRow, problems: readonly RejectedField[]): RawRow | undefined {
  if (problems.some(({ code }) => code === 'private_key')) return undefined;
  const { password: _, ...rest } = row;
  return rest;
}

async function* describeFile(db: Db, { name, path }: SourceFile): AsyncGenerator<string> {
  const rows = readRows(path, Object.keys(ROW_SCHEMAS[name].properties));
  for await (const { line, problems } of listRejects(db, name)) {
    let row: RawRow | undefined;
    for (;;) {
      const { value: read, done } = await rows.next();
      if (done) break;
      if (read.line < line) continue;
      row = read.row;
      break;
    }
    const shown = row && withoutSecrets(row, problems);
    yield `${JSON.stringify({ file: name, line, problems, ...(shown && { row: shown }) })}\n`;
  }
  await rows.return(undefined);
}

async function* describeAll(db: Db, files: readonly SourceFile[]): AsyncGenerator<string> {
  for (const file of files) yield* describeFile(db, file);
}

/** Opens a file to write; a file that was there, too, is readable by its owner only from now on. */
async function openPrivate(path: string): Promise<FileHandle> {
  const handle = await open(path, 'w', PRIVATE);
  if ((await handle.stat()).isFile()) await handle.chmod(PRIVATE);
  return handle;
}

/** Writes the rejects file, readable by its owner only. */
export async function writeRejects(
  db: Db,
  files: readonly SourceFile[],
  path: string,
): Promise<void> {
  const file = await openPrivate(path);
  await pipeline(Readable.from(describeAll(db, files)), file.createWriteStream());
}

/** The number of rejected rows by file. */
export async function countRejects(db: Db): Promise<Map<string, number>> {
  const { rows } = await db.query<{ file: string; count: number }>(
    'select file, count(distinct line)::int as count from import_reject group by file',
  );
  return new Map(rows.map(({ file, count }) => [file, count]));
}
