/** A body in one form, so that requests that ask for the same are equal texts. */
import { trimDecimal } from '../lib/exact-json.ts';
import { isInstant } from './validation.ts';

/** What the schema of a body says of it, as far as it is looked at here. */
export interface BodyShape {
  readonly type?: unknown;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, BodyShape>>;
  readonly required?: readonly string[];
  readonly items?: BodyShape;
}

function canonicalText(text: string, shape: BodyShape | undefined, name: string): string {
  // Postings keep milliseconds: digits beyond them mean nothing.
  if (shape?.format === 'date-time' && isInstant(text)) return new Date(text).toISOString();
  return trimDecimal(text, name);
}

/** A flag that is off, as it is when it is left out: see `Flag` in `schemas.ts`. */
function isFlagOff(value: unknown, name: string, { properties, required }: BodyShape): boolean {
  return value === false && properties?.[name]?.type === 'boolean' && !required?.includes(name);
}

/**
 * Members in one order, decimals without trailing zeros, instants in UTC with milliseconds, flags
 * only where they are set.
 * @param value a body, validated or with items that are refused one by one
 * @param shape its schema
 */
export function canonicalBody(value: unknown, shape?: BodyShape, name = ''): unknown {
  if (typeof value === 'string') return canonicalText(value, shape, name);
  if (Array.isArray(value)) return value.map((item) => canonicalBody(item, shape?.items));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([key, member]) => !(shape && isFlagOff(member, key, shape)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    members.map(([key, member]) => [key, canonicalBody(member, shape?.properties?.[key], key)]),
  );
}
