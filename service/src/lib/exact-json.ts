/**
 * JSON with exact decimals. An `ExactDecimal` prints its token unchanged: as a number, or, where
 * the caller asked with `Prefer: amounts=string`, as a string. Parsing keeps the source text of the
 * fields that carry money.
 */
import { failure, fieldError } from './failures.ts';
import { findRepeatedMember, measureJson } from './json-members.ts';
import { formatAmount } from './money.ts';

/**
 * A decimal that is printed digit by digit and never becomes a double: what `JSON.rawJSON` makes.
 */
export interface ExactDecimal {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    rawJSON(text: string): ExactDecimal;
    isRawJSON(value: unknown): value is ExactDecimal;
  }
}

/**
 * An amount of minor units, ready for a response body.
 * @param minor an integer, or its digits as the database prints them
 */
export function exactAmount(minor: bigint | string, scale: number): ExactDecimal {
  return JSON.rawJSON(formatAmount(minor, scale));
}

/** Bytes as gigabytes of 10^9 bytes, exact. */
export function exactGigabytes(bytes: bigint): ExactDecimal {
  return exactAmount(bytes, 9);
}

/** A member of a response body as plain text, for CSV. */
export function toPlainText(value: unknown): string {
  return JSON.isRawJSON(value) ? value.rawJSON : String(value);
}

function replaceByString(_key: string, value: unknown): unknown {
  return JSON.isRawJSON(value) ? value.rawJSON : value;
}

/** Serializes a response body; `asStrings` prints every exact decimal as a string. */
export function stringifyExact(body: unknown, asStrings = false): string {
  return asStrings ? JSON.stringify(body, replaceByString) : JSON.stringify(body);
}

/**
 * Body fields whose number tokens are kept as text, so that `1.10` or 2^60+1 arrive as they were
 * written.
 */
const DECIMAL_FIELDS: ReadonlySet<string> = new Set([
  'amount',
  'price',
  'rate',
  'min_deposit',
  'fee',
  'limit_amount',
  'percent',
]);

/**
 * The text of a body field in one form: `1.50` as `1.5`, and `1.0` as `1`, because zeros at the end
 * of a fraction mean nothing. Text that is no amount is returned as it is.
 */
export function trimDecimal(text: string, field: string): string {
  if (!DECIMAL_FIELDS.has(field)) return text;
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

/** Keys that would reach an object's prototype. */
const POISON: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** True for text that can be stored: no NUL (PostgreSQL refuses it), no lone surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function isFieldName(key: string): boolean {
  return !POISON.has(key) && isStorableText(key);
}

/**
 * The field of an object or list, at any depth, whose text cannot be stored, or the object that has
 * a field of such a name.
 */
export function findUnstorable(value: unknown, field: string): string | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : field;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    if (!isFieldName(key)) return field;
    const found = findUnstorable(member, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Recursive readers of a body need a bound; no schema of the service nests this deep. */
const NESTING_MAX = 32;

/** Parsers differ in which of two members with one name they take, so a name must be unique. */
function refuseRepeated(text: string): never {
  const name = findRepeatedMember(text) ?? '';
  const fields = [
    { field: name, code: 'repeated', message: 'appears more than once in one object' },
  ];
  throw failure('malformed_body', {
    detail: 'A member appears more than once in one object.',
    fields,
  });
}

/**
 * Parses a request body; number tokens of money fields come out as strings. `allowsUnstorableText`:
 * the reader of the body looks for text and names of fields that cannot be stored by itself.
 * @throws SyntaxError on bad JSON; `malformed_body` on a repeated member or too deep nesting;
 *   `invalid_parameter` on text that cannot be stored
 */
export function parseExact(text: string, allowsUnstorableText = false): unknown {
  const { depth, members } = measureJson(text);
  if (depth > NESTING_MAX)
    throw failure('malformed_body', {
      detail: `The body is nested deeper than ${NESTING_MAX} levels.`,
    });
  // The root is a member, too, of an object around it.
  let seen = -1;
  const value: unknown = JSON.parse(text, function (
    this: unknown,
    key: string,
    value: unknown,
    context?: { source?: string },
  ) {
    if (!Array.isArray(this)) seen++;
    if (!allowsUnstorableText && POISON.has(key))
      throw new SyntaxError(`the key ${key} is not allowed`);
    if (!allowsUnstorableText && !isStorableText(key))
      throw new SyntaxError('a key contains NUL or a lone surrogate');
    if (typeof value === 'string' && !allowsUnstorableText && !isStorableText(value))
      throw fieldError(key, 'not_storable', 'contains NUL or a lone surrogate');
    return typeof value === 'number' && DECIMAL_FIELDS.has(key) && context?.source !== undefined
      ? context.source
      : value;
  } as (key: string, value: unknown) => unknown);
  if (seen !== members) refuseRepeated(text);
  return value;
}

/**
 * Parses JSON of the database: a number that a double cannot hold keeps its digits, for
 * `stringifyExact`.
 */
export function parseStored(text: string): unknown {
  return JSON.parse(text, ((_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? JSON.rawJSON(context.source)
      : value) as (key: string, value: unknown) => unknown);
}
