/** How long a JSON document can be that a schema lets pass: what a route must read before it can judge. */
import type { TSchema } from 'typebox';

/** A character at its longest: a surrogate pair, each half written as `\uXXXX`, as encoders do that write ASCII only. */
const CHARACTER = 12;
/** Comma, colon, quotes and line end around a member, and its indentation. */
const AROUND = 64;
const NUMBER = 24;
const WORD = 5;
/** An instant has no length of its own in a schema; with nine decimals and an offset it has 35 characters. */
const FORMATS: Readonly<Record<string, number>> = { 'date-time': 40, 'calendar-day': 10 };

interface Node {
  readonly type?: unknown;
  readonly format?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
}

function bytesOf({ type, format = '', maxLength, maxItems, items, properties }: Node): number {
  if (type === 'boolean') return WORD;
  if (type === 'integer') return NUMBER;
  const length = maxLength ?? FORMATS[format];
  if (type === 'string' && length !== undefined) return length * CHARACTER;
  if (type === 'array' && maxItems !== undefined && items)
    return AROUND + maxItems * (AROUND + bytesOf(items));
  if (type === 'object' && properties)
    return Object.entries(properties).reduce(
      (sum, [name, member]) => sum + AROUND + name.length + bytesOf(member),
      AROUND,
    );
  throw new TypeError('a schema that says how long a body can be bounds every text and list');
}

/** The longest that a document of the schema can be, in bytes. @throws TypeError when the schema sets no bound */
export function jsonBytesMax(schema: TSchema): number {
  return bytesOf(schema as Node);
}
