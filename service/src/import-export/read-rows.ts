/** Reads the rows of a file, CSV (RFC 4180) or JSON Lines; says which rows cannot be read. */
import { type CsvError, parse } from 'csv-parse/sync';
import { parseExact } from '../lib/exact-json.ts';
import type { FieldFailure } from '../lib/failures.ts';
import { type Batch, cutRecords } from './cut-records.ts';
import { FileError } from './file-error.ts';
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

const problemOf = (code: string, message: string): FieldFailure => ({
  field: 'row',
  code,
  message,
});

/** A member named `__proto__` stays one, and is refused as every unknown one. */
const dropEmpty = (record: RawRow): RawRow =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== ''));

function countBreaks(record: RawRow): number {
  let count = 0;
  for (const name in record) {
    const value = record[name] ?? '';
    if (value.includes('\n')) count += value.split('\n').length - 1;
  }
  return count;
}

const UNREAD = {
  too_long: problemOf('too_long', `is longer than ${ROW_LENGTH_MAX} bytes`),
  unclosed_quote: problemOf(
    'unclosed_quote',
    'has a quote that is not closed: the rest is not read',
  ),
} as const;

function describeError(error: CsvError | undefined): FieldFailure {
  return error?.code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
    ? problemOf('columns', 'has another number of columns than the header')
    : problemOf('malformed', 'is not valid CSV');
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

/** @param columns names, or a function that reads them from the first record */
function parseBatch(
  { line: first, lineEnds }: Batch,
  content: Buffer,
  columns: string[] | ((header: string[]) => string[]),
): ReadRow[] {
  const found: ReadRow[] = [];
  const lineAt = (lines: number): number => first + lines - 1;
  parse(content, {
    columns,
    record_delimiter: [...lineEnds],
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_record: (record: RawRow, { lines }) => {
      found.push({ line: lineAt(lines) - countBreaks(record), row: dropEmpty(record) });
      return undefined;
    },
    on_skip: (error) => {
      const line = lineAt(Number(error?.lines ?? 1));
      // A record may have several errors.
      if (found.at(-1)?.line !== line) found.push({ line, problem: describeError(error) });
      return undefined;
    },
  });
  return found;
}

async function* readCsv(path: string, columns: readonly string[]): AsyncGenerator<ReadRow> {
  let names: string[] | undefined;
  const readHeader = (header: string[]): string[] => {
    names = checkHeader(path, header, columns);
    return names;
  };
  for await (const batch of cutRecords(path)) {
    const { line, content } = batch;
    if (typeof content !== 'string') yield* parseBatch(batch, content, names ?? readHeader);
    else if (names) yield { line, problem: UNREAD[content] };
    else throw new FileError(`${path}: the header ${UNREAD[content].message}`);
  }
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
