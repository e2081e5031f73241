/** Pages of lists that hold what everybody has: counted up to a limit, so that no page costs more the more there is. */
import type { Db } from './types.ts';

/** No list of everybody is counted, or paged, further. */
export const LISTED_MAX = 10_000;

export interface KeyPage {
  /** Of the rows on the page, in the order of the list. */
  readonly keys: number[];
  /** Rows on all pages together; one more than `LISTED_MAX` when there are more. */
  readonly total: number;
}

/**
 * Finds the rows of a page, and how many there are, in one go through an index.
 * @param list gives `key`, a number, of each row in the order of the list; without a limit
 */
export async function listKeys(
  db: Db,
  list: string,
  values: readonly unknown[],
  { current, size }: { readonly current: number; readonly size: number },
): Promise<KeyPage> {
  const [first, last] = [values.length + 1, values.length + 2];
  const text = `with found as materialized (select key, row_number() over () as place from (${list} limit ${LISTED_MAX + 1}) listed)
    select (select count(*) from found) as total,
      coalesce((select array_agg(key order by place) from found where place > $${first}::bigint and place <= $${last}::bigint), '{}') as keys`;
  const { rows } = await db.query<KeyPage>(text, [...values, (current - 1) * size, current * size]);
  return rows[0] ?? { keys: [], total: 0 };
}
