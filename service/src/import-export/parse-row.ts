/** Checks a row by itself, and gives it the form in which it is staged. */
import { hash } from 'node:crypto';
import { createErrorFinder } from '../http/index.ts';
import { findPrivateKey } from '../lib/detect-private-key.ts';
import { isStorableText } from '../lib/exact-json.ts';
import { Failure, type FieldFailure } from '../lib/failures.ts';
import type { RawRow, ReadRow } from './read-rows.ts';
import type { RowReaders, RowValues } from './row-values.ts';
import { FILE_NAMES, type FileName, ROW_SCHEMAS } from './schemas.ts';

/** A correct row, ready to be compared with the other rows and with the database. */
export interface StagedRow extends RowValues {
  readonly file: FileName;
  readonly line: number;
  /** JSON of what is imported. */
  readonly text: string;
  /** 32 hexadecimal digits of the SHA-256 of `text`. */
  readonly digest: string;
}

export interface Reject extends FieldFailure {
  readonly file: FileName;
  readonly line: number;
}

const DIGEST_DIGITS = 32;
/** A shorter text holds no private key; most values are shorter. */
const KEY_LENGTH_MIN = 44;
/** Never keys of a chain, and of a form that may look like one. */
const NEVER_KEYS: ReadonlySet<string> = new Set(['password', 'key_thumbprint', 'node_id']);
/** May name a transaction of a chain, whose hash looks like a key in hexadecimal digits. */
const NAMES_TRANSACTION: ReadonlySet<string> = new Set(['id', 'reference', 'remark']);

function findTextProblems(row: RawRow): FieldFailure[] {
  const problems: FieldFailure[] = [];
  for (const [field, text] of Object.entries(row)) {
    if (!isStorableText(field) || !isStorableText(text))
      problems.push({ field, code: 'not_storable', message: 'contains NUL or a lone surrogate' });
    else if (text.includes('\ufffd'))
      problems.push({ field, code: 'not_utf8', message: 'is not UTF-8' });
    else if (text.length >= KEY_LENGTH_MIN && !NEVER_KEYS.has(field)) {
      const kind = findPrivateKey(text, NAMES_TRANSACTION.has(field) ? 'hash' : 'key');
      if (kind)
        problems.push({ field, code: 'private_key', message: `contains ${kind}: remove it` });
    }
  }
  return problems;
}

const finders = Object.fromEntries(
  FILE_NAMES.map((name) => [name, createErrorFinder(ROW_SCHEMAS[name])]),
) as Record<FileName, (row: unknown) => FieldFailure[]>;

function readValues(readers: RowReaders, file: FileName, row: RawRow): RowValues | FieldFailure[] {
  try {
    return readers[file](row as never);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [
      ...(error.details.fields ?? [{ field: 'row', code: error.code, message: error.message }]),
    ];
  }
}

/** Reads a row, or says everything that is wrong with it. */
export function parseRow(
  readers: RowReaders,
  file: FileName,
  { line, row, problem }: ReadRow,
): StagedRow | Reject[] {
  const reject = (problems: readonly FieldFailure[]): Reject[] =>
    problems.map((each) => ({ file, line, ...each }));
  if (!row) return reject(problem ? [problem] : []);
  const problems = [...findTextProblems(row), ...finders[file](row)];
  if (problems.length > 0) return reject(problems);
  const values = readValues(readers, file, row);
  if (Array.isArray(values)) return reject(values);
  const text = JSON.stringify(values.data);
  const digest = hash('sha256', text, 'hex').slice(0, DIGEST_DIGITS);
  return { ...values, file, line, text, digest };
}
