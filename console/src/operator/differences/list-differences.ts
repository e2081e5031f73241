/** What changed between two versions of a row, value by value. */

/** What the service says of a value that it does not keep. */
export const SECRET = '(secret)';

export interface Difference {
  /** The column, and the way to the value within it: `policy.rules.1.fee`. */
  readonly path: string;
  /** Absent: there was nothing. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

export type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Columns of text may hold JSON, as rules do. */
function parseText(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Prices have 30 decimals in the database. Shorter numbers may be versions: 1.10 is not 1.1. */
const LONG_DECIMAL = /^-?\d+\.\d{9,}$/;

const trimZeros = (text: string): string =>
  LONG_DECIMAL.test(text) ? text.replace(/\.?0+$/, '') : text;

/** Values without parts, by their paths; a list of such values is one. Null and empty: nothing. */
function listValues(given: unknown, path: string): [path: string, text: string][] {
  const value = typeof given === 'string' ? parseText(given) : given;
  if (!isObject(value)) return value === null ? [] : [[path, trimZeros(String(value))]];
  const parts = Object.entries(value);
  if (Array.isArray(value) && !value.some(isObject))
    return parts.length === 0 ? [] : [[path, value.join(', ')]];
  const nameOf = (name: string): string => (Array.isArray(value) ? `${Number(name) + 1}` : name);
  return parts.flatMap(([name, part]) =>
    listValues(part, path === '' ? nameOf(name) : `${path}.${nameOf(name)}`),
  );
}

/** In the order of the columns; a secret that changed is there with both of its versions. */
export function listDifferences(before: Values = {}, after: Values = {}): Difference[] {
  const [was, became] = [before, after].map((values) => new Map(listValues(values, '')));
  const paths = [...new Set([...(was?.keys() ?? []), ...(became?.keys() ?? [])])].sort();
  return paths
    .map((path) => ({ path, before: was?.get(path), after: became?.get(path) }))
    .filter((one) => one.before !== one.after || one.before === SECRET);
}
