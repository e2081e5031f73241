/** Reads the rows of a file, CSV (RFC 4180) or JSON Lines; says which rows cannot be read. */
import { createReadStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { type CsvError, parse } from 'csv-parse';
import { parseExact } from '../lib/exact-json.ts';
import type { FieldFailure } from '../lib/failures.ts';
import { ROW_LENGTH_MAX, readLines } from './read-lines.ts';

/** A row as it was read: every value is text, and an empty one is absent. */
export type RawRow = Readonly<Record<string, string>>;

export interface ReadRow {
  /** Line of the file in which the row begins, from 1. */
  readonly line: number;
  readonly row?: RawRow;
  /** Why it could not be read. */
  readonly problem?: FieldFailure;
}

/** The file as a whole cannot be read. */
export class FileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

const problemOf = (code: string, message: string): FieldFailure => ({
  field: 'row',
  code,
  message,
});

function dropEmpty(record: RawRow): RawRow {
  const row: Record<string, string> = {};
  for (const name in record) if (record[name] !== '') row[name] = record[name] ?? '';
  return row;
}

function countBreaks(record: RawRow): number {
  let count = 0;
  for (const name in record) {
    const value = record[name] ?? '';
    if (value.includes('\n')) count += value.split('\n').length - 1;
  }
  return count;
}

const CSV_PROBLEMS: Readonly<Record<string, [code: string, message: string]>> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: ['columns', 'has another number of columns than the header'],
  CSV_MAX_RECORD_SIZE: ['too_long', `is longer than ${ROW_LENGTH_MAX} characters`],
  CSV_QUOTE_NOT_CLOSED: ['unclosed_quote', 'has a quote that is not closed: the rest is not read'],
};

/** @param next the line after the last record */
function toProblem(error: CsvError | undefined, next: number): ReadRow {
  const [code, message] = CSV_PROBLEMS[error?.code ?? ''] ?? ['malformed', 'is not valid CSV'];
  // The parser counts the lines that it has read, and an open quote takes all that follow.
  const line = code === 'unclosed_quote' ? next : Number(error?.lines ?? 0);
  return { line, problem: problemOf(code, message) };
}

function checkHeader(path: string, header: readonly string[], known: readonly string[]): string[] {
  const names = header.map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new FileError(
      `${path}: the column ${JSON.stringify(unknown)} is unknown; there are: ${known.join(', ')}`,
    );
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw new FileError(`${path}: the column ${repeated} is there twice`);
  return names;
}

/**
 * Writes to the parser chunk by chunk: a stream that reads ahead until a record can be read would
 * hold all problems of a file that has no valid record.
 */
async function* readCsv(path: string, columns: readonly string[]): AsyncGenerator<ReadRow> {
  const found: ReadRow[] = [];
  let lines = 1;
  const parser = parse({
    bom: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: ROW_LENGTH_MAX,
    columns: (header: string[]) => checkHeader(path, header, columns),
    on_record: (record: RawRow, context) => {
      ({ lines } = context);
      found.push({ line: lines - countBreaks(record), row: dropEmpty(record) });
      return undefined;
    },
    on_skip: (error) => {
      found.push(toProblem(error, lines + 1));
      return undefined;
    },
  });
  // No record is left in the stream; an error rejects the write, or the end.
  parser.resume().on('error', () => undefined);
  const write = (chunk: Buffer) =>
    new Promise<void>((resolve, reject) => {
      parser.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
  for await (const chunk of createReadStream(path)) {
    await write(chunk);
    yield* found.splice(0);
  }
  parser.end();
  await finished(parser);
  yield* found;
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function readJson(text: string): RawRow | undefined {
  const value = parseExact(text, true);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return dropEmpty(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toText(member)])),
  );
}

async function* readJsonLines(path: string): AsyncGenerator<ReadRow> {
  for await (const { number: line, text } of readLines(path)) {
    if (text?.trim() === '') continue;
    if (text === undefined) {
      yield { line, problem: problemOf('too_long', 'is too long') };
      continue;
    }
    try {
      const row = readJson(text);
      yield row ? { line, row } : { line, problem: problemOf('malformed', 'is not a JSON object') };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      yield { line, problem: problemOf('malformed', `is not a JSON object: ${reason}`) };
    }
  }
}

/**
 * Reads the rows of a file in their order.
 * @param columns names that the file may have
 * @throws FileError on an unknown or repeated column of the header
 */
export function readRows(path: string, columns: readonly string[]): AsyncGenerator<ReadRow> {
  return path.endsWith('.csv') ? readCsv(path, columns) : readJsonLines(path);
}
