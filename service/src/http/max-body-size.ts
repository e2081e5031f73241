/** The largest JSON document that a schema allows: the body limit of its route. */
import type { TSchema } from 'typebox';

/** A surrogate pair with both halves as `\uXXXX`, as ASCII encoders write it. */
const CHARACTER_BYTES = 12;
/** Comma, colon, quotes and line end around a member, and its indentation. */
const MEMBER_BYTES = 64;
const NUMBER_BYTES = 24;
const BOOLEAN_BYTES = 5;
/** Formats without a `maxLength`; an instant with nine decimals and an offset has 35 characters. */
const FORMAT_LENGTHS: Readonly<Record<string, number>> = { 'date-time': 40, 'calendar-day': 10 };

interface Node {
  readonly type?: unknown;
  readonly format?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
}

function bytesOf({ type, format = '', maxLength, maxItems, items, properties }: Node): number {
  if (type === 'boolean') return BOOLEAN_BYTES;
  if (type === 'integer') return NUMBER_BYTES;
  const length = maxLength ?? FORMAT_LENGTHS[format];
  if (type === 'string' && length !== undefined) return length * CHARACTER_BYTES;
  if (type === 'array' && maxItems !== undefined && items)
    return MEMBER_BYTES + maxItems * (MEMBER_BYTES + bytesOf(items));
  if (type === 'object' && properties)
    return Object.entries(properties).reduce(
      (sum, [name, member]) => sum + MEMBER_BYTES + name.length + bytesOf(member),
      MEMBER_BYTES,
    );
  throw new TypeError('the schema must bound every string and array');
}

/** Largest document of the schema in bytes. @throws TypeError for an unbounded schema */
export function jsonBytesMax(schema: TSchema): number {
  return bytesOf(schema as Node);
}
