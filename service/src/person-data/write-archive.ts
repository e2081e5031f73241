/**
 * Everything that is kept about a user as a ZIP of JSON Lines, written while it is sent. Each page
 * is a statement of its own: a slow reader holds no connection, and memory does not grow with the
 * rows.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { type Db, executeUnprepared, transaction } from '../db/index.ts';
import { openOfUser } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { describeColumns } from './describe-columns.ts';
import { PERSON_FILES } from './files.ts';
import { LEFT_OUT } from './left-out.ts';
import {
  PAGE_ROWS,
  type PersonFile,
  type Place,
  pageQuery,
  pageValues,
  WITHOUT_SORT,
} from './person-file.ts';

interface PageRow {
  readonly line: string;
  readonly place: readonly string[];
  readonly sealed?: Buffer | null;
}

/** The lines of a page, with what is encrypted in them. */
async function openLines(
  db: Db,
  { isSealed }: PersonFile,
  userId: number,
  rows: readonly PageRow[],
): Promise<string[]> {
  if (!isSealed) return rows.map(({ line }) => line);
  const sealed = rows.map((row) => row.sealed ?? null);
  const opened = await openOfUser<object>(db, userId, sealed);
  return rows.map(({ line }, i) =>
    opened[i] ? JSON.stringify({ ...(JSON.parse(line) as object), ...opened[i] }) : line,
  );
}

/** One page, in a statement or transaction of its own. */
async function readPage(
  db: Db,
  file: PersonFile,
  userId: number,
  place: Place | undefined,
): Promise<PageRow[]> {
  const query = pageQuery(file, place === undefined);
  const values = pageValues(userId, place);
  if (!file.readsInOrder) return (await executeUnprepared<PageRow>(db, query, values)).rows;
  return transaction(db, async (tx) => {
    await tx.query(WITHOUT_SORT);
    return (await executeUnprepared<PageRow>(tx, query, values)).rows;
  });
}

async function* readLines(
  db: Db,
  file: PersonFile,
  userId: number,
  onRows: (count: number) => void,
): AsyncGenerator<string> {
  for (let place: Place | undefined; ; ) {
    const rows = await readPage(db, file, userId, place);
    onRows(rows.length);
    if (rows.length > 0) yield `${(await openLines(db, file, userId, rows)).join('\n')}\n`;
    if (rows.length < PAGE_ROWS) return;
    place = rows.at(-1)?.place;
  }
}

const README = `Everything that is kept about your account.

NAME.jsonl: one JSON object a line, UTF-8. manifest.json: the files with their content and number of
rows, columns that are left out, and the tables that refer to you and are not here, each with the
reason. schemas/NAME.schema.json: the JSON Schema of a line.

Times are ISO 8601. Amounts are decimal texts in units of the currency, unless the file says
otherwise.
`;

function describeFile({ name, description, omitted }: PersonFile, rows: number) {
  return { file: `${name}.jsonl`, description, rows, left_out: omitted };
}

interface ArchiveRequest {
  readonly userId: number;
  readonly clock: Clock;
  /** The archive cannot be completed; the stream is destroyed, too. */
  onError(error: unknown): void;
}

/** Opens the archive; it is read from the database as the stream is read. */
export function openArchive(db: Db, { userId, clock, onError }: ArchiveRequest): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const mtime = clock.now();
  const counts = new Map<string, number>();
  let source: Readable | undefined;

  const fail = (error: unknown): void => {
    onError(error);
    output.destroy(error instanceof Error ? error : new Error('the archive failed'));
  };
  zip.on('error', fail);
  output.once('close', () => source?.destroy());

  function add(name: string, lines: () => AsyncGenerator<string>): void {
    zip.addReadStreamLazy(name, { mtime, mode: 0o100600 }, (use) => {
      source = Readable.from(lines());
      source.once('error', fail);
      use(null, source);
    });
  }
  async function* writeManifest(): AsyncGenerator<string> {
    const files = PERSON_FILES.map((file) => describeFile(file, counts.get(file.name) ?? 0));
    const read = { from: mtime.toISOString(), to: clock.now().toISOString() };
    const manifest = { version: 1, user_id: userId, read, files, not_here: LEFT_OUT };
    yield `${JSON.stringify(manifest, null, 2)}\n`;
  }
  async function* writeSchema(file: PersonFile): AsyncGenerator<string> {
    yield `${JSON.stringify(await describeColumns(db, file), null, 2)}\n`;
  }

  zip.addBuffer(Buffer.from(README), 'README.txt', { mtime, mode: 0o100600 });
  for (const file of PERSON_FILES) {
    const onRows = (rows: number): void => {
      counts.set(file.name, (counts.get(file.name) ?? 0) + rows);
    };
    add(`schemas/${file.name}.schema.json`, () => writeSchema(file));
    add(`${file.name}.jsonl`, () => readLines(db, file, userId, onRows));
  }
  add('manifest.json', writeManifest);
  zip.end();
  return output;
}
