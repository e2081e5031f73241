/**
 * Array literals for `unnest`. They are built here because the driver's own conversion costs more
 * than the posting. A list without any value becomes an empty array: beside longer ones, `unnest`
 * fills it with nulls.
 */

/**
 * Of numbers, bigints, or text without special characters (ids, digits, timestamps, hexadecimal).
 */
export function plainArray(values: readonly (string | number | bigint | null)[]): string {
  if (values.every((value) => value === null)) return '{}';
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

const SPECIAL = /["\\]/g;

/** Of any text. */
export function textArray(values: readonly (string | null)[]): string {
  if (values.every((value) => value === null)) return '{}';
  const quote = (value: string): string =>
    value.includes('"') || value.includes('\\')
      ? `"${value.replace(SPECIAL, '\\$&')}"`
      : `"${value}"`;
  return `{${values.map((value) => (value === null ? 'NULL' : quote(value))).join(',')}}`;
}

/** Of booleans. */
export function booleanArray(values: readonly boolean[]): string {
  return `{${values.map((value) => (value ? 't' : 'f')).join(',')}}`;
}

/** Of timestamps. */
export function timeArray(values: readonly Date[]): string {
  return `{${values.map((value) => `"${value.toISOString()}"`).join(',')}}`;
}

/**
 * An array parameter whose length the planner does not see. With a short array it would make a new
 * plan each time instead of keeping one, and planning takes longer than posting.
 * @param parameter with its type, for example `:ids::bigint[]`
 */
export function hideLength(parameter: string): string {
  return `(select ${parameter})`;
}

/**
 * Arrays side by side as columns of a `select` list. Unlike `from unnest(a, b, …)` this does not
 * copy the arrays into a temporary table first.
 * @param prefix of the parameters: column `id` reads `:PREFIX_id`
 * @param columns SQL type by column name
 */
export function unnestColumns(prefix: string, columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([column, type], i) => {
      const array = `:${prefix}_${column}::${type}[]`;
      return `unnest(${i === 0 ? hideLength(array) : array}) as ${column}`;
    })
    .join(', ');
}
