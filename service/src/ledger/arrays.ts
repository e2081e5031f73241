/**
 * Arrays for `unnest`: their literals are built by hand, because the driver's own cost more than the posting. One without any
 * value is empty: beside longer ones, what it lacks is null.
 */

/** Of numbers, bigints, dates or text that holds no special character (ids, digits, timestamps, hex). */
export function plainArray(values: readonly (string | number | bigint | null)[]): string {
  if (values.every((value) => value === null)) return '{}';
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

const SPECIAL = /["\\]/g;

/** Of any text. */
export function textArray(values: readonly (string | null)[]): string {
  if (values.every((value) => value === null)) return '{}';
  return `{${values.map((value) => (value === null ? 'NULL' : `"${value.replace(SPECIAL, '\\$&')}"`)).join(',')}}`;
}

/** Of timestamps. */
export function timeArray(values: readonly Date[]): string {
  return `{${values.map((value) => `"${value.toISOString()}"`).join(',')}}`;
}

/**
 * The array of a parameter, its length hidden from the planner. Seeing a short one, it would plan for that each time instead
 * of keeping a plan, and planning takes longer than posting.
 * @param parameter with its type: `$1::bigint[]`
 */
export function anyLength(parameter: string): string {
  return `(select ${parameter})`;
}
