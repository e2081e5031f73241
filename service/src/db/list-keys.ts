/** Pages of lists that hold what everybody has: counted up to a limit, so that no page costs more the more there is. */
import { transaction } from './transaction.ts';
import type { Db } from './types.ts';

/** No list of everybody is counted, or paged, further. */
export const LISTED_MAX = 10_000;

export interface KeyPage {
  /** Of the rows on the page, in the order of the list. */
  readonly keys: number[];
  /** Rows on all pages together; one more than `LISTED_MAX` when there are more. */
  readonly total: number;
}

/** How a list is to be read: through an index in its own order, or, where its rows are found by a search, sorted afterwards. */
const SEARCHED = ['set local enable_seqscan = off'];
const ALONG_INDEX = [...SEARCHED, 'set local enable_sort = off'];

/**
 * Finds the rows of a page, and how many there are, in one go through an index. The planner is told so: it takes reading and
 * sorting the whole table for cheaper than 10,000 rows by index until the table is some hundred times as large.
 * @param list gives `key`, a number, of each row in the order of the list; without a limit
 * @param page `isSearch`: no index holds what is listed in its order
 */
export async function listKeys(
  db: Db,
  list: string,
  values: readonly unknown[],
  { current, size, isSearch = false }: { readonly current: number; readonly size: number; readonly isSearch?: boolean },
): Promise<KeyPage> {
  const [first, last] = [values.length + 1, values.length + 2];
  const text = `with found as materialized (select key, row_number() over () as place from (${list} limit ${LISTED_MAX + 1}) listed)
    select (select count(*) from found) as total,
      coalesce((select array_agg(key order by place) from found where place > $${first}::bigint and place <= $${last}::bigint), '{}') as keys`;
  return transaction(db, async (tx) => {
    for (const setting of isSearch ? SEARCHED : ALONG_INDEX) await tx.query(setting);
    const { rows } = await tx.query<KeyPage>(text, [...values, (current - 1) * size, current * size]);
    return rows[0] ?? { keys: [], total: 0 };
  });
}
